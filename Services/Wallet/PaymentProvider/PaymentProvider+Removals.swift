/// What the payment provider shall not keep any more.
extension PaymentProvider {
    /// - Returns: nil when it is known to be gone, or never to have been there; else why it is not known.
    func remove(_ removal: Removal) async -> String? {
        guard Self.isPathSafe(removal.reference) else { return "no reference" }
        do {
            let reply: Reply
            switch removal.kind {
            case .card:
                reply = try await post(
                    "/v1/payment_methods/\(removal.reference)/detach", FormBody(), key: nil,
                    limit: settings.chargeLimit)
            case .customer:
                reply = try await delete("/v1/customers/\(removal.reference)", limit: settings.chargeLimit)
            }
            switch reply.status {
            // A card that belongs to nobody is a 400; what is not there is a 404.
            case 200, 400, 404: return nil
            default: return "HTTP \(reply.status)"
            }
        } catch {
            return "\(type(of: error))"
        }
    }
}
