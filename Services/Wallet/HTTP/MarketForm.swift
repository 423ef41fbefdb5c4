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
        guard let named = form.string("currency", length: 3...3, required: false), named != currency else { return }
        form.reject("currency", "not-the-markets-currency", ["currency": currency])
    }

    /// In which currency money comes into a wallet or leaves it: the market's, or another one that is named in which there is
    /// something in it, or owed.
    static func currency(
        _ form: Form, of market: Market, for account: UUID, _ parts: WalletParts
    ) async throws -> String {
        let current = parts.settings(of: market).currency
        guard let named = form.string("currency", length: 3...3, required: false), named != current else {
            return current
        }
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
