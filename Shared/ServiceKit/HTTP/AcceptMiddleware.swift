import HTTPTypes
import Hummingbird

/// Checks that client and service can read each other: a 415 for a compressed body, which no route accepts, and a 406
/// when the client accepts no form of the answer (RFC 9110, 12.5.1 and 15.5.16).
///
/// A request that changes something is checked before it runs, against JSON, the form of its answer. A read is checked
/// by the answer itself. Problems are sent in any case.
struct AcceptMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let encodings = request.headers[values: .contentEncoding].joined(separator: ",").lowercased()
        guard encodings.isEmpty || encodings == "identity" else {
            throw Problem(
                "unsupported-content-encoding", status: .unsupportedMediaType, headers: [.acceptEncoding: "identity"])
        }
        let accepted = AcceptedTypes(request.headers[values: .accept])
        let reads = request.method == .get || request.method == .head
        guard reads || accepted.includes("application/json") else { throw Problem.notAcceptable }
        let response = try await next(request, context)
        if reads, response.status == .ok, let type = response.headers[.contentType], !accepted.includes(type) {
            throw Problem.notAcceptable
        }
        return response
    }
}

/// The value of `Accept` (RFC 9110, 12.5.1). Malformed parts are ignored; without a usable part everything is accepted.
struct AcceptedTypes: Sendable, Hashable {
    private struct Range: Sendable, Hashable {
        let type: Substring
        let subtype: Substring
        let quality: Double

        /// 3 for the type itself, 2 for `type/*`, 1 for `*/*`; nil when it does not match.
        func precision(for type: Substring, _ subtype: Substring) -> Int? {
            if self.type == "*" { return 1 }
            guard self.type == type else { return nil }
            if self.subtype == "*" { return 2 }
            return self.subtype == subtype ? 3 : nil
        }
    }

    private let ranges: [Range]

    init(_ headers: [String]) {
        ranges = headers.filter(\.isASCII).joined(separator: ",").prefix(2_000).lowercased().split(separator: ",")
            .prefix(40)
            .compactMap(Self.range)
    }

    private static func range(_ text: Substring) -> Range? {
        let parts = text.split(separator: ";").map { $0.trimming(while: \.isWhitespace) }
        guard let names = parts.first?.split(separator: "/", omittingEmptySubsequences: false), names.count == 2,
            names.allSatisfy({ !$0.isEmpty })
        else { return nil }
        var quality = 1.0
        for part in parts.dropFirst() where part.hasPrefix("q=") {
            guard let value = Double(part.dropFirst(2)), (0...1).contains(value) else { return nil }
            quality = value
        }
        return Range(type: names[0], subtype: names[1], quality: quality)
    }

    /// The most precise matching range decides; one with `q=0` refuses.
    func includes(_ mediaType: String) -> Bool {
        guard !ranges.isEmpty else { return true }
        let bare = mediaType.lowercased().prefix { $0 != ";" }.trimming(while: \.isWhitespace)
        let names = bare.split(separator: "/")
        guard names.count == 2 else { return true }
        var best: (precision: Int, quality: Double)?
        for range in ranges {
            guard let precision = range.precision(for: names[0], names[1]) else { continue }
            if precision > (best?.precision ?? 0) { best = (precision, range.quality) }
        }
        return (best?.quality ?? 0) > 0
    }
}
