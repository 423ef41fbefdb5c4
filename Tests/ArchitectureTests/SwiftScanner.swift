/// Tells Swift's code from its comments and string literals.
///
/// It knows line and nested block comments, string literals of one and of many lines, raw ones, and interpolation,
/// whose contents are code. It does not know regex literals: a quote in one hides the rest of its line.
struct SwiftScanner {
    struct Literal: Equatable, Sendable {
        /// Where it begins; 1 is the first.
        let line: Int
        /// As written, each interpolation as `\()`.
        let text: String
        let isInterpolated: Bool
    }

    private let bytes: [UInt8]
    private var at = 0
    private var line = 1
    private var kept: [UInt8] = []
    private(set) var literals: [Literal] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
        kept.reserveCapacity(bytes.count)
    }

    /// The text with comments and the insides of literals left out; lines keep their numbers.
    var code: String { String(decoding: kept, as: UTF8.self) }

    mutating func scan() { scanCode(isInterpolation: false) }

    private mutating func scanCode(isInterpolation: Bool) {
        var depth = 0
        while at < bytes.count {
            if starts("//") {
                while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 }
            } else if starts("/*") {
                skipBlockComment()
            } else if let hashes = hashesOfLiteral() {
                scanLiteral(hashes: hashes)
            } else {
                let byte = bytes[at]
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                take(keep: true)
                if isInterpolation && depth < 0 { return }
            }
        }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if starts("/*") {
                depth += 1
                at += 2
            } else if starts("*/") {
                depth -= 1
                at += 2
            } else {
                take(keep: false)
            }
        } while depth > 0 && at < bytes.count
        // Two words on either side stay two words.
        kept.append(UInt8(ascii: " "))
    }

    /// How many `#` the literal that begins here has; nil when none begins.
    private func hashesOfLiteral() -> Int? {
        var end = at
        while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
        return end < bytes.count && bytes[end] == UInt8(ascii: "\"") ? end - at : nil
    }

    private mutating func scanLiteral(hashes: Int) {
        let start = line
        let marks = String(repeating: "#", count: hashes)
        at += hashes
        let isMultiline = starts("\"\"\"")
        let quotes = isMultiline ? "\"\"\"" : "\""
        at += quotes.utf8.count
        kept.append(contentsOf: "\"".utf8)
        var text: [UInt8] = []
        var isInterpolated = false
        while at < bytes.count {
            if starts(quotes + marks) {
                at += quotes.utf8.count + hashes
                break
            }
            // It cannot go on there, so a quote that was none costs a line at most.
            if !isMultiline && bytes[at] == UInt8(ascii: "\n") { break }
            if starts("\\" + marks + "(") {
                isInterpolated = true
                text.append(contentsOf: "\\()".utf8)
                at += hashes + 2
                kept.append(contentsOf: "(".utf8)
                scanCode(isInterpolation: true)
            } else if starts("\\" + marks), at + hashes + 1 < bytes.count {
                at += hashes + 1
                text.append(contentsOf: "\\".utf8)
                text.append(bytes[at])
                take(keep: false)
            } else {
                text.append(bytes[at])
                take(keep: false)
            }
        }
        kept.append(contentsOf: "\"".utf8)
        literals.append(
            Literal(line: start, text: String(decoding: text, as: UTF8.self), isInterpolated: isInterpolated))
    }

    /// Goes one byte on. Newlines are always kept.
    private mutating func take(keep: Bool) {
        let byte = bytes[at]
        if byte == UInt8(ascii: "\n") { line += 1 }
        if keep || byte == UInt8(ascii: "\n") { kept.append(byte) }
        at += 1
    }

    private func starts(_ text: String) -> Bool {
        let wanted = text.utf8
        guard at + wanted.count <= bytes.count else { return false }
        return zip(bytes[at...], wanted).allSatisfy { $0 == $1 }
    }
}
