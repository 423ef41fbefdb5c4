import Foundation

/// Text in a header: ASCII as it is, everything else in the encoded words of RFC 2047. Nothing in it can end the line.
enum MailHeader {
    /// An encoded word has at most 75 characters, of which `=?UTF-8?B?` and `?=` are twelve: 45 bytes make sixty of base64.
    private static let wordBytes = 45
    /// Longer lines are encoded, so that they can be folded.
    private static let plainLimit = 60

    static func text(_ text: String) -> String {
        let line = oneLine(text)
        let isPlain = line.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !line.contains("=?")
        return isPlain && line.utf8.count <= plainLimit ? line : encoded(line)
    }

    /// The display name before an address, always quoted or encoded.
    static func address(_ address: MailAddress) -> String {
        guard let name = address.name.map(oneLine), !name.isEmpty else { return "<\(address.address)>" }
        let text = text(name)
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return text.hasPrefix("=?") ? "\(text) <\(address.address)>" : "\"\(escaped)\" <\(address.address)>"
    }

    /// Control characters, line ends among them, become spaces.
    private static func oneLine(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespaces)
    }

    /// Words end between characters of Unicode: RFC 2047 forbids to divide one.
    private static func encoded(_ text: String) -> String {
        var words: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if (words.last?.count ?? 0) + bytes.count > wordBytes { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?UTF-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }
}
