import Foundation
public import Hummingbird
import Logging

/// Makes every POST below it idempotent with rows of its own; see ``IdempotencyStore`` for when to prefer its
/// ``IdempotencyStore/answer(_:isolation:_:)``. Other methods pass.
public struct IdempotencyMiddleware<Context: ServiceRequestContext>: RouterMiddleware {
    private let store: IdempotencyStore
    private let secretFields: Set<String>

    /// - Parameter secretFields: names of JSON members that do not count as input, besides the common ones.
    public init(_ store: IdempotencyStore, secretFields: Set<String> = []) {
        self.store = store
        self.secretFields = secretFields
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.method == .post else { return try await next(request, context) }
        let request = try await IdempotentRequest(request, context: context, secretFields: secretFields)
        let lease: UUID
        switch try await store.claim(request) {
        case .replay(let answer): return answer.response
        case .run(let mine): lease = mine
        }
        do {
            let response = try await next(request.request, context)
            let (stored, sendable) = try await StoredAnswer.taking(response)
            await close(request, lease, stored.flatMap { StoredAnswer.isKept(sendable.status) ? $0 : nil }, context)
            return sendable
        } catch {
            // An error has no words yet: those are chosen further out. The key is free again, and a repetition
            // meets the same error.
            await close(request, lease, nil, context)
            throw error
        }
    }

    /// Writes the answer or gives the key back, even when the request itself was cancelled: in a task of its own.
    private func close(
        _ request: IdempotentRequest, _ lease: UUID, _ answer: StoredAnswer?, _ context: Context
    ) async {
        let logger = context.logger
        await Task { [store] in
            do {
                guard let answer else { return try await store.release(request, lease: lease) }
                if !(try await store.finish(request, lease: lease, answer: answer)) {
                    logger.error("idempotency lease lost: the request took longer than its lease")
                }
            } catch {
                // The answer stands, and the lease ends by itself.
                logger.error("idempotency key not closed", metadata: [LogKeys.error: "\(error)"])
            }
        }.value
    }
}
