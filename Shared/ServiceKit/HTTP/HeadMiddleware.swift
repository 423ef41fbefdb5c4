import HTTPTypes
import Hummingbird

/// Takes a length that is not true from what HEAD answers: for a body that is written as it comes the router says 0, where
/// GET says none (RFC 9110, 8.6).
struct HeadMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if request.method == .head, response.headers[.contentLength] == "0", response.headers[.contentType] != nil {
            response.headers[.contentLength] = nil
        }
        return response
    }
}
