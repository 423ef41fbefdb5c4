import HTTPTypes
import Hummingbird

/// Answers a request that waits for a word before it sends its body with `100 Continue`, once nothing speaks against it
/// (RFC 9110, 10.1.1). Every other expectation is a 417.
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

/// Ends the connection of a client that was answered while it waited for that word: whether its body comes yet nobody can
/// tell, and so not where its next request begins.
struct UnheardBodyMiddleware: RouterMiddleware {
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
