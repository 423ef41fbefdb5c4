import Foundation

/// Makes text of the HTML that feeds carry. Nothing of its markup stays: neither elements nor attributes nor programs.
enum FeedHTML {
    /// The characters that are read; of what is longer only the beginning is shown anyway.
    private static let maximumLength = 50_000

    /// Lines of text; paragraphs are apart by an empty one.
    static func text(_ html: String) -> String {
        var rest = html.prefix(maximumLength)
        var text = ""
        while let start = rest.firstIndex(of: "<") {
            text += rest[..<start]
            rest = rest[start...]
            guard let match = rest.prefixMatch(of: /<(?:!--|[!?\/]?)([A-Za-z][A-Za-z0-9]*)?/), match.0.count > 1 else {
                // A bracket that begins no element is one.
                text += "<"
                rest = rest.dropFirst()
                continue
            }
            let name = match.1.map { $0.lowercased() } ?? ""
            if match.0.hasPrefix("<!--") {
                rest = after("-->", in: rest)
                continue
            }
            if !match.0.hasPrefix("</"), ["script", "style", "iframe", "object", "svg"].contains(name) {
                rest = after("</\(name)", in: rest)
            }
            if paragraphs.contains(name) { text += "\n\n" }
            if lines.contains(name) { text += "\n" }
            if name == "li", !match.0.hasPrefix("</") { text += "- " }
            rest = rest.firstIndex(of: ">").map { rest[rest.index(after: $0)...] } ?? ""
        }
        text += rest
        return tidy(FeedXML.resolved(text))
    }

    private static let paragraphs: Set<String> = [
        "p", "div", "ul", "ol", "table", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article",
    ]
    private static let lines: Set<String> = ["br", "li", "tr"]

    private static func after(_ end: String, in text: Substring) -> Substring {
        // An element that does not end takes the rest with it.
        guard let found = text.range(of: end, options: .caseInsensitive) else { return "" }
        return text[found.upperBound...]
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
