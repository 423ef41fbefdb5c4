public import Hummingbird
import HTTPTypes
import Logging
import Messaging

/// Reads `Authorization: Bearer …`. Without the header the request continues without a caller. So it does with a refused
/// token, which is nobody's: an app that attaches its token to every request can still refresh it, log in, and read what
/// needs no caller. A route that needs a caller then answers 401 with the reason of the refusal.
public struct AuthenticationMiddleware: RouterMiddleware {
    public typealias Context = SeraiRequestContext

    private let verifier: TokenVerifier

    public init(verifier: TokenVerifier) {
        self.verifier = verifier
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let values = request.headers[values: .authorization]
        guard !values.isEmpty else { return try await next(request, context) }
        var context = context
        guard values.count == 1, let token = Self.bearer(values[0]) else {
            context.tokenRefusal = .invalidToken
            return try await next(request, context)
        }
        var caller: Caller
        do {
            caller = try await verifier.verify(token)
        } catch {
            context.logger.debug("token refused", metadata: ["refusal": "\(error)"])
            // The client then refreshes, and learns there that the session has ended.
            context.tokenRefusal = error == .expired || error == .sessionEnded ? .tokenExpired : .invalidToken
            return try await next(request, context)
        }
        // An API key does what its scopes say, in every service, and nothing else.
        if let scopes = caller.scopes, !KeyScope.allows(scopes, request.method, request.uri.path) {
            throw Problem.outsideKeyScope
        }
        caller.isReading = request.method == .get || request.method == .head
        context.caller = caller
        context.logger[metadataKey: LogKeys.accountID] = "\(caller.accountID.text)"
        context.record.update {
            $0.accountID = caller.accountID
            $0.accountLanguage = caller.language
        }
        return try await next(request, context)
    }

    private static func bearer(_ value: String) -> String? {
        // Compares bytes: the token is most of the request, and finding characters follows Unicode's rules.
        let parts = value.utf8.split(separator: UInt8(ascii: " "))
        guard parts.count == 2, parts[0].elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 }) else { return nil }
        return String(parts[1])
    }
}
