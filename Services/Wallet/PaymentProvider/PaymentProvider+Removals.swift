import Foundation
import SeraiJSON

/// Removals at the payment provider.
extension PaymentProvider {
    /// - Returns: nil when the object is gone or never existed; otherwise the reason why that is not known.
    func remove(_ removal: Removal) async -> String? {
        guard Self.isPathSafe(removal.reference) else { return "no reference" }
        do {
            switch removal.kind {
            case .customer:
                return Self.failure(try await delete("/v1/customers/\(removal.reference)", limit: settings.chargeLimit))
            case .card:
                let path = "/v1/payment_methods/\(removal.reference)"
                let reply = try await post("\(path)/detach", FormBody(), key: nil, limit: settings.chargeLimit)
                // The refusal for a detached card has no distinct code, so the card is read.
                if reply.status == 400, Self.failure(reply) != nil, try await belongsToNobody(path) { return nil }
                return Self.failure(reply)
            }
        } catch {
            return "\(type(of: error))"
        }
    }

    /// Whether a card exists without a customer, so that nobody can charge it.
    private func belongsToNobody(_ path: String) async throws -> Bool {
        let reply = try await get(path, limit: settings.chargeLimit)
        // try?: an unreadable reply says nothing.
        guard reply.status == 200, let method = try? JSON.wire.decode(StripeJSON.Owned.self, reply.body)
        else {
            return false
        }
        return method.customer == nil
    }

    /// - Returns: nil when the reply says that the object is gone or never existed.
    static func failure(_ reply: Reply) -> String? {
        if reply.status == 200 { return nil }
        // try?: a reply that is none of the payment provider's errors says nothing.
        let error = try? JSON.wire.decode(StripeJSON.ErrorAnswer.self, reply.body).error
        if [400, 404].contains(reply.status), error?.code == "resource_missing" { return nil }
        return "HTTP \(reply.status)"
    }
}
