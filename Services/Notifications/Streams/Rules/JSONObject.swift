import Foundation

/// A JSON object as its text, to which members are added without reading it: snapshots are told to both parties as they
/// came, with a few members for each.
struct JSONObject: Sendable, Equatable {
    struct Member: Sendable {
        let text: String

        static func text(_ name: String, _ value: String) -> Member {
            Member(text: "\"\(name)\":\(JSONObject.quoted(value))")
        }

        static func number(_ name: String, _ value: Int) -> Member { Member(text: "\"\(name)\":\(value)") }

        /// - Parameter json: the value's text.
        static func value(_ name: String, json: String) -> Member { Member(text: "\"\(name)\":\(json)") }
    }

    let text: String

    init(_ text: String) { self.text = text }

    /// - Parameter bytes: what an encoder made of a structure: `{…}`.
    init(encoding bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }

    /// The members come first. Names must not be in the object yet.
    func adding(_ members: [Member]) -> JSONObject {
        guard !members.isEmpty else { return self }
        let rest = text.dropFirst()
        let separator = rest == "}" ? "" : ","
        return JSONObject("{" + members.map(\.text).joined(separator: ",") + separator + rest)
    }

    /// A string of JSON (RFC 8259, 7).
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
