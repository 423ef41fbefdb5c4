import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

extension AdminRoutes {
    /// `GET markets/{market}/people`: ordered by name.
    @Sendable func people(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<PersonDetailsView> {
        let market = try market(context)
        let query = QueryForm(request)
        let role = query.choice("role", of: ["customer", "provider", "admin", "support"])
        let name = query.text("name", isSearch: true)
        let page = try query.page(
            of: "people", where: ["market": market.id], owner: context.caller.accountID, sealedBy: sealer)
        let after = page.cursor.flatMap { cursor -> (String, UUID)? in
            guard cursor.values.count == 2, let name = cursor.values[0].text, let id = cursor.values[1].uuid else {
                return nil
            }
            return (name, id)
        }
        let part = name.map(SearchText.folded)
        var named: [UUID]?
        if let part {
            let found = try await pool.query(
                FindNamedPeople(market: market.id, name: part, limit: FindNamedPeople.many + 1))
            if found.count <= FindNamedPeople.many { named = found }
        }
        let rows = try await pool.query(
            ListPeople(
                market: market.id, afterName: after?.0 ?? "", afterAccount: after?.1 ?? ListPosition.oldest.id,
                role: role, part: named == nil ? part : nil, accounts: named, limit: page.fetchLimit, now: clock()))
        let known = try await live(market.id) ?? market
        return try page.answer(
            rows, position: { [.text($0.sortName), .uuid($0.account)] },
            item: { try PersonDetailsView($0, in: known, context.language) })
    }
}

/// A person with roles in a market, without contacts (P8).
struct PersonDetailsView: Encodable, Sendable {
    struct Role: Encodable, Sendable {
        let role: String
        let title: String?
        /// In the caller's language.
        let titleName: String?
        let verified: Bool
    }

    /// A ban that holds here. The reason is identity's to show.
    struct Ban: Encodable, Sendable {
        /// `*` is every market.
        let market: String
        /// Nil for good.
        let until: Date?
    }

    let account: String
    let name: String
    let gender: String?
    let language: String
    let registeredAt: Date?
    /// In this market.
    let roles: [Role]
    let ban: Ban?

    init(_ row: PersonRow, in market: Market, _ language: Language) throws {
        account = row.account.text
        name = row.name
        gender = row.gender
        self.language = row.language
        registeredAt = row.registeredAt
        ban = row.banMarket.map { Ban(market: $0, until: row.banUntil) }
        roles = try JSON.wire.decode([AccountSnapshot.Role].self, row.roles.text).map { role in
            let title = market.title(role.title)
            return Role(
                role: role.role, title: role.title,
                titleName: title?.name(of: row.gender).text(in: language.rawValue), verified: role.verified)
        }
    }
}
