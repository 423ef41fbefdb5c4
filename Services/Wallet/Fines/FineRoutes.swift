import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Serves the caller's own fines, with the time until which each is to be paid.
struct FineRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("fines", use: list)
    }

    @Sendable private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> OwnFinesView {
        let account = context.caller.accountID
        let query = QueryForm(request)
        let state = query.choice("state", of: FineState.self)
        let market = query.text("market", maximum: 40)
        let page = try query.page(of: "fines", .descending, owner: account, sealedBy: parts.sealer)
        let (rows, owed) = try await parts.pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                ListFinesOfAccount(
                    account: account, market: market, isPaid: state.map { $0 == .paid }, after: page.last,
                    limit: page.fetchLimit),
                ListOwed(account: account))
        }
        let items = try page.answer(
            rows, at: { ($0.fine.chargedAt, $0.fine.order) },
            item: { OwnFineView($0, context.language, at: parts.clock()) })
        return OwnFinesView(items: items.items, next: items.next, owed: owed.map(AmountView.init))
    }
}

/// Lists an account's own fines, newest first, with whether each blocks the account now.
struct ListFinesOfAccount: Statement {
    struct Row: Sendable {
        let fine: Fine
        let paidAt: Date?
        let isBlocked: Bool
    }

    static let sql: SQL = """
        SELECT order_id, fines.market, fines.account, fines.currency, amount, provider, to_provider, to_platform,
            charged_at, due_at, reminded_at, paid_at,
            coalesce(paid_at IS NULL AND blocks.is_blocked AND blocks.currency = fines.currency, false)
        FROM fines LEFT JOIN blocks ON blocks.account = fines.account AND blocks.market = fines.market
        WHERE fines.account = $1 AND ($2::text IS NULL OR fines.market = $2)
            AND ($3::bool IS NULL OR (paid_at IS NOT NULL) = $3)
            AND ($4::timestamptz IS NULL OR (charged_at, order_id) < ($4, $5))
        ORDER BY charged_at DESC, order_id DESC LIMIT $6
        """
    let account: UUID
    /// Nil for all markets.
    let market: String?
    /// Nil for paid and unpaid fines.
    let isPaid: Bool?
    let after: (at: Date, id: UUID)?
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(account, market, isPaid, after?.at, after?.id, limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(fine: try Fine(row: &row), paidAt: try row.next(), isBlocked: try row.next())
    }
}

/// Lists the amounts that an account's wallets are below zero, by currency. A top-up of so much pays every fine.
struct ListOwed: Statement {
    static let sql: SQL = """
        SELECT -balance, currency FROM accounts WHERE owner = $1 AND kind = 'wallet' AND balance < 0 ORDER BY currency
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Money {
        Money(amount: try row.next(), currency: try row.next())
    }
}

/// A fine as the person sees it who pays it. The division between provider and platform is not shown.
struct OwnFineView: Encodable, Sendable {
    let order: String
    let market: String
    let amount: AmountView
    let state: String
    /// In the caller's language.
    let stateText: String
    let chargedAt: Date
    /// The last time to pay before the account is blocked in the market.
    let dueAt: Date
    let paidAt: Date?
    /// Whether the time for paying is over.
    let isOverdue: Bool
    /// Whether the account is blocked in the market until this fine is paid.
    let blocks: Bool

    init(_ row: ListFinesOfAccount.Row, _ language: Language, at now: Date) {
        let fine = row.fine
        order = fine.order.text
        market = fine.market
        amount = AmountView(amount: fine.amount, currency: fine.currency)
        let fineState: FineState = row.paidAt == nil ? .unpaid : .paid
        state = fineState.rawValue
        stateText = fineState.name.text(in: language.rawValue)
        chargedAt = fine.chargedAt
        dueAt = fine.dueAt
        paidAt = row.paidAt
        isOverdue = row.paidAt == nil && fine.dueAt <= now
        blocks = row.isBlocked
    }
}

struct OwnFinesView: ResponseEncodable, Sendable {
    let items: [OwnFineView]
    /// The cursor of the next page.
    let next: String?
    /// The whole debt in each currency. A top-up of so much pays all fines.
    let owed: [AmountView]
}

extension AmountView {
    fileprivate init(_ money: Money) { self.init(amount: money.amount, currency: money.currency) }
}
