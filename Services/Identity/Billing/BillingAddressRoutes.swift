import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// `/identity/v1/accounts/me/markets/{market}/billing-address`: where the caller's bills of a market go (B4). The app gives it to
/// the payment provider with a card; no other service knows it.
struct BillingAddressRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/accounts/me/markets/{market}/billing-address", context: AuthenticatedContext.self)
            .get(use: read)
            .put(use: put)
    }

    private func read(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let list = ListBillingAddresses(account: context.caller.accountID, market: try market(context).id)
        guard let row = try await parts.pool.first(list) else { throw Problem.notFound }
        return try .json(.ok, try BillingAddresses(cipher: parts.cipher).open(row))
    }

    private func put(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, id) = (try market(context), context.caller.accountID)
        let form = try await request.form(context: context)
        guard let address = form.billingAddress(), form.isValid else { throw form.problem }
        try await parts.pool.withTransaction { transaction in
            _ = try await Accounts.lock(id, in: transaction)
            try BillingAddresses(cipher: parts.cipher).put(
                address, of: id, in: market.id, at: parts.clock(), transaction)
        }
        return try .json(.ok, address)
    }

    private func market(_ context: AuthenticatedContext) throws(Problem) -> Market {
        let id = context.parameters.get("market") ?? ""
        try context.caller.require(anyOf: Set(Role.Kind.allCases.map(\.rawValue)), in: id)
        guard let market = Market.named(id) else { throw .notFound }
        return market
    }
}

extension Market.Onboarding {
    func asksBillingAddress(of role: Role) -> Bool {
        billingAddressOf.contains(role.title ?? role.kind.rawValue)
    }
}

extension Form {
    /// `street`, `city`, `postcode` and `country`.
    func billingAddress() -> BillingAddress? {
        let street = showable("street", maximum: BillingAddress.maximumStreet, lines: true)
        let city = showable("city", maximum: BillingAddress.maximumCity)
        let postcode = showable("postcode", maximum: BillingAddress.maximumPostcode)
        let country = string("country", length: 1...10).flatMap { text in
            let code = BillingAddress.country(text)
            if code == nil { reject("country", "not-a-country") }
            return code
        }
        guard let street, let city, let postcode, let country else { return nil }
        return BillingAddress(street: street, city: city, postcode: postcode, country: country)
    }
}
