import Foundation

/// Detects addresses of websites in texts that strangers read: on the board a name would be a free advertisement.
enum WebAddress {
    /// Whether the text contains an address: `https://…`, `www.…`, a name with an ending of the root zone such as
    /// `shop.example.com` or `пример.рф`, `evil dot com`, or four numbers with a path or port, in any spelling.
    static func isIn(_ text: String) -> Bool {
        let folded = text.precomposedStringWithCompatibilityMapping.lowercased()
            .replacing(/[\u{200B}-\u{200D}\u{2060}\u{FEFF}\u{00AD}]/, with: "")
            // One space for many: a search that tries each beginning and each length of them takes their square.
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        // Its last letter and what follows it, for the same reason.
        if folded.contains(/[a-z][0-9+.-]*:\/\//) || folded.contains(/\bwww\s*\./) { return true }
        if folded.contains(/\bxn--/) { return true }
        if folded.contains(/\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}[\/:]/) { return true }
        return isSpelledOut(folded) || hasName(folded)
    }

    /// `evil dot com`, `evil (dot) com`; only with the endings that everybody knows, since "dot" is a word, too.
    private static func isSpelledOut(_ text: String) -> Bool {
        text.contains(
            /[\p{L}0-9]\s*[\[({]?\s*\b(dot|نقطة)\b\s*[\])}]?\s*(com|net|org|info|biz|io|كوم|نت)(?![\p{L}0-9])/)
    }

    private static func hasName(_ text: String) -> Bool {
        text.split { !isOfName($0) }.contains { name in
            let labels = name.split(whereSeparator: isDot)
            return zip(labels, labels.dropFirst()).contains(where: isName)
        }
    }

    /// Whether a label and the one behind its dot are the end of a name. Numbers stand before a word in ordinary texts,
    /// too ("7.am"), and are a name only before the commonest endings ("163.com").
    private static func isName(_ label: Substring, _ ending: Substring) -> Bool {
        guard TopLevelDomains.all.contains(String(ending)) else { return false }
        return label.contains(where: \.isLetter) || ["com", "net", "org", "info", "cn"].contains(ending)
    }

    private static func isOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "-" || isDot(character)
    }

    private static func isDot(_ character: Character) -> Bool { character == "." || character == "。" }
}
