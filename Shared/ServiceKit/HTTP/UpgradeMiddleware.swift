import HTTPTypes
import Hummingbird

/// Closes the connection after a request that asks for another protocol: a CONNECT, or one with `Connection: Upgrade` and
/// `Upgrade`. The parser takes all bytes after such a request for the other protocol (RFC 9110, 7.8 and 9.3.6) and reads
/// no further request, so that one that a proxy sent on this connection would never be answered.
struct UpgradeMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard request.endsParsing else { return response }
        context.closeSoon()
        response.headers[.connection] = "close"
        return response
    }
}

extension Request {
    /// As llhttp decides: by the method, or by the two headers, whatever protocol is named.
    fileprivate var endsParsing: Bool { method == .connect || headers[.upgrade] != nil }
}
