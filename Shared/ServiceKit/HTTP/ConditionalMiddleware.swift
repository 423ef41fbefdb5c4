import HTTPTypes
import Hummingbird

/// Answers 304 without a body when the client already has the answer (RFC 9110, 13.1.2), for every route whose answer
/// has an `ETag`.
struct ConditionalMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        guard request.method == .get || request.method == .head, response.status == .ok,
            let tag = response.headers[.eTag],
            EntityTags(request.headers[values: .ifNoneMatch]).contains(tag)
        else { return response }
        var headers = response.headers
        for name in [HTTPField.Name.contentType, .contentLength, .contentDisposition] { headers[name] = nil }
        return Response(status: .notModified, headers: headers)
    }
}

/// A list of entity tags as in `If-None-Match`: `"a", W/"b"`, or `*`. Compared weakly (RFC 9110, 8.8.3.2).
struct EntityTags: Sendable, Hashable {
    private let isAny: Bool
    private let tags: Set<Substring>

    init(_ headers: [String]) {
        let text = headers.filter(\.isASCII).joined(separator: ",").prefix(8_000)
        isAny = text.trimming(while: \.isWhitespace) == "*"
        var tags: Set<Substring> = []
        var rest = text
        // A tag may contain a comma, so it is read from quote to quote.
        while let start = rest.firstIndex(of: "\"") {
            let inner = rest[rest.index(after: start)...]
            guard let end = inner.firstIndex(of: "\"") else { break }
            tags.insert(Self.uncompressed(inner[..<end]))
            rest = inner[inner.index(after: end)...]
        }
        self.tags = tags
    }

    /// Removes the coding that a compressing proxy appends to the tag; the content is the same.
    private static func uncompressed(_ tag: Substring) -> Substring {
        for coding in ["-gzip", "-zstd", "-br"] where tag.hasSuffix(coding) { return tag.dropLast(coding.count) }
        return tag
    }

    func contains(_ tag: String) -> Bool {
        if isAny { return true }
        let opaque = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
        guard opaque.count >= 2, opaque.hasPrefix("\""), opaque.hasSuffix("\"") else { return false }
        return tags.contains(opaque.dropFirst().dropLast())
    }
}
