import Foundation

/// A piece of a line with one look. Readers show its text as text; there is no markup in it.
struct ContentSpan: Encodable, Hashable, Sendable {
    var text: String
    var strong: Bool?
    var emphasis: Bool?
    /// An address that ``ContentLink/isSafe(_:)`` accepts.
    var link: String?
}

/// A part of a text: a paragraph and a heading have one line, a list has one for each item.
struct ContentBlock: Encodable, Hashable, Sendable {
    enum Kind: String, Encodable, Sendable { case heading, paragraph, list, numbered }

    let kind: Kind
    var lines: [[ContentSpan]]
}

/// Reads a small part of Markdown: `# heading`, `- item`, `1. item`, `**strong**`, `*emphasis*`, `[text](address)`,
/// and a backslash before a mark that is meant as it stands. Everything else is text: HTML, too, which no reader ever
/// sees as HTML.
enum ContentText {
    static func blocks(_ text: String) -> [ContentBlock] {
        var blocks: [ContentBlock] = []
        var isParagraphOpen = false
        for raw in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = raw.drop(while: \.isWhitespace)
            guard !line.isEmpty else {
                isParagraphOpen = false
                continue
            }
            let (kind, rest) = kind(of: line)
            let spans = spans(rest)
            if kind == .paragraph, isParagraphOpen, let last = blocks.indices.last {
                blocks[last].lines[0] += [ContentSpan(text: " ")] + spans
            } else if kind == .list || kind == .numbered, let last = blocks.indices.last, blocks[last].kind == kind {
                blocks[last].lines.append(spans)
            } else {
                blocks.append(ContentBlock(kind: kind, lines: [spans]))
            }
            isParagraphOpen = kind == .paragraph
        }
        return blocks
    }

    /// The text without marks, line by line, for readers who show no parts.
    static func plain(_ text: String) -> String {
        blocks(text).map { block in
            block.lines.enumerated().map { index, spans in
                let line = spans.map(plain).joined()
                return switch block.kind {
                case .list: "• \(line)"
                case .numbered: "\(index + 1). \(line)"
                case .heading, .paragraph: line
                }
            }.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// The beginning of a text, in one line.
    static func summary(_ text: String) -> String {
        let lines = blocks(text).filter { $0.kind != .heading }.flatMap(\.lines)
        let line = lines.map { $0.map(\.text).joined() }.joined(separator: " ")
        return line.count > 160 ? line.prefix(159) + "…" : line
    }

    private static func plain(_ span: ContentSpan) -> String {
        guard let link = span.link, link.hasPrefix("https:") else { return span.text }
        return "\(span.text) (\(link))"
    }

    /// The addresses of links that readers would not get.
    static func refusedLinks(_ text: String) -> [String] {
        text.matches(of: /\]\(([^()\n]*)\)/).map { String($0.1) }.filter { !ContentLink.isSafe($0) }
    }

    private static func kind(of line: Substring) -> (ContentBlock.Kind, Substring) {
        let signs = line.prefix { $0 == "#" }
        if (1...3).contains(signs.count), let rest = afterSpaces(line[signs.endIndex...]) { return (.heading, rest) }
        if let first = line.first, "-*".contains(first), let rest = afterSpaces(line.dropFirst()) {
            return (.list, rest)
        }
        let digits = line.prefix { ("0"..."9").contains($0) }
        let end = line[digits.endIndex...]
        if (1...3).contains(digits.count), let sign = end.first, ".)".contains(sign),
            let rest = afterSpaces(end.dropFirst())
        {
            return (.numbered, rest)
        }
        return (.paragraph, line)
    }

    /// The text after one space or more; nil where it begins with none.
    private static func afterSpaces(_ text: Substring) -> Substring? {
        text.first == " " ? text.drop { $0 == " " } : nil
    }

    /// `[text](address)` at the beginning, and what follows it. By hand: a regular expression is compiled at each use, which a
    /// text of brackets alone would make felt.
    private static func link(_ rest: Substring) -> (text: Substring, address: String, after: Substring)? {
        let inner = rest.dropFirst()
        guard let end = inner.firstIndex(where: { $0 == "[" || $0 == "]" }), inner[end] == "]", end > inner.startIndex
        else { return nil }
        let target = inner[end...].dropFirst()
        guard target.first == "(" else { return nil }
        let address = target.dropFirst()
        guard let close = address.firstIndex(where: { $0 == "(" || $0 == ")" }), address[close] == ")" else {
            return nil
        }
        let link = String(address[..<close])
        return ContentLink.isSafe(link) ? (inner[..<end], link, address[close...].dropFirst()) : nil
    }

    private static func spans(_ line: Substring) -> [ContentSpan] {
        var spans: [ContentSpan] = []
        var text = ""
        var (isStrong, isEmphasis) = (false, false)
        func end(link: String? = nil) {
            if !text.isEmpty {
                spans.append(
                    ContentSpan(
                        text: text, strong: isStrong ? true : nil, emphasis: isEmphasis ? true : nil, link: link))
            }
            text = ""
        }
        var rest = line
        while let first = rest.first {
            if first == "\\", let next = rest.dropFirst().first, "\\*[]#-".contains(next) {
                text.append(next)
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix("**"), !isStrong, !rest.dropFirst(2).contains("**") {
                // A mark without an end, and not two of one star each.
                text += "**"
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix("**"), isStrong || rest.dropFirst(2).contains("**") {
                end()
                isStrong.toggle()
                rest = rest.dropFirst(2)
            } else if first == "*", isEmphasis || rest.dropFirst().contains("*") {
                end()
                isEmphasis.toggle()
                rest = rest.dropFirst()
            } else if first == "[", let link = link(rest) {
                end()
                text = String(link.text)
                end(link: link.address)
                rest = link.after
            } else {
                text.append(first)
                rest = rest.dropFirst()
            }
        }
        end()
        return spans
    }
}

/// Addresses that a text may link to.
enum ContentLink {
    /// Whether the address is one of a page, a mailbox or a telephone. Others could run programs, or name a machine
    /// inside.
    static func isSafe(_ address: String) -> Bool {
        let isPlain = address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
        guard isPlain, address.utf8.count <= 500, let parts = URLComponents(string: address) else { return false }
        switch parts.scheme?.lowercased() {
        case "https": return parts.host?.isEmpty == false && parts.user == nil && parts.password == nil
        case "mailto": return address.wholeMatch(of: /(?i:mailto):[^@?&]+@[^@?&]+/) != nil
        case "tel": return address.wholeMatch(of: /(?i:tel):\+?[0-9-]{2,20}/) != nil
        default: return false
        }
    }
}
