public import HTTPTypes

/// The value of an `Idempotency-Key` header (draft-ietf-httpapi-idempotency-key-header): 8 to 128 visible ASCII
/// characters. The draft's quoted form and the common bare form are accepted.
public struct IdempotencyKey: Sendable, Equatable {
    public static let characters = 8...128

    let value: String

    /// - Throws: a 400 ``Problem`` for no key, several keys, or an invalid key.
    public init(_ headers: HTTPFields) throws(Problem) {
        let values = headers[values: .idempotencyKey]
        guard let first = values.first else { throw Problem("idempotency-key-missing", status: .badRequest) }
        guard values.count == 1, let key = Self.parse(first) else {
            throw Problem(
                "idempotency-key-invalid", status: .badRequest,
                arguments: [
                    "minimum": String(Self.characters.lowerBound), "maximum": String(Self.characters.upperBound),
                ])
        }
        value = key
    }

    /// An sf-string (RFC 8941, 3.3.3), or bare characters without quotes.
    static func parse(_ header: String) -> String? {
        var text = header[...].trimming(while: \.isWhitespace)
        if text.hasPrefix("\"") {
            guard text.count >= 2, text.hasSuffix("\"") else { return nil }
            text = text.dropFirst().dropLast()
        }
        let isVisible = text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }
        return isVisible && characters.contains(text.utf8.count) ? String(text) : nil
    }
}
