import HTTPTypes
import Hummingbird
import Locks

/// The methods of each path of the service, for requests with another method (RFC 9110, 15.5.6).
final class RouteTable: Sendable {
    private struct Route {
        let segments: [Substring]
        let method: HTTPRequest.Method
    }

    private let routes = Mutex<[Route]>([])

    /// Called once, when the service has added all routes.
    func fill(from router: Router<SeraiRequestContext>) {
        let known = router.routes.map {
            Route(segments: $0.path.description.split(separator: "/"), method: $0.method)
        }
        routes.withLock { $0 = known }
    }

    /// Nil for a path without a route.
    func methods(of path: String) -> [HTTPRequest.Method]? {
        let segments = path.split(separator: "/")
        let found = routes.withLock { routes in
            routes.filter { Self.matches($0.segments, segments) }.map(\.method)
        }
        guard !found.isEmpty else { return nil }
        var methods = Set(found)
        if methods.contains(.get) { methods.insert(.head) }
        methods.insert(.options)
        return methods.sorted { $0.rawValue < $1.rawValue }
    }

    private static func matches(_ template: [Substring], _ path: [Substring]) -> Bool {
        guard template.count == path.count else { return false }
        return zip(template, path).allSatisfy { part, text in part.hasPrefix("{") || part == text }
    }
}

/// The answer of an existing path to a method that it does not have: 405 with `Allow`; to OPTIONS 204 with the same.
struct MethodMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    let table: RouteTable

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound && context.endpointPath == "NotFound" {
            guard let methods = table.methods(of: request.uri.path) else { throw error }
            let allow = methods.map(\.rawValue).joined(separator: ", ")
            if request.method == .options { return Response(status: .noContent, headers: [.allow: allow]) }
            throw Problem("method-not-allowed", status: .methodNotAllowed, headers: [.allow: allow])
        }
    }
}
