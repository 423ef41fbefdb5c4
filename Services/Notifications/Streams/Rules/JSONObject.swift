import Foundation

/// The text of a JSON object, to which members can be added without parsing: both parties get the snapshot as it came,
/// with some members of their own.
struct JSONObject: Sendable, Equatable {
    struct Member: Sendable {
        let text: String

        static func text(_ name: String, _ value: String) -> Member {
            Member(text: "\"\(name)\":\(JSONObject.quoted(value))")
        }

        static func number(_ name: String, _ value: Int) -> Member { Member(text: "\"\(name)\":\(value)") }

        /// - Parameter json: the value's JSON text.
        static func value(_ name: String, json: String) -> Member { Member(text: "\"\(name)\":\(json)") }
    }

    let text: String

    init(_ text: String) { self.text = text }

    /// - Parameter bytes: an encoded structure: `{…}`.
    init(encoding bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }

    /// Adds members at the front. Their names must not exist in the object.
    func adding(_ members: [Member]) -> JSONObject {
        guard !members.isEmpty else { return self }
        let rest = text.dropFirst()
        let separator = rest == "}" ? "" : ","
        return JSONObject("{" + members.map(\.text).joined(separator: ",") + separator + rest)
    }

    /// A JSON string (RFC 8259, 7).
    static func quoted(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
