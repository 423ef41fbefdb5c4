import Foundation

/// Makes text of a feed's bytes. The byte order mark decides, then the header's charset, then the XML declaration (RFC 7303, 3).
enum FeedText {
    static func decoded(_ bytes: [UInt8], charset: String?) throws(FeedFault) -> String {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return try utf8(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes.dropFirst(2), isBigEndian: true) }
        if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes.dropFirst(2), isBigEndian: false) }
        // Without a mark the first two bytes of `<?` tell.
        if bytes.starts(with: [0x00, 0x3C]) { return try utf16(bytes[...], isBigEndian: true) }
        if bytes.starts(with: [0x3C, 0x00]) { return try utf16(bytes[...], isBigEndian: false) }
        let name = (charset ?? declared(bytes) ?? "utf-8").lowercased()
        switch name {
        case "utf-8", "utf8", "us-ascii", "ascii": return try utf8(bytes[...])
        case "iso-8859-1", "latin1", "windows-1252", "cp1252": return singleBytes(bytes, western)
        case "windows-1256", "cp1256": return singleBytes(bytes, arabic)
        default: throw .encoding
        }
    }

    /// The text without what cannot be shown: an admin could not store it again. Separators of lines are spaces.
    static func showable(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar != "\n": continue
            case .privateUse, .surrogate: continue
            case .format where scalar != "\u{200C}" && scalar != "\u{200D}": continue
            case .lineSeparator, .paragraphSeparator: shown.append(" ")
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// The text with at most ``maximumMarks`` marks over each letter: texts are compared with their marks in order, and to
    /// order a hundred thousand takes seconds.
    static func thinned(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var thinned = String.UnicodeScalarView()
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            if marks <= maximumMarks { thinned.append(scalar) }
        }
        return String(thinned)
    }

    /// As in Unicode's stream-safe format (UAX 15, 13).
    static let maximumMarks = 30

    /// At most so many scalars, so that the bytes are bounded, too: one character may be of any number of scalars.
    static func cut(_ text: String, _ length: Int) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: length, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        let cut = scalars[..<scalars.index(before: end)]
        // At a word's end, unless there is none near.
        guard let space = cut.suffix(40).lastIndex(where: \.properties.isWhitespace) else { return String(cut) + "…" }
        return String(cut[..<space]) + "…"
    }

    /// The encoding in `<?xml … encoding="…"?>`.
    private static func declared(_ bytes: [UInt8]) -> String? {
        let head = String(decoding: bytes.prefix(200), as: UTF8.self)
        guard let match = head.firstMatch(of: /^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']/) else {
            return nil
        }
        return String(match.1)
    }

    private static func utf8(_ bytes: ArraySlice<UInt8>) throws(FeedFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .encoding }
        return text
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) throws(FeedFault) -> String {
        guard bytes.count % 2 == 0 else { throw .encoding }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw .encoding }
        return text
    }

    private static func singleBytes(_ bytes: [UInt8], _ upper: [Unicode.Scalar]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(byte < 0x80 ? Unicode.Scalar(byte) : upper[Int(byte) - 0x80]) }
        return String(text)
    }

    /// The upper half of windows-1252, as which the web reads ISO 8859-1, too; what it leaves free is a replacement.
    private static let western: [Unicode.Scalar] =
        Array(
            "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)
        + (0xA0...0xFF).compactMap(Unicode.Scalar.init)

    /// The upper half of windows-1256, in which older Arabic sites write.
    private static let arabic: [Unicode.Scalar] = Array(
        ("€پ‚ƒ„…†‡ˆ‰ٹ‹Œچژڈگ‘’“”•–—ک™ڑ›œ\u{200C}\u{200D}ں\u{A0}،¢£¤¥¦§¨©ھ«¬\u{AD}®¯°±²³´µ¶·¸¹؛»¼½¾؟"
            + "ہءآأؤإئابةتثجحخدذرزسشصض×طظعغـفقكàلâمنهوçèéêëىيîï\u{64B}\u{64C}\u{64D}\u{64E}ô\u{64F}\u{650}÷\u{651}ù"
            + "\u{652}ûü\u{200E}\u{200F}ے").unicodeScalars)
}
