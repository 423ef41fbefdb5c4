import HTTPTypes
import Hummingbird

/// Answers `100 Continue` to a request that waits for it before sending its body, when all checks have passed (RFC
/// 9110, 10.1.1). Every other expectation is a 417.
struct ExpectMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        if request.headers[.expect] != nil {
            guard request.expectsContinue else {
                throw Problem("expectation-failed", status: .expectationFailed)
            }
            if request.hasBody {
                context.record.update { $0.isContinued = true }
                context.sendContinue()
            }
        }
        return try await next(request, context)
    }
}

/// Closes the connection of a client that was answered while it waited for `100 Continue`: it is unknown whether the
/// body still comes, and so where the next request begins.
struct UnreadBodyMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard request.expectsContinue, request.hasBody, !context.record.current.isContinued else { return response }
        context.closeSoon()
        response.headers[.connection] = "close"
        return response
    }
}

extension Request {
    fileprivate var expectsContinue: Bool { headers[.expect]?.lowercased() == "100-continue" }

    fileprivate var hasBody: Bool {
        headers[.transferEncoding] != nil || headers[.contentLength].map { $0 != "0" } ?? false
    }
}
