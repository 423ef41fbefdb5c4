import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// The partners of a market side by side, each with the visits of some days, for its admins (O7).
extension CareRoutes {
    /// The most days in one question.
    static let maximumDays = 8
    static let maximumVisits = 1_000

    /// `GET markets/{market}/desk/partners`
    func partnersOfDay(_ request: Request, _ context: AuthenticatedContext) async throws -> PartnerDaysView {
        let (market, _) = try markets.market(of: context)
        try context.caller.require("admin", in: market.id)
        guard market.kind(Market.Workflow.homeCare.rawValue) != nil else { throw Problem.notFound }
        let query = QueryForm(lenient: request)
        let (from, to) = (query.date("from"), query.date("to"))
        if from == nil { query.reject("from", "required") }
        if to == nil { query.reject("to", "required") }
        if let from, let to, !(0..<Double(Self.maximumDays) * 86_400 + 1).contains(to.timeIntervalSince(from)) {
            query.reject("to", "too-many-days", ["maximum": String(Self.maximumDays)])
        }
        guard let from, let to, query.isValid else { throw query.problem }
        let (partners, visits) = try await orders.reader.pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                ListCarePartners(market: market.id),
                ListAssignedVisits(market: market.id, from: from, to: to, limit: Self.maximumVisits + 1))
        }
        let views = try OrderListView(
            Array(visits.prefix(Self.maximumVisits)), of: market, for: .admin, orders.seal, context)
        return PartnerDaysView(
            partners, visits: views.items, hasMore: visits.count > Self.maximumVisits, in: market, context.language)
    }
}

/// Lists the verified partners of a market by name.
struct ListCarePartners: Statement {
    static let sql: SQL = """
        SELECT role.account, people.name, role.title, people.gender, people.avatar
        FROM provider_roles AS role JOIN people ON people.account = role.account
        WHERE role.market = $1 AND role.verified AND NOT role.sells AND NOT is_banned(role.account, $1)
        ORDER BY people.name, role.account LIMIT 500
        """
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Partner {
        Partner(
            account: try row.next(), name: try row.next(), title: try row.next(), gender: try row.next(),
            avatar: try row.next())
    }
}

/// Lists the visits of a market that a partner is to do, does or has done, by time.
struct ListAssignedVisits: Statement {
    static let sql: SQL = """
        SELECT \(OrderDetailsRow.columns) FROM order_details
        WHERE market = $1 AND kind = 'homeCare' AND coalesce(scheduled_at, requested_at) >= $2
            AND coalesce(scheduled_at, requested_at) < $3 AND provider IS NOT NULL
            AND state NOT IN ('cancelled', 'refused', 'expired')
        ORDER BY coalesce(scheduled_at, requested_at), id LIMIT $4
        """
    let market: String
    let from: Date
    let to: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, from, to, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

struct PartnerDaysView: ResponseEncodable, Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let account: String
        let name: String
        let title: String?
        let titleName: String?
        /// The path of the picture, or of the market's logo.
        let avatar: String
        /// Whether visits can be assigned to this partner now: one who may not work any more can still have some.
        let isVerified: Bool
        /// Ids of the services that the partner may do.
        let services: [String]
        /// By their time.
        let visits: [OrderView]
    }

    let items: [Item]
    /// Whether there are more visits than are shown.
    let hasMore: Bool

    init(_ partners: [Partner], visits: [OrderView], hasMore: Bool, in market: Market, _ language: Language) {
        self.hasMore = hasMore
        let byPartner = Dictionary(grouping: visits) { $0.provider?.account ?? "" }
        let known = Set(partners.map(\.account.text))
        let items = partners.map { partner in
            Item(
                account: partner.account.text, name: partner.name, title: partner.title,
                titleName: partner.titleName(in: market, language),
                avatar: AvatarPath.path(of: partner.avatar, in: market.id), isVerified: true,
                services: OfferingRules(market, title: partner.title).allowed.sorted(),
                visits: byPartner[partner.account.text] ?? [])
        }
        let others = byPartner.filter { !$0.key.isEmpty && !known.contains($0.key) }.sorted { $0.key < $1.key }
        self.items =
            items
            + others.map { account, visits in
                Item(
                    account: account, name: visits.first?.provider?.name ?? "", title: nil, titleName: nil,
                    avatar: AvatarPath.path(of: nil, in: market.id), isVerified: false, services: [], visits: visits)
            }
    }
}
