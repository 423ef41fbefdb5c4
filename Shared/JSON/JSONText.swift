/// Texts in JSON (RFC 8259, 7).
enum JSONText {
    /// Appends a text in quotes. Quotes, backslashes and control characters are escaped.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var written = 0
            for index in utf8.indices {
                let byte = utf8[index]
                guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
                bytes.append(contentsOf: utf8[written..<index])
                appendEscape(byte, to: &bytes)
                written = index + 1
            }
            bytes.append(contentsOf: utf8[written...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0a: bytes.append(UInt8(ascii: "n"))
        case 0x0c: bytes.append(UInt8(ascii: "f"))
        case 0x0d: bytes.append(UInt8(ascii: "r"))
        case 0..<0x20:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(UInt8(ascii: "0") + byte >> 4)
            let digit = byte & 0xf
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        default: bytes.append(byte)
        }
    }

    /// The text of a string's bytes that ``JSONScanner`` has accepted.
    static func unescaped(_ content: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(content.count)
        var place = content.startIndex
        while place < content.endIndex {
            let byte = content[place]
            place += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            let escape = content[place]
            place += 1
            switch escape {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0c)
            case UInt8(ascii: "n"): text.append(0x0a)
            case UInt8(ascii: "r"): text.append(0x0d)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                var unit = codeUnit(content[place...]) ?? 0
                place += 4
                if (0xd800..<0xdc00).contains(unit) {
                    unit = 0x10000 + (unit - 0xd800) << 10 + ((codeUnit(content[(place + 2)...]) ?? 0xdc00) - 0xdc00)
                    place += 6
                }
                text.append(contentsOf: String(Unicode.Scalar(unit) ?? "\u{fffd}").utf8)
            default: text.append(escape)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Four hexadecimal digits.
    static func codeUnit(_ digits: some Collection<UInt8>) -> UInt32? {
        var unit: UInt32 = 0
        var count = 0
        for digit in digits.prefix(4) {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt32(value)
            count += 1
        }
        return count == 4 ? unit : nil
    }
}
