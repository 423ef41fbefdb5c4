/// The text of a JSON object, to which members are added without reading it.
///
/// ```swift
/// let text = JSONObject(stored).adding([.text("role", "customer"), .number("metresLeft", 120)]).text
/// ```
public struct JSONObject: Sendable, Equatable {
    /// A member's name and value.
    public struct Member: Sendable {
        let text: String

        public static func text(_ name: String, _ value: String) -> Member { Member(name, quoted(value)) }

        public static func number(_ name: String, _ value: Int) -> Member { Member(name, String(value)) }

        /// In the form of ``JSON/wire``.
        ///
        /// - Throws: `EncodingError`
        public static func value(_ name: String, _ value: some Encodable) throws -> Member {
            Member(name, try JSON.wire.text(value))
        }

        private init(_ name: String, _ value: String) { text = "\(Self.quoted(name)):\(value)" }

        private static func quoted(_ text: String) -> String {
            var bytes: [UInt8] = []
            JSONText.append(text, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    public let text: String

    /// - Parameter text: of a whole object: `{…}`.
    public init(_ text: String) { self.text = text }

    /// Adds members at the front. The object must not have members of their names.
    public func adding(_ members: [Member]) -> JSONObject {
        guard !members.isEmpty else { return self }
        let rest = text.dropFirst()
        let separator = rest == "}" ? "" : ","
        return JSONObject("{" + members.map(\.text).joined(separator: ",") + separator + rest)
    }
}
