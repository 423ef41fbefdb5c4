import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Postgres
import ServiceKit

enum MarketForm {
    /// The field `market`.
    static func market(_ form: Form, required: Bool = true) -> Market? {
        guard let id = form.string("market", length: 1...40, required: required) else { return nil }
        let market = Market.named(id)
        if market == nil { form.reject("market", "invalid-value") }
        return market
    }

    /// Who sends an amount may say in which currency it is, so that it is never read as one of another that the market has
    /// since.
    static func check(_ currency: String, _ form: Form) {
        guard let named = named(form), named != currency else { return }
        form.reject("currency", "not-the-markets-currency", ["currency": currency])
    }

    /// The code of a currency that there is; nil when it is absent. An empty or mistyped one is refused, and never read as none.
    private static func named(_ form: Form) -> String? {
        guard let code = form.secret("currency", length: 0...100, required: false)?.revealed else { return nil }
        if Currency.named(code) == nil { form.reject("currency", "not-a-currency") }
        return code
    }

    /// In which currency money comes into a wallet or leaves it: the market's, or another one that is named in which there is
    /// something in it, or owed.
    static func currency(
        _ form: Form, of market: Market, for account: UUID, _ parts: WalletParts
    ) async throws -> String {
        let current = parts.settings(of: market).currency
        guard let named = named(form), named != current else {
            return current
        }
        guard form.isValid else { throw form.problem }
        let balances = try await parts.pool.query(ListBalances(account: account))
        if balances.contains(where: { $0.currency == named && $0.amount != 0 }) { return named }
        form.reject("currency", "not-the-markets-currency", ["currency": current])
        throw form.problem
    }
}

extension AuthenticatedContext {
    /// The market of the path.
    ///
    /// - Throws: a 404 ``Problem`` when there is none.
    func market() throws -> Market {
        guard let id = parameters.get("market"), let market = Market.named(id) else { throw Problem.notFound }
        return market
    }

    /// The market of the path, of which the caller is an admin.
    ///
    /// - Throws: a 403 ``Problem`` when the caller is none, a 404 when there is no such market.
    func administeredMarket() throws -> Market {
        let id = parameters.get("market") ?? ""
        try caller.require("admin", in: id)
        return try market()
    }
}
