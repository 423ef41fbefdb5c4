import Foundation

/// Makes text of the HTML that feeds carry. Nothing of its markup stays: neither elements nor attributes nor programs.
enum FeedHTML {
    /// The bytes that are read; of what is longer only the beginning is shown anyway.
    private static let maximumBytes = 100_000

    /// Lines of text; paragraphs are apart by an empty one. Takes time in proportion to the length, whatever is in it: bytes
    /// are looked at once, where a search in a string would look for the borders of characters again and again.
    static func text(_ html: String) -> String {
        // CR and LF together are one character, which no search for the end of a line finds.
        let bytes = html.utf8.prefix(maximumBytes).filter { $0 != UInt8(ascii: "\r") }
        var text: [UInt8] = []
        var index = 0
        while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            text += bytes[index..<start]
            guard let tag = FeedTag(in: bytes, at: start) else {
                // A bracket that begins no element is one.
                text.append(UInt8(ascii: "<"))
                index = start + 1
                continue
            }
            index = tag.end
            if tag.isComment {
                index = end(of: "-->", in: bytes, from: index)
                continue
            }
            if !tag.isClosing, ["script", "style", "iframe", "object", "svg"].contains(tag.name) {
                index = end(of: "</\(tag.name)", in: bytes, from: index)
            }
            if paragraphs.contains(tag.name) { text += "\n\n".utf8 }
            if lines.contains(tag.name) { text.append(UInt8(ascii: "\n")) }
            if tag.name == "li", !tag.isClosing { text += "- ".utf8 }
            index = end(of: ">", in: bytes, from: index)
        }
        text += bytes[index...]
        return tidy(FeedXML.resolved(String(decoding: text, as: UTF8.self)))
    }

    private static let paragraphs: Set<String> = [
        "p", "div", "ul", "ol", "table", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article",
    ]
    private static let lines: Set<String> = ["br", "li", "tr"]

    /// The index behind the next such text, in letters of either case. An element that does not end takes the rest with it.
    private static func end(of text: String, in bytes: [UInt8], from start: Int) -> Int {
        let sought = Array(text.utf8)
        var index = start
        while index + sought.count <= bytes.count {
            if sought.indices.allSatisfy({ FeedTag.lowercased(bytes[index + $0]) == sought[$0] }) {
                return index + sought.count
            }
            index += 1
        }
        return bytes.count
    }

    private static func tidy(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\u{A0}" }.joined(separator: " ")
        }
        return lines.joined(separator: "\n").replacing(/\n{3,}/, with: "\n\n")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The text with its marks as they stand, see ``ContentText``: a feed's stars and brackets are no markup here.
    static func unmarked(_ text: String) -> String {
        text.replacing(/[\\*\[\]#]/) { "\\\($0.0)" }
    }
}

/// The beginning of an element, of its end, or of a comment: `<p`, `</p`, `<!--`, also `<!` and `<?`.
private struct FeedTag {
    let name: String
    let isClosing: Bool
    let isComment: Bool
    /// The index behind it.
    let end: Int

    /// Nil for a bracket that begins none of these.
    init?(in bytes: [UInt8], at start: Int) {
        var index = start + 1
        isComment = bytes[index...].starts(with: "!--".utf8)
        isClosing = index < bytes.count && bytes[index] == UInt8(ascii: "/")
        if isComment {
            index += 3
        } else if index < bytes.count, "!?/".utf8.contains(bytes[index]) {
            index += 1
        }
        let beginning = index
        while index < bytes.count, Self.isLetter(bytes[index]) || (index > beginning && Self.isDigit(bytes[index])) {
            index += 1
        }
        guard index > start + 1 else { return nil }
        name = String(decoding: bytes[beginning..<index].map(Self.lowercased), as: UTF8.self)
        end = isComment ? beginning : index
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 0x20 : byte
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased(byte))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
