import Foundation

/// An element of a feed.
struct FeedElement {
    /// With its prefix: `dc:date`.
    let name: String
    let attributes: [String: String]
    var children: [FeedElement] = []
    /// Its own text, and that of all elements in it.
    var text = ""

    func child(_ name: String) -> FeedElement? { children.first { $0.name == name } }
}

/// Reads the XML that feeds are written in. A document type with declarations is refused, so that there are no entities but
/// XML's own and the usual ones of HTML: nothing grows in being read, and nothing is fetched. Depth and number of elements
/// are limited.
struct FeedXML {
    static let maximumDepth = 20
    static let maximumElements = 50_000
    static let maximumNameBytes = 200

    private let bytes: [UInt8]
    private var index = 0
    private var count = 0
    /// From the root to the element that is open.
    private var open: [FeedElement] = []
    private var root: FeedElement?

    static func read(_ text: String) throws(FeedFault) -> FeedElement {
        var reader = FeedXML(bytes: Array(text.utf8))
        return try reader.document()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func document() throws(FeedFault) -> FeedElement {
        while index < bytes.count {
            if bytes[index] != UInt8(ascii: "<") {
                let end = find("<") ?? bytes.count
                add(Self.resolved(slice(index..<end)))
                index = end
            } else if take("<!--") {
                try skip(to: "-->")
            } else if take("<![CDATA[") {
                let start = index
                try skip(to: "]]>")
                add(slice(start..<index - 3))
            } else if take("<?") {
                try skip(to: "?>")
            } else if take("<!") {
                let start = index
                try skip(to: ">")
                // An inner subset declares entities.
                guard !bytes[start..<index].contains(UInt8(ascii: "[")), root == nil, open.isEmpty else {
                    throw .malformed
                }
            } else if take("</") {
                try close()
            } else {
                index += 1
                try begin()
            }
        }
        guard let root, open.isEmpty else { throw .malformed }
        return root
    }

    // MARK: Elements

    private mutating func begin() throws(FeedFault) {
        let name = try self.name()
        var attributes: [String: String] = [:]
        while true {
            skipSpaces()
            if take("/>") {
                try push(name, attributes)
                try pop()
                return
            }
            if take(">") { return try push(name, attributes) }
            let attribute = try self.name()
            skipSpaces()
            guard take("=") else { throw .malformed }
            skipSpaces()
            guard let quote = bytes[safe: index], quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                throw .malformed
            }
            index += 1
            let start = index
            try skip(to: quote == UInt8(ascii: "\"") ? "\"" : "'")
            guard attributes.updateValue(Self.resolved(slice(start..<index - 1)), forKey: attribute) == nil else {
                throw .malformed
            }
        }
    }

    private mutating func close() throws(FeedFault) {
        let name = try self.name()
        skipSpaces()
        guard take(">"), open.last?.name == name else { throw .malformed }
        try pop()
    }

    private mutating func push(_ name: String, _ attributes: [String: String]) throws(FeedFault) {
        count += 1
        guard root == nil, count <= Self.maximumElements, open.count < Self.maximumDepth else { throw .malformed }
        open.append(FeedElement(name: name, attributes: attributes))
    }

    private mutating func pop() throws(FeedFault) {
        guard let done = open.popLast() else { throw .malformed }
        guard let last = open.indices.last else {
            root = done
            return
        }
        // Text of an element within a text (XHTML in Atom) is text of both.
        if !done.text.isEmpty, !Self.holders.contains(open[last].name) {
            open[last].text += done.isBlock ? " \(done.text) " : done.text
        }
        open[last].children.append(done)
    }

    private mutating func add(_ text: String) {
        guard let last = open.indices.last else { return }
        open[last].text += text
    }

    /// They have elements, and no text of their own.
    private static let holders: Set<String> = ["rss", "channel", "item", "feed", "entry", "rdf:RDF"]

    // MARK: Bytes

    private mutating func name() throws(FeedFault) -> String {
        let start = index
        while let byte = bytes[safe: index], !Self.endsName(byte) { index += 1 }
        guard (1...Self.maximumNameBytes).contains(index - start) else { throw .malformed }
        return slice(start..<index)
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "<")].contains(byte)
    }

    private mutating func skipSpaces() {
        while let byte = bytes[safe: index], byte <= 0x20 { index += 1 }
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard index + length <= bytes.count else { return false }
        for offset in 0..<length where bytes[index + offset] != text.utf8Start[offset] { return false }
        index += length
        return true
    }

    /// Goes on behind the next such text.
    private mutating func skip(to text: StaticString) throws(FeedFault) {
        while index < bytes.count {
            if take(text) { return }
            index += 1
        }
        throw .malformed
    }

    private func find(_ text: Unicode.Scalar) -> Int? { bytes[index...].firstIndex(of: UInt8(ascii: text)) }

    private func slice(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The text with what its references stand for.
    static func resolved(_ text: String) -> String {
        let thin = FeedText.thinned(text)
        guard thin.utf8.contains(UInt8(ascii: "&")) else { return thin }
        let resolved = thin.replacing(/&(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});/) { match in
            FeedEntity.character(match.1) ?? String(match.0)
        }
        return FeedText.thinned(resolved)
    }
}

/// What references stand for.
enum FeedEntity {
    private static let names: [Substring: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
        "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»", "hellip": "…",
        "bull": "•", "middot": "·", "copy": "©", "reg": "®", "deg": "°", "euro": "€", "eacute": "é", "egrave": "è",
        "agrave": "à", "ccedil": "ç", "uuml": "ü", "ouml": "ö", "auml": "ä", "shy": "", "zwnj": "\u{200C}",
    ]

    /// Nil for one that is not known: it stays as it is written.
    static func character(_ reference: Substring) -> String? {
        guard reference.hasPrefix("#") else { return names[reference] }
        let digits = reference.dropFirst()
        let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
        guard let code = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits),
            let scalar = Unicode.Scalar(code), code > 0x1F || code == 0x0A || code == 0x09
        else { return nil }
        return String(scalar)
    }
}

extension FeedElement {
    /// Whether its text is apart from what is before and after.
    fileprivate var isBlock: Bool { !["b", "i", "em", "strong", "a", "span", "u", "sup", "sub"].contains(name) }
}

extension [UInt8] {
    fileprivate subscript(safe index: Int) -> UInt8? { index < count ? self[index] : nil }
}
