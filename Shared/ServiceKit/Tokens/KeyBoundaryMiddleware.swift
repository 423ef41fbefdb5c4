public import Foundation
import Hummingbird

/// Whether a thing belongs to an account as a customer of a market.
public typealias KeyOwner = @Sendable (_ id: UUID, _ account: UUID, _ market: String) async throws -> Bool

/// Keeps API keys within their market (X9, Q7): what a path names must be a thing of the key's account as a customer of the
/// key's market, else it is a 404, in whatever route. A kind of things without an owner's check is nobody's.
///
/// Collections name nothing; their routes ask ``Caller/keyMarket``.
struct KeyBoundaryMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    let owners: [KeySubject.Kind: KeyOwner]

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let caller = context.caller, let market = caller.keyMarket else {
            return try await next(request, context)
        }
        switch KeyArea.subject(of: request.uri.path) {
        case .collection?: break
        case .market(let named)?: guard named == market else { throw Problem.notFound }
        case .thing(let kind, let id)?:
            guard let isOwn = owners[kind], try await isOwn(id, caller.accountID, market) else {
                throw Problem.notFound
            }
        case nil: throw Problem.outsideKeyScope
        }
        return try await next(request, context)
    }
}
