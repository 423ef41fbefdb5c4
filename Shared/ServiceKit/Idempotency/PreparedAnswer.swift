public import Hummingbird
public import Postgres

extension IdempotencyStore {
    /// As ``answer(_:asksFirst:_:)``, for work that takes time before the transaction: a call to another system, the
    /// hash of a password. `prepare` runs without an open transaction, and not at all for a request that was answered
    /// before. It may run again for a repeated request without a stored answer, so it must have no lasting effect.
    public func answer<Preparation>(
        _ request: IdempotentRequest, prepare: () async throws -> Preparation,
        _ body: (PostgresTransaction, Preparation) async throws -> Response
    ) async throws -> Response {
        if let known = try await known(request) { return known }
        let preparation = try await prepare()
        return try await answer(request) { transaction in try await body(transaction, preparation) }
    }
}
