import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import ServiceKit

/// Routes by which people of a market see each other (I6, P8).
struct PersonRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/markets/{market}/people", context: AuthenticatedContext.self)
            .get("{account}", use: read)
    }

    private func read(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let id = context.parameters.get("market") ?? ""
        try context.caller.require(anyOf: Set(Role.Kind.allCases.map(\.rawValue)), in: id)
        guard let market = parts.markets.named(id),
            let person = try await parts.readPerson(
                try context.uuid("account"), for: context.caller.accountID, in: market.id, at: parts.clock())
        else { throw Problem.notFound }
        return try .json(.ok, PersonView(person, in: market, context.language))
    }
}

struct PersonView: Encodable, Sendable {
    struct Part: Encodable, Sendable {
        let role: String
        let title: String?
        let titleName: String?
        let verified: Bool
        /// Nil for a person without ratings.
        let rating: Rating?
    }

    struct Rating: Encodable, Sendable {
        /// 1...5, rounded to two decimal places.
        let average: Double
        let count: Int

        init?(_ row: ListRatingSums.Row?) {
            guard let row, row.count > 0 else { return nil }
            average = (Double(row.stars) / Double(row.count) * 100).rounded() / 100
            count = row.count
        }
    }

    let account: String
    let name: String
    let avatar: String?
    let roles: [Part]
    /// Set where the market opens contacts to all its people, or where an order of these two does.
    let email: String?
    let mobile: String?

    init(_ person: PublicPerson, in market: Market, _ language: ServiceKit.Language) {
        account = person.account.id.text
        name = person.account.name.text
        avatar = AvatarView.path(person.account.avatar, in: market.id)
        roles = person.roles.map { role in
            Part(
                role: role.kind.rawValue, title: role.title,
                titleName: market.title(role.title)?.name(of: person.account.gender?.rawValue).text(
                    in: language.rawValue),
                verified: role.isVerified,
                rating: Rating(person.ratings.first { $0.role == role.ratedAs?.rawValue }))
        }
        email = person.email
        mobile = person.mobile
    }
}
