import Foundation

/// A mail as it was received (RFC 5322, 2045 to 2047), read strictly: what is not well-formed is no mail.
struct ReceivedMail {
    let subject: String
    let text: String

    init?(_ source: String) {
        guard let whole = Part(source), let type = whole.headers["content-type"],
            type.lowercased().hasPrefix("multipart/alternative"), whole.headers["date"] != nil,
            whole.headers["message-id"]?.hasPrefix("<") == true, whole.headers["mime-version"] == "1.0",
            let boundary = Self.boundary(type), let subject = whole.headers["subject"].flatMap(Self.words)
        else { return nil }
        let pieces = ("\r\n" + whole.content).components(separatedBy: "\r\n--\(boundary)")
        guard pieces.count == 4, pieces[3].hasPrefix("--"), let plain = Part(String(pieces[1].dropFirst())),
            let text = plain.decoded("text/plain"), Part(String(pieces[2].dropFirst()))?.decoded("text/html") != nil
        else { return nil }
        self.subject = subject
        self.text = text.replacing("\r\n", with: "\n")
    }

    /// Headers and content.
    private struct Part {
        var headers: [String: String] = [:]
        let content: String

        init?(_ source: String) {
            guard let end = source.range(of: "\r\n\r\n") else { return nil }
            content = String(source[end.upperBound...])
            // A line that begins with a space goes on with the one before it.
            let lines = source[..<end.lowerBound].replacing("\r\n ", with: " ").components(separatedBy: "\r\n")
            for line in lines {
                guard let colon = line.firstIndex(of: ":") else { return nil }
                let name = line[..<colon].lowercased()
                // Each header stands once: a second one would be somebody's who wrote it into the first.
                guard headers[name] == nil else { return nil }
                headers[name] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            }
        }

        func decoded(_ type: String) -> String? {
            guard headers["content-type"] == "\(type); charset=utf-8", headers["content-transfer-encoding"] == "base64"
            else { return nil }
            let text = content.components(separatedBy: "\r\n").joined()
            return Data(base64Encoded: text).flatMap { String(data: $0, encoding: .utf8) }
        }
    }

    private static func boundary(_ type: String) -> String? {
        type.firstMatch(of: /boundary="([^"]{1,70})"/).map { String($0.1) }
    }

    /// A header's text, in which encoded words stand for others; the space between two of them is none.
    private static func words(_ text: String) -> String? {
        guard text.hasPrefix("=?") else { return text }
        var bytes = Data()
        for word in text.split(separator: " ") {
            guard word.utf8.count <= 75, word.hasPrefix("=?UTF-8?B?"), word.hasSuffix("?="),
                let part = Data(base64Encoded: String(word.dropFirst(10).dropLast(2))),
                String(data: part, encoding: .utf8) != nil
            else { return nil }
            bytes += part
        }
        return String(data: bytes, encoding: .utf8)
    }
}
