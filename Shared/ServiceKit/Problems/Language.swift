/// A language by its primary subtag (RFC 5646): `en`, `ar`.
public struct Language: Sendable, Hashable, RawRepresentable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue.lowercased()
    }

    public static let english = Language(rawValue: "en")
    public static let arabic = Language(rawValue: "ar")

    public var description: String { rawValue }

    /// Chooses among the available languages.
    ///
    /// - Parameters:
    ///   - acceptLanguage: the header (RFC 9110, 12.5.4); malformed parts are ignored.
    ///   - preferred: the account's language, used when the header names no available one.
    /// - Returns: the header's best, else the account's, else English.
    public static func negotiate(
        acceptLanguage: String?, preferred: Language?, available: Set<Language>
    ) -> Language {
        let ranges = acceptLanguage.map(ranges) ?? []
        // Among equals the account's own language comes first, then the order of the header.
        var best: (language: Language, quality: Double, place: Int)?
        for language in available.sorted(by: { $0.rawValue < $1.rawValue }) {
            guard let (quality, place) = rank(language, in: ranges, preferred: preferred), quality > 0 else { continue }
            let isBetter = best.map { quality > $0.quality || (quality == $0.quality && place < $0.place) } ?? true
            if isBetter { best = (language, quality, place) }
        }
        if let best { return best.language }
        // Languages that the header refuses by `q=0` are used only when there is no other.
        let refused = available.filter { rank($0, in: ranges, preferred: nil)?.quality == 0 }
        let left = available.subtracting(refused).isEmpty ? available : available.subtracting(refused)
        if let preferred, left.contains(preferred) { return preferred }
        return left.contains(.english) ? .english : left.min { $0.rawValue < $1.rawValue } ?? .english
    }

    /// The header's quality for a language, and its position. A range that names the language goes before `*`, which
    /// matches any: the account's language first, else English.
    private static func rank(
        _ language: Language, in ranges: [(tag: String, quality: Double)], preferred: Language?
    ) -> (quality: Double, place: Int)? {
        let named = ranges.enumerated().filter { _, range in
            range.tag.split(separator: "-").first.map(String.init) == language.rawValue
        }
        if let best = named.max(by: { $0.element.quality < $1.element.quality }) {
            return (best.element.quality, 2 * best.offset)
        }
        guard let any = ranges.enumerated().first(where: { $0.element.tag == "*" }) else { return nil }
        let isOwn = language == (preferred ?? .english)
        return (any.element.quality, 2 * any.offset + (isOwn ? 0 : 1))
    }

    /// At most 20 ranges are read: no browser sends more, and a hostile header must not cost time.
    private static func ranges(_ header: String) -> [(tag: String, quality: Double)] {
        guard header.isASCII else { return [] }
        return header.prefix(500).split(separator: ",").prefix(20).compactMap { part in
            let pieces = part.split(separator: ";").map { $0.trimming(while: \.isWhitespace) }
            guard let tag = pieces.first, !tag.isEmpty else { return nil }
            var quality = 1.0
            for parameter in pieces.dropFirst() where parameter.lowercased().hasPrefix("q=") {
                guard let value = Double(parameter.dropFirst(2)), (0...1).contains(value) else { return nil }
                quality = value
            }
            return (tag.lowercased(), quality)
        }
    }
}

extension String {
    /// Of a header that has nothing else to say: letters of any other script are compared with their accents in order, and a
    /// header may be full of accents.
    var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

extension Substring {
    func trimming(while isDropped: (Character) -> Bool) -> Substring {
        var result = drop(while: isDropped)
        while let last = result.last, isDropped(last) { result = result.dropLast() }
        return result
    }
}
