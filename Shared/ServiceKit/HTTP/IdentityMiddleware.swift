import Foundation
import HTTPTypes
import Hummingbird
import Messaging

/// The outermost layer: gives the request its id, trace, client address and languages, and makes them task-local, so
/// that everything below logs and publishes with them.
///
/// An inbound `X-Request-ID` of 8 to 64 letters, digits, `-`, `_` or `.` is kept; otherwise a UUID version 7 is
/// generated. A malformed `traceparent` starts a new trace. The answer has `X-Request-ID`.
struct IdentityMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    private let trustedProxies: Set<String>
    private let languages: Set<Language>

    init(trustedProxies: Set<String>, languages: Set<Language>) {
        self.trustedProxies = Set(trustedProxies.map(ClientAddress.canonical))
        self.languages = languages
    }

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.requestID = request.headers[.requestID].flatMap(Self.accepted) ?? UUID.timeOrdered().text
        context.trace = Self.trace(request.headers)
        context.clientAddress = ClientAddress.client(
            peer: context.peerAddress, forwardedFor: request.headers[values: .forwardedFor], trusted: trustedProxies)
        context.record.update {
            $0.acceptLanguage = request.headers[.acceptLanguage]
            $0.available = languages
        }
        return try await TraceContext.$current.withValue(context.trace) {
            try await TraceContext.$currentRequestID.withValue(context.requestID) {
                var response = try await next(request, context)
                response.headers[.requestID] = context.requestID
                return response
            }
        }
    }

    static func accepted(_ requestID: String) -> String? {
        guard (8...64).contains(requestID.utf8.count) else { return nil }
        let isClean = requestID.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                return true
            default: return false
            }
        }
        return isClean ? requestID : nil
    }

    /// Two `traceparent` headers count as malformed; several `tracestate` headers are one list.
    private static func trace(_ headers: HTTPFields) -> TraceContext {
        let parents = headers[values: .traceparent]
        let states = headers[values: .tracestate].joined(separator: ",")
        guard parents.count == 1, let parent = TraceContext(traceparent: parents[0], tracestate: states) else {
            return .generate()
        }
        return parent.child()
    }
}

extension HTTPField.Name {
    // These constants are valid tokens, so the initialiser cannot fail.
    static let requestID = HTTPField.Name("X-Request-ID") ?? .userAgent
    static let traceparent = HTTPField.Name("traceparent") ?? .userAgent
    static let tracestate = HTTPField.Name("tracestate") ?? .userAgent
    static let forwardedFor = HTTPField.Name("X-Forwarded-For") ?? .userAgent
    static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .userAgent
    static let idempotencyReplayed = HTTPField.Name("Idempotency-Replayed") ?? .userAgent
    static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .userAgent
    static let frameOptions = HTTPField.Name("X-Frame-Options") ?? .userAgent
}
