import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// What happened to a setting of a market, as the audit log has it.
struct SettingEvent: Sendable {
    enum Kind: String, Sendable {
        case changed, proposed, withdrawn
    }

    let id: UUID
    let at: Date
    let kind: Kind
    let by: UUID?
    let name: String?
    /// The changed setting: for an amount this may be the currency, which brings all amounts.
    let subject: String
    let before: String?
    let after: String?
    /// The admin who asked for the change first, where it took two.
    let proposer: UUID?
    let proposerName: String?
}

/// Lists changes, proposals and withdrawals of some settings of a market, newest first. A change is by two admins when
/// the last word about the setting before it was a proposal of the same value by another.
struct ListSettingHistory: Statement {
    static let sql: SQL = """
        SELECT a.id, a.at, a.action, a.account, p.name, a.subject, a.before ->> 'value', a.after ->> 'value',
            last.account, proposer.name
        FROM audit AS a
        LEFT JOIN LATERAL (
            SELECT o.action, o.account, o.after ->> 'value' AS value FROM audit AS o
            WHERE o.subject = a.subject AND o.market = a.market AND \(isOfSettings("o")) AND (o.at, o.id) < (a.at, a.id)
            ORDER BY o.at DESC, o.id DESC LIMIT 1
        ) AS last ON a.action = 'setting.changed' AND last.action = 'setting.proposed'
            AND last.value = a.after ->> 'value' AND last.account <> a.account
        LEFT JOIN people AS p ON p.account = a.account
        LEFT JOIN people AS proposer ON proposer.account = last.account
        WHERE a.subject = ANY ($2) AND a.market = $1 AND \(isOfSettings("a")) AND (a.at, a.id) < ($3, $4)
        ORDER BY a.at DESC, a.id DESC LIMIT $5
        """
    let market: String
    let keys: [MarketSettings.Key]
    let before: ListPosition
    let limit: Int

    private static func isOfSettings(_ table: SQL) -> SQL {
        """
        \(table).service = 'admin' AND \(table).action IN ('setting.changed', 'setting.proposed', 'setting.withdrawn')
        """
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(market, keys.map(\.rawValue))
        before.bind(&bindings)
        bindings.append(limit)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> SettingEvent {
        let (id, at, action): (UUID, Date, String) = (try row.next(), try row.next(), try row.next())
        return SettingEvent(
            id: id, at: at, kind: SettingEvent.Kind(rawValue: String(action.dropFirst("setting.".count))) ?? .changed,
            by: try row.next(), name: try row.next(), subject: try row.next(), before: try row.next(),
            after: try row.next(), proposer: try row.next(), proposerName: try row.next())
    }
}

struct SettingEventView: Encodable, Sendable {
    let at: Date
    let event: String
    let key: String
    let by: PersonView?
    /// The value before; the one that was proposed, where it was withdrawn.
    let before: String?
    let after: String?
    let proposedBy: PersonView?

    init(_ event: SettingEvent, of key: MarketSettings.Key, in market: Market) {
        at = event.at
        self.event = event.kind.rawValue
        self.key = event.subject
        by = event.by.map { PersonView(account: $0.text, name: event.name) }
        before = event.before.map { Self.value($0, of: event.subject, for: key, in: market) }
        after = event.after.map { Self.value($0, of: event.subject, for: key, in: market) }
        proposedBy = event.proposer.map { PersonView(account: $0.text, name: event.proposerName) }
    }

    /// The value of the key, which the text of the currency has among the amounts that came with it.
    private static func value(
        _ text: String, of subject: String, for key: MarketSettings.Key, in market: Market
    ) -> String {
        guard let changed = MarketSettings.Key(rawValue: subject) else { return text }
        var settings = market.defaults
        do { try settings.set(changed, to: text) } catch {
            // Written by another version of the program.
            return text
        }
        return settings.shown(key)
    }
}

extension AdminRoutes {
    /// `GET markets/{market}/settings/{key}/history`: newest first.
    @Sendable func settingHistory(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> Page<SettingEventView> {
        let market = try market(context)
        guard let key = MarketSettings.Key(rawValue: context.parameters.get("key") ?? "") else {
            throw Problem.notFound
        }
        let query = QueryForm(request)
        let page = try query.page(
            of: "setting-history", .descending, where: ["market": market.id, "key": key.rawValue],
            owner: context.caller.accountID, sealedBy: sealer)
        let rows = try await pool.query(
            ListSettingHistory(
                market: market.id, keys: MarketSettings.amounts.contains(key) ? [key, .currency] : [key],
                before: page.position(first: .newest), limit: page.fetchLimit))
        return try page.answer(
            rows, at: { ($0.at, $0.id) }, item: { SettingEventView($0, of: key, in: market) })
    }
}
