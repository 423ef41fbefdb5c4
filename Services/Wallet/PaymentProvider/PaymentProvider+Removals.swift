import Foundation

/// What the payment provider shall not keep any more.
extension PaymentProvider {
    /// - Returns: nil when it is known to be gone, or never to have been there; else why it is not known.
    func remove(_ removal: Removal) async -> String? {
        guard Self.isPathSafe(removal.reference) else { return "no reference" }
        do {
            switch removal.kind {
            case .customer:
                return Self.failure(try await delete("/v1/customers/\(removal.reference)", limit: settings.chargeLimit))
            case .card:
                let path = "/v1/payment_methods/\(removal.reference)"
                let reply = try await post("\(path)/detach", FormBody(), key: nil, limit: settings.chargeLimit)
                // One that belongs to nobody any more is refused in words alone.
                if reply.status == 400, Self.failure(reply) != nil, try await belongsToNobody(path) { return nil }
                return Self.failure(reply)
            }
        } catch {
            return "\(type(of: error))"
        }
    }

    /// Whether a card is still known and has no customer: then nobody can charge it.
    private func belongsToNobody(_ path: String) async throws -> Bool {
        let reply = try await get(path, limit: settings.chargeLimit)
        // try?: what cannot be read says nothing.
        guard reply.status == 200, let method = try? JSONDecoder().decode(StripeJSON.Owned.self, from: reply.body)
        else {
            return false
        }
        return method.customer == nil
    }

    /// - Returns: nil when the answer says that it is gone, or never was there.
    static func failure(_ reply: Reply) -> String? {
        if reply.status == 200 { return nil }
        // try?: an answer that is none of the payment provider's errors says nothing.
        let error = try? JSONDecoder().decode(StripeJSON.ErrorAnswer.self, from: reply.body).error
        if [400, 404].contains(reply.status), error?.code == "resource_missing" { return nil }
        return "HTTP \(reply.status)"
    }
}
