import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

enum MarketForm {
    /// The field `market`.
    static func market(_ form: Form, required: Bool = true) -> Market? {
        guard let id = form.string("market", length: 1...40, required: required) else { return nil }
        let market = Market.named(id)
        if market == nil { form.reject("market", "invalid-value") }
        return market
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
