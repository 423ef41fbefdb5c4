import Hummingbird

/// Closes the connection after each answer while the process drains: a proxy that kept it would send the next request
/// into a connection that is being closed, and may not repeat a POST.
struct DrainingMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    let health: Health

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if health.phase == .draining { response.headers[.connection] = "close" }
        return response
    }
}
