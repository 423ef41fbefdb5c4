import HTTPTypes

extension HTTPField.Name {
    // The names are tokens of RFC 9110, so the initializer cannot fail and the fallback is never used.
    static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .ifMatch
    static let stripeVersion = HTTPField.Name("Stripe-Version") ?? .accept
    static let idempotentReplayed = HTTPField.Name("Idempotent-Replayed") ?? .age
    /// The headers of Standard Webhooks.
    static let webhookID = HTTPField.Name("webhook-id") ?? .ifMatch
    static let webhookTimestamp = HTTPField.Name("webhook-timestamp") ?? .age
    static let webhookSignature = HTTPField.Name("webhook-signature") ?? .vary
}
