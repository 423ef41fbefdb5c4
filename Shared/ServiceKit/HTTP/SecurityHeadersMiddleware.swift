import HTTPTypes
import Hummingbird

/// Headers that restrict what browsers do with an API's answers. A route's own value stays.
struct SecurityHeadersMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for (name, value) in Self.headers where response.headers[name] == nil { response.headers[name] = value }
        return response
    }

    static let headers: [(HTTPField.Name, String)] = [
        (.xContentTypeOptions, "nosniff"),
        (.referrerPolicy, "no-referrer"),
        (.frameOptions, "DENY"),
        (.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'"),
        (.strictTransportSecurity, "max-age=63072000; includeSubDomains"),
        (.cacheControl, "no-store"),
    ]
}
