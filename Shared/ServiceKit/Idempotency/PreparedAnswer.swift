public import Hummingbird
public import Postgres

extension IdempotencyStore {
    /// As ``answer(_:asksFirst:_:)``, for what needs time before its transaction: a word of the outside world, a
    /// password's hash. `prepare` runs with no transaction open, and not at all when the request was answered before. It may
    /// run again with a repeated request that was not answered, so it has no effect that counts.
    public func answer<Preparation>(
        _ request: IdempotentRequest, prepare: () async throws -> Preparation,
        _ body: (PostgresTransaction, Preparation) async throws -> Response
    ) async throws -> Response {
        if let known = try await known(request) { return known }
        let preparation = try await prepare()
        return try await answer(request) { transaction in try await body(transaction, preparation) }
    }
}
