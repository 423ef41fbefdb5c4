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

    /// A client may name the currency of an amount, so that the amount is not read in another one to which the market
    /// has changed since.
    static func check(_ currency: String, _ form: Form) {
        guard let named = named(form), named != currency else { return }
        form.reject("currency", "not-the-markets-currency", ["currency": currency])
    }

    /// The code of a currency that there is; nil when it is absent. An empty or mistyped one is refused, and never read as none.
    static func named(_ form: Form) -> String? {
        guard let code = form.secret("currency", length: 0...100, required: false)?.revealed else { return nil }
        if Currency.named(code) == nil { form.reject("currency", "not-a-currency") }
        return code
    }

    /// In which currency money comes into a wallet or leaves it: the market's, or a former one of the market that is
    /// named and in which the wallet holds or owes something.
    ///
    /// - Parameter topUp: the amount of a top-up in minor units, which in a former currency pays only what is owed; nil
    ///   for a cash-out.
    static func currency(
        _ form: Form, of market: Market, for account: UUID, topUp: Int? = nil, _ parts: WalletParts
    ) async throws -> String {
        let settings = parts.settings(of: market)
        let named = named(form)
        // A currency of a wrong type is an error too, and never read as absent.
        guard form.isValid else { throw form.problem }
        guard let named, named != settings.currency else { return settings.currency }
        let balances = try await parts.pool.query(ListBalances(account: account))
        let balance = balances.first { $0.currency == named }?.amount ?? 0
        guard settings.formerRates[named] != nil, topUp == nil ? balance != 0 : balance < 0 else {
            form.reject("currency", "not-the-markets-currency", ["currency": settings.currency])
            throw form.problem
        }
        if let topUp { try refuse(topUp, aboveDebt: -balance, named, form) }
        return named
    }

    /// The payment provider's smallest charge is allowed even when less is owed.
    private static func refuse(_ amount: Int, aboveDebt owed: Int, _ currency: String, _ form: Form) throws {
        let bounds = Currency.named(currency).map { ProviderBounds.charges(in: $0) }
        let step = bounds?.step ?? 1
        let most = max((owed + step - 1) / step * step, bounds?.minimum ?? 1)
        guard amount > most else { return }
        form.reject(
            "amount", "out-of-range",
            [
                "minimum": AmountOutOfBounds.text(bounds?.minimum ?? 1, currency),
                "maximum": AmountOutOfBounds.text(most, currency),
            ])
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
