import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// The route by which customers choose the care partner whom they prefer (O7): neither places nor calendars are shown.
struct PreferredPartnerRoutes: Sendable {
    /// The number of services in one question.
    static let serviceLimit = 20

    let pool: PostgresPool
    let cursors: CursorSealer
    let markets: LiveMarkets

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/partners") { try await list($0, $1) }
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<PreferredPartnerView> {
        let (market, _) = try markets.market(of: context)
        guard market.kind(Market.Workflow.homeCare.rawValue) != nil else { throw Problem.notFound }
        try context.caller.require("customer", in: market.id)
        let query = QueryForm(lenient: request)
        let services = Self.services(query, market)
        let name = query.text("name") ?? ""
        let page = try query.page(
            of: "partners", where: ["market": market.id], owner: context.caller.accountID, sealedBy: cursors)
        let titles = market.allTitles.map(\.id).filter { title in
            Set(OfferingRules(market, title: title).allowed).isSuperset(of: services)
        }
        let rows = try await pool.query(
            ListPreferredPartners(
                market: market.id, customer: context.caller.accountID, titles: titles,
                name: SearchName.folded(name), after: page.cursor.flatMap { ListPreferredPartners.Position($0) },
                limit: page.fetchLimit))
        return try page.answer(
            rows, position: { [.text($0.partner.name), .uuid($0.partner.account)] },
            item: { PreferredPartnerView($0, in: market, context.language) })
    }

    /// Parses `services=companionship,cooking`: services of the market; none means any.
    private static func services(_ query: QueryForm, _ market: Market) -> [String] {
        let asked = (query.text("services", maximum: 2_000) ?? "").split(separator: ",").map(String.init)
        let known = market.services.map(\.id)
        if !asked.allSatisfy(known.contains) {
            query.reject("services", "not-a-choice", ["choices": known.joined(separator: ", ")])
        }
        if asked.count > serviceLimit { query.reject("services", "too-many", ["maximum": String(serviceLimit)]) }
        return Array(Set(asked)).sorted()
    }
}

/// A partner whom a customer may prefer.
struct PreferredPartnerView: Encodable, Sendable {
    let account: String
    let name: String
    let title: String?
    let titleName: String?
    /// The path of the picture, or of the market's logo.
    let avatar: String
    let rating: OrderView.Standing
    /// Whether the partner has been at the customer's before.
    let visitedMe: Bool

    init(_ row: ListPreferredPartners.Row, in market: Market, _ language: Language) {
        account = row.partner.account.text
        name = row.partner.name
        title = row.partner.title
        titleName = row.partner.titleName(in: market, language)
        avatar = AvatarPath.path(of: row.partner.avatar, in: market.id)
        rating = OrderView.Standing(row.standing)
        visitedMe = row.hasVisited
    }
}

extension Partner {
    /// The title in the reader's language.
    func titleName(in market: Market, _ language: Language) -> String? {
        market.title(title)?.name(of: gender).text(in: language.rawValue)
    }
}

/// A page of the verified partners of a market whose title is one of these, by name.
struct ListPreferredPartners: Statement {
    struct Row: Sendable {
        let partner: Partner
        let standing: OrderDetails.Standing
        let hasVisited: Bool
    }

    /// The last partner of the page before.
    struct Position: Sendable {
        let name: String
        let account: UUID

        /// Nil for a cursor of an older version.
        init?(_ cursor: Cursor) {
            guard let name = cursor.values.first?.text, let account = cursor.values.last?.uuid else { return nil }
            self.name = name
            self.account = account
        }
    }

    static let sql: SQL = """
        SELECT role.account, people.name, role.title, people.gender, people.avatar,
            coalesce(sums.stars, 0), coalesce(sums.count, 0),
            EXISTS (
                SELECT FROM orders
                WHERE orders.customer = $2 AND orders.is_final AND orders.provider = role.account
                    AND orders.market = $1 AND orders.state = 'completed')
        FROM provider_roles AS role JOIN people ON people.account = role.account
        LEFT JOIN rating_sums AS sums
            ON sums.market = role.market AND sums.account = role.account AND sums.role = 'provider'
        WHERE role.market = $1 AND role.verified AND role.account <> $2 AND role.title = ANY ($3)
            AND strpos(people.search_name, $4) > 0 AND NOT is_banned(role.account, $1)
            AND ($5::text IS NULL OR (people.name, role.account) > ($5, $6))
        ORDER BY people.name, role.account LIMIT $7
        """
    let market: String
    let customer: UUID
    let titles: [String]
    /// Folded by ``SearchName``; an empty text matches every name.
    let name: String
    let after: Position?
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, customer, titles, name, after?.name, after?.account ?? customer, limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            partner: Partner(
                account: try row.next(), name: try row.next(), title: try row.next(), gender: try row.next(),
                avatar: try row.next()),
            standing: OrderDetails.Standing(stars: try row.next(), count: try row.next()), hasVisited: try row.next())
    }
}
