import HTTPTypes
import Hummingbird

/// Refuses an address with text that the database would refuse or that cannot be read: control characters such as
/// `%00`, and bytes that are not UTF-8. It runs before any route, so no route can forget the check. Also refused are an
/// address that is too long (414) and a head with more than any of our clients sends (431).
struct AddressTextMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    /// Bytes of path and query (RFC 9112, section 3 recommends at least 8000).
    static let maximumTargetBytes = 8_192
    /// Bytes of one field, and of all fields.
    static let maximumFieldBytes = 16_384
    static let maximumFieldsBytes = 32_768
    static let maximumFields = 200

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        try checkLengths(request)
        let path = request.uri.path
        // An empty part is no id, and the router would skip it: `/orders//accept` is not `/orders/accept`.
        guard !path.contains("//") else { throw Problem.notFound }
        if path.utf8.contains(UInt8(ascii: "%")) {
            guard let text = QueryParameters.decoded(path[...], plusIsSpace: false), !QueryParameters.hasControls(text)
            else { throw Problem.notFound }
        }
        if let query = request.uri.query, query.utf8.contains(UInt8(ascii: "%")),
            let (name, isText) = QueryParameters(query: query).unreadable
        {
            let code = isText ? "control-characters" : "invalid-value"
            throw Problem(
                "invalid-query", status: .badRequest, fields: [FieldProblem(JSONPointer([name]), code)])
        }
        return try await next(request, context)
    }

    private func checkLengths(_ request: Request) throws(Problem) {
        guard request.uri.string.utf8.count <= Self.maximumTargetBytes else {
            throw Problem("uri-too-long", status: .uriTooLong, arguments: ["limit": "8 kB"])
        }
        guard request.headers.count <= Self.maximumFields else {
            throw Problem("headers-too-large", status: .requestHeaderFieldsTooLarge)
        }
        var all = 0
        for field in request.headers {
            let bytes = field.value.utf8.count
            all += field.name.rawName.utf8.count + bytes
            guard bytes <= Self.maximumFieldBytes, all <= Self.maximumFieldsBytes else {
                throw Problem("headers-too-large", status: .requestHeaderFieldsTooLarge)
            }
        }
    }
}

extension Request {
    /// The same request with unescaped letters, digits, `-`, `.`, `_` and `~` in its path: `%61` is `a` (RFC 3986,
    /// 6.2.2.2). Other escapes stay, in particular `%2F`, and a path with a `%` that is none stays as a whole: what follows it
    /// could become one, `%%36f` the letter o.
    var withPlainPath: Request {
        guard let target = head.path, target.utf8.contains(UInt8(ascii: "%")) else { return self }
        let path = target.prefix { $0 != "?" }
        let plain = Self.withoutNeedlessEscapes(path)
        guard plain != path else { return self }
        var head = head
        head.path = plain + target[path.endIndex...]
        return Request(head: head, body: body)
    }

    private static func withoutNeedlessEscapes(_ path: Substring) -> String {
        var plain: [UInt8] = []
        var left = Array(path.utf8)[...]
        while let byte = left.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                plain.append(byte)
                continue
            }
            guard let escaped = QueryParameters.escaped(left) else { return String(path) }
            if isUnreserved(escaped) {
                plain.append(escaped)
                left = left.dropFirst(2)
            } else {
                plain.append(byte)
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
