import HTTPTypes

extension HTTPField.Name {
    // The names are tokens of RFC 9110, so the initializer cannot fail and the fallback is never used.
    static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .ifMatch
    static let idempotentReplayed = HTTPField.Name("Idempotent-Replayed") ?? .age
}
