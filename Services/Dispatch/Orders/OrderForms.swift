import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import ServiceKit

extension RequestOrder.Input {
    /// - Parameter isByHand: whether a person orders, and not a program.
    /// - Throws: a 422 ``Problem`` with every wrong field.
    init(_ form: Form, customer: UUID, _ markets: LiveMarkets, isByHand: Bool) throws(Problem) {
        let name = form.string("market", length: 1...100)
        let market = name.flatMap(markets.named)
        // Only for visits, where customers choose their provider; other kinds have routes of their own.
        if name != nil, market?.kind(Market.Workflow.visit.rawValue) == nil { form.reject("market", "unknown-market") }
        let provider = form.uuid("provider")
        let services = form.strings("services", count: 1...20, length: 1...100)
        if let services, Set(services).count < services.count { form.reject("services", "repeated-service") }
        let position = form.position()
        let description = form.string("description", length: 1...500, lines: true, required: false)
        let seen = form.shownPrice(required: isByHand)
        guard let market, let provider, let services, let position, form.isValid else {
            throw form.problem
        }
        self.init(
            market: market, customer: customer, provider: provider, services: services,
            place: Order.Place(
                latitude: position.latitude, longitude: position.longitude, description: description),
            seen: seen)
    }
}

extension AcceptOrder.Input {
    /// - Throws: a 422 ``Problem`` with every wrong field.
    init(_ form: Form?) throws(Problem) {
        guard let form else { return }
        companion = form.string("companion", length: 1...100, required: false, .personName)
        minutes = form.integer("minutes", in: Restaurant.preparation, required: false)
        version = form.integer("version", in: 1...Int.max, required: false)
        try form.finish()
    }
}

extension RateOrder.Input {
    /// - Throws: a 422 ``Problem`` with every wrong field.
    init(_ form: Form) throws(Problem) {
        let stars = form.integer("stars", in: 1...5)
        let serviceStars = form.integer("serviceStars", in: 1...5, required: false)
        let comment = form.string("comment", length: 1...1_000, lines: true, required: false)
        guard let stars, form.isValid else { throw form.problem }
        self.init(stars: stars, serviceStars: serviceStars, comment: comment)
    }
}

extension Request {
    /// Reads the `reason` of an optional body.
    ///
    /// - Throws: ``Problem``
    func optionalReason(not slugs: Set<String>, context: AuthenticatedContext) async throws -> String? {
        guard let form = try await optionalForm(context: context) else { return nil }
        let reason = form.reason(not: slugs)
        try form.finish()
        return reason
    }
}

extension Form {
    /// Reads the code of a known currency; nil if the field is absent. Refuses an empty or unknown code, so that it
    /// never counts as absent.
    func currency(_ name: String) -> String? {
        // `string` treats an empty text as absent; `secret` does not.
        guard let code = secret(name, length: 0...100, required: false)?.revealed else { return nil }
        if Currency.named(code) == nil { reject(name, "not-a-currency") }
        return code
    }

    /// Reads a person's own reason, which the other party sees. Refuses the platform's slugs, since readers would take
    /// them for the platform's words.
    ///
    /// - Parameter slugs: ``LiveMarkets/reasons``.
    func reason(not slugs: Set<String>) -> String? {
        let reason = string("reason", length: 1...300, required: false)
        if let reason, slugs.contains(reason) { reject("reason", "not-own-words") }
        return reason
    }
}
