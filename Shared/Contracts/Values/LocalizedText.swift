/// A text in several languages, by the language's code (`en`, `ar`).
public struct LocalizedText: Codable, Hashable, Sendable, ExpressibleByDictionaryLiteral {
    public var texts: [String: String]

    public init(_ texts: [String: String]) { self.texts = texts }

    public init(dictionaryLiteral elements: (String, String)...) {
        texts = Dictionary(elements, uniquingKeysWith: { _, last in last })
    }

    public init(from decoder: any Decoder) throws {
        texts = try decoder.singleValueContainer().decode([String: String].self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(texts)
    }

    /// The text in the language; else in English; else in the first language by code; else empty.
    public func text(in language: String) -> String {
        texts[language] ?? texts["en"] ?? texts.min { $0.key < $1.key }?.value ?? ""
    }
}
