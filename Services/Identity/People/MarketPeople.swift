import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// The people of a market as its admins see them: with contacts, bans and ratings (I11, I13). Every reading is in the
/// audit log. Contacts stay with identity and are in no event (P8, I14).
struct MarketPeopleRoutes: Sendable {
    /// Most accounts of one question.
    static let maximumAccounts = 100

    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/markets/{market}/people", context: AuthenticatedContext.self)
            .get(use: list)
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<MarketPersonView> {
        let market = parts.current(try context.administeredMarket())
        let query = QueryForm(request, ignoring: .unknown)
        let role = query.choice("role", of: ["customer", "provider"])
        let isBanned = query.bool("banned")
        let name = query.text("name", isSearch: true) ?? ""
        var accounts = query.uuids("account", maximum: Self.maximumAccounts)
        let contact = query.text("contact", maximum: 254, isSearch: true).map { LoginName($0) }
        if case .neither = contact { query.reject("contact", "not-a-contact") }
        let page = try query.page(
            of: "people", .descending, where: ["market": market.id], owner: context.caller.accountID,
            sealedBy: parts.cursors)
        let isNamed = !accounts.isEmpty
        if let contact {
            let found = try await parts.pool.query(FindByContact(contact: parts.checkCredentials.find(contact)))
            accounts = isNamed ? accounts.filter { found.contains($0) } : found
        }
        let list = ListMarketPeople(
            market: market.id, role: role, isBanned: isBanned, name: SearchText.folded(name),
            accounts: isNamed || contact != nil ? accounts : nil, now: parts.clock(), before: page.lastID,
            limit: page.fetchLimit)
        let (rows, roles, ratings) = try await parts.pool.withTransaction(.readOnly) { transaction in
            let rows = try await transaction.query(list)
            let ids = rows.map(\.account)
            let (roles, ratings) = try await transaction.queryAll(
                ListRolesOfAccounts(accounts: ids), ListRatingsOfAccounts(accounts: ids, market: market.id))
            return (rows, roles, ratings)
        }
        let rolesOf = Dictionary(grouping: roles, by: \.account)
        let ratingsOf = Dictionary(grouping: ratings, by: \.account)
        let showsContacts = !context.caller.isSupport(in: market.id)
        return try page.answer(
            rows, id: { $0.account },
            item: { row in
                try MarketPersonView(
                    row, roles: (rolesOf[row.account] ?? []).compactMap(\.role), in: market,
                    ratings: ratingsOf[row.account] ?? [], showsContacts ? parts.cipher : nil, context.language)
            })
    }
}

/// A person of a market, for its admins.
struct MarketPersonView: Encodable, Sendable {
    struct Part: Encodable, Sendable {
        let role: String
        let title: String?
        let titleName: String?
        /// For providers only: `waiting`, `verified` or `rejected`.
        let state: String?
        /// Nil for a person without ratings.
        let rating: PersonView.Rating?
    }

    struct Ban: Encodable, Sendable {
        /// `*` is every market.
        let market: String
        let reason: String
        /// Nil for good.
        let until: Date?
    }

    let account: String
    let name: String
    let gender: String?
    let language: String
    let registeredAt: Date
    /// Nil also for the market's support, which may find somebody by it, but not read it.
    let email: String?
    let emailProved: Bool
    let mobile: String?
    let mobileProved: Bool
    /// In this market, also those that a ban blocks.
    let roles: [Part]
    /// The ban that holds here now.
    let ban: Ban?

    /// - Parameter cipher: nil leaves the contacts sealed.
    init(
        _ row: ListMarketPeople.Row, roles: [SeraiIdentity.Role], in market: Market,
        ratings: [ListRatingsOfAccounts.Row], _ cipher: PersonalDataCipher?, _ language: ServiceKit.Language
    ) throws {
        account = row.account.text
        name = row.name
        gender = row.gender
        self.language = row.language
        registeredAt = row.registeredAt
        email = try row.email.flatMap { try cipher?.open($0, .email, of: row.account) }
        emailProved = row.emailIsProved
        mobile = try row.mobile.flatMap { try cipher?.open($0, .mobile, of: row.account) }
        mobileProved = row.mobileIsProved
        self.roles = roles.filter { $0.market == market.id && !$0.isStaff }.map { role in
            let sum = ratings.first { $0.role == role.ratedAs?.rawValue }
            return Part(
                role: role.kind.rawValue, title: role.title,
                titleName: market.title(role.title)?.name(of: row.gender).text(in: language.rawValue),
                state: role.kind == .provider ? role.state.rawValue : nil,
                rating: PersonView.Rating(
                    sum.map { ListRatingSums.Row(market: market.id, role: $0.role, count: $0.count, stars: $0.stars) }))
        }
        ban = row.banMarket.map { Ban(market: $0, reason: row.banReason ?? "", until: row.banUntil) }
    }
}

/// A page of the confirmed people of a market who are customers or providers there, the newest first. Somebody with several roles
/// is found by the first of them, so that a page reads no more of the market's roles than it shows.
struct ListMarketPeople: Statement {
    struct Row: Sendable {
        let account: UUID
        let name: String
        let gender: String?
        let language: String
        let registeredAt: Date
        let email: [UInt8]?
        let mobile: [UInt8]?
        let emailIsProved: Bool
        let mobileIsProved: Bool
        let banMarket: String?
        let banReason: String?
        let banUntil: Date?
    }

    static let sql: SQL = """
        SELECT a.id, a.name, a.gender, a.language, a.registered_at, a.email, a.mobile,
            a.email_proved_at IS NOT NULL, a.mobile_proved_at IS NOT NULL, ban.market, ban.reason, ban.until
        FROM roles AS person
        JOIN accounts AS a ON a.id = person.account
        LEFT JOIN LATERAL (
            SELECT market, reason, until FROM bans
            WHERE bans.account = a.id AND bans.market IN ($1, '*') AND coalesce(bans.until > $4, true)
            ORDER BY bans.market = '*' DESC LIMIT 1
        ) AS ban ON true
        WHERE person.market = $1 AND person.role NOT IN ('admin', 'support') AND ($2::text IS NULL OR person.role = $2)
            AND NOT EXISTS (
                SELECT FROM roles AS first
                WHERE first.account = person.account AND first.market = $1 AND first.role NOT IN ('admin', 'support')
                    AND ($2::text IS NULL OR first.role = $2)
                    AND (first.role, first.sells) < (person.role, person.sells))
            AND ($5::uuid IS NULL OR person.account < $5) AND ($8::uuid[] IS NULL OR person.account = ANY ($8))
            AND ($6 = '' OR person.account IN (
                SELECT id FROM accounts AS named WHERE strpos(\(SearchText.folding("named.name")), $6) > 0))
            AND ($3::boolean IS NULL OR $3 = (person.account IN (
                SELECT account FROM bans WHERE market IN ($1, '*') AND coalesce(until > $4, true))))
            AND a.confirmed_at IS NOT NULL
        ORDER BY person.account DESC LIMIT $7
        """
    let market: String
    /// Nil for both roles.
    let role: String?
    /// Nil for all.
    let isBanned: Bool?
    /// A part of the name, folded like ``SearchText``; empty for any.
    let name: String
    /// Nil for all.
    let accounts: [UUID]?
    let now: Date
    /// The last person of the page before.
    let before: UUID?
    let limit: Int

    func bind(_ bindings: inout Bindings) {
        bindings.append(market, role, isBanned, now, before, name, limit, accounts)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            account: try row.next(), name: try row.next(), gender: try row.next(), language: try row.next(),
            registeredAt: try row.next(), email: try row.next(), mobile: try row.next(),
            emailIsProved: try row.next(), mobileIsProved: try row.next(), banMarket: try row.next(),
            banReason: try row.next(), banUntil: try row.next())
    }
}

/// The ratings of several accounts in a market.
struct ListRatingsOfAccounts: Statement {
    struct Row: Sendable {
        let account: UUID
        let role: String
        let count: Int
        let stars: Int
    }

    static let sql: SQL = """
        SELECT account, role, count, stars FROM ratings WHERE account = ANY ($1::uuid[]) AND market = $2
        """
    let accounts: [UUID]
    let market: String

    func bind(_ bindings: inout Bindings) { bindings.append(accounts, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(account: try row.next(), role: try row.next(), count: try row.next(), stars: try row.next())
    }
}

/// The accounts with an e-mail address or a mobile number, whether proved or merely written down.
struct FindByContact: Statement {
    static let sql: SQL = "SELECT id FROM accounts WHERE email_hash = $1 OR mobile_hash = $2 OR mobile_hash = $3"
    let contact: FindPassword

    func bind(_ bindings: inout Bindings) {
        bindings.append(contact.emailHash, contact.mobileHash, contact.formerMobileHash)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
