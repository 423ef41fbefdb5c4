import Contracts
import Foundation
import Hummingbird
import ServiceKit

extension RequestOrder.Input {
    /// - Throws: a 422 ``Problem`` with every wrong field.
    init(_ form: Form, customer: UUID) throws(Problem) {
        let name = form.string("market", length: 1...100)
        let market = name.flatMap(Market.named)
        // Here people choose their provider by name; what else a market sells has routes of its own.
        if name != nil, market?.kind(Market.Workflow.visit.rawValue) == nil { form.reject("market", "unknown-market") }
        let provider = form.uuid("provider")
        let services = form.strings("services", count: 1...20, length: 1...100)
        if let services, Set(services).count < services.count { form.reject("services", "repeated-service") }
        let position = form.position()
        let description = form.string("description", length: 1...500, lines: true, required: false)
        guard let market, let provider, let services, let position, form.isValid else {
            throw form.problem
        }
        self.init(
            market: market, customer: customer, provider: provider, services: services,
            place: Order.Place(
                latitude: position.latitude, longitude: position.longitude, description: description))
    }
}

extension AcceptOrder.Input {
    /// - Throws: a 422 ``Problem`` with every wrong field.
    init(_ form: Form?) throws(Problem) {
        guard let form else { return }
        companion = form.string("companion", length: 1...100, required: false)
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
    /// The `reason` of a body that may be absent as a whole.
    ///
    /// - Throws: ``Problem``
    func optionalReason(context: AuthenticatedContext) async throws -> String? {
        guard let form = try await optionalForm(context: context) else { return nil }
        let reason = form.reason()
        try form.finish()
        return reason
    }
}

extension Form {
    /// The code of a currency that there is; nil when it is absent. An empty or mistyped one is refused and never read as none.
    func currency(_ name: String) -> String? {
        // A text that is empty would be taken for none.
        guard let code = secret(name, length: 0...100, required: false)?.revealed else { return nil }
        if Currency.named(code) == nil { reject(name, "not-a-currency") }
        return code
    }

    /// Why somebody does what they do, in a few words of their own: the other side reads them. The platform's own slugs
    /// are refused, which would be taken for its word.
    func reason() -> String? {
        let reason = string("reason", length: 1...300, required: false)
        if let reason, OrderSnapshot.reasons.contains(reason) { reject("reason", "not-own-words") }
        return reason
    }
}
