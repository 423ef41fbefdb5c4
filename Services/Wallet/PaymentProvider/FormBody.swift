import Foundation

/// An `application/x-www-form-urlencoded` body as Stripe reads it: `card[number]=…`.
struct FormBody: Sendable {
    private var fields: [(name: String, value: String)] = []

    init(_ fields: KeyValuePairs<String, String> = [:]) {
        self.fields = fields.map { ($0.key, $0.value) }
    }

    mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }

    var text: String {
        fields.map { "\(Self.escape($0.name))=\(Self.escape($0.value))" }.joined(separator: "&")
    }

    /// Escapes everything except RFC 3986's unreserved characters.
    private static func escape(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default: escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return escaped
    }
}
