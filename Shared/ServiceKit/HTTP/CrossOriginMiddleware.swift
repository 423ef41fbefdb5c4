import HTTPTypes
import Hummingbird

/// Lets pages of the configured origins call the service (the Fetch standard's CORS protocol). Without origins, the
/// default, no header is added and browsers refuse.
///
/// Credentials are not allowed: a page sends its access token in a header.
struct CrossOriginMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    /// In the form of browsers: `https://app.example.org`.
    let origins: Set<String>

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard !origins.isEmpty else { return try await next(request, context) }
        guard let origin = request.headers[.origin], origins.contains(origin) else {
            var response = try await next(request, context)
            response.headers.append(HTTPField(name: .vary, value: "Origin"))
            return response
        }
        if request.method == .options, request.headers[.accessControlRequestMethod] != nil {
            return Response(
                status: .noContent,
                headers: [
                    .accessControlAllowOrigin: origin,
                    .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
                    .accessControlAllowHeaders: Self.requestHeaders, .accessControlMaxAge: "7200", .vary: "Origin",
                ])
        }
        var response = try await next(request, context)
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = Self.answerHeaders
        response.headers.append(HTTPField(name: .vary, value: "Origin"))
        return response
    }

    static let requestHeaders =
        "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
        + "Serai-Device, X-Request-ID"
    static let answerHeaders =
        "Content-Disposition, Content-Language, ETag, Idempotency-Replayed, Location, Retry-After, X-Request-ID"
}
