/// A language by its primary subtag (RFC 5646): `en`, `ar`.
public struct Language: Sendable, Hashable, RawRepresentable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue.lowercased()
    }

    public static let english = Language(rawValue: "en")
    public static let arabic = Language(rawValue: "ar")

    public var description: String { rawValue }

    /// Chooses among the languages that there are.
    ///
    /// - Parameters:
    ///   - acceptLanguage: the header (RFC 9110, 12.5.4); malformed parts of it are ignored.
    ///   - preferred: the account's language, for when the header names none that there is.
    /// - Returns: the header's best, else the account's, else English.
    public static func negotiate(
        acceptLanguage: String?, preferred: Language?, available: Set<Language>
    ) -> Language {
        if let best = acceptLanguage.flatMap({ bestMatch($0, available: available, preferred: preferred) }) {
            return best
        }
        if let preferred, available.contains(preferred) { return preferred }
        return .english
    }

    private static func bestMatch(_ header: String, available: Set<Language>, preferred: Language?) -> Language? {
        var best: (language: Language, quality: Double)?
        for (tag, quality) in ranges(header) where quality > (best?.quality ?? 0) {
            if tag == "*" {
                // Any will do: the account's own, else the default.
                let any = preferred.flatMap { available.contains($0) ? $0 : nil } ?? .english
                best = (any, quality)
            } else if let primary = tag.split(separator: "-").first {
                let language = Language(rawValue: String(primary))
                if available.contains(language) { best = (language, quality) }
            }
        }
        return best?.language
    }

    /// At most 20 ranges are read: no browser sends more, and a hostile header must not cost time.
    private static func ranges(_ header: String) -> [(tag: String, quality: Double)] {
        header.prefix(500).split(separator: ",").prefix(20).compactMap { part in
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

extension Substring {
    func trimming(while isDropped: (Character) -> Bool) -> Substring {
        var result = drop(while: isDropped)
        while let last = result.last, isDropped(last) { result = result.dropLast() }
        return result
    }
}
