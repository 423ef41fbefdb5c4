import Foundation

/// A mail as it goes over the wire (RFC 5322): one part with the text, one with the same as HTML. Both are base64, so no
/// line is too long and none begins with a dot.
enum MailBody {
    static func bytes(_ mail: Mail) -> [UInt8] {
        let boundary = "serai-\(mail.id.uuidString.lowercased())"
        var lines = [
            "From: \(MailHeader.address(mail.from))",
            "To: \(MailHeader.address(mail.to))",
            "Subject: \(MailHeader.text(mail.subject))",
            "Date: \(date(mail.date))",
            "Message-ID: <\(mail.id.uuidString.lowercased())@\(mail.from.domain)>",
            "MIME-Version: 1.0",
            "Content-Language: \(language(mail))",
            // Answering machines do not answer it (RFC 3834).
            "Auto-Submitted: auto-generated",
            "Content-Type: multipart/alternative; boundary=\"\(boundary)\"",
        ]
        if let replyTo = mail.replyTo { lines.append("Reply-To: \(MailHeader.address(replyTo))") }
        if let address = mail.unsubscribe, isLink(address) {
            lines += ["List-Unsubscribe: <\(address)>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"]
        }
        let text = mail.text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        for (type, content) in [("plain", text.replacing("\n", with: "\r\n")), ("html", html(text, mail))] {
            lines += [
                "", "--\(boundary)", "Content-Type: text/\(type); charset=utf-8", "Content-Transfer-Encoding: base64",
                "",
            ]
            lines += base64(content)
        }
        lines += ["", "--\(boundary)--", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// Lines of 76 characters (RFC 2045).
    private static func base64(_ text: String) -> [String] {
        let all = Array(Data(text.utf8).base64EncodedString().utf8)
        return stride(from: 0, to: all.count, by: 76).map {
            String(decoding: all[$0..<min($0 + 76, all.count)], as: UTF8.self)
        }
    }

    /// Only letters, digits and hyphens, so that it can stand in a header and in an attribute.
    private static func language(_ mail: Mail) -> String {
        let isTag = mail.language.utf8.allSatisfy { byte in
            byte == 0x2D || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        }
        return isTag && !mail.language.isEmpty ? mail.language : "en"
    }

    /// Whether it can stand between angle brackets in a header.
    private static func isLink(_ text: String) -> Bool {
        text.hasPrefix("http") && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#"<>""#.utf8.contains($0) }
    }

    /// In English, whatever the language of the mail is.
    private static func date(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
        return formatter.string(from: date)
    }

    // MARK: HTML

    private static func html(_ text: String, _ mail: Mail) -> String {
        let language = language(mail)
        let direction = language.hasPrefix("ar") ? "rtl" : "ltr"
        let paragraphs = text.split(separator: "\n\n").map { paragraph in
            let lines = paragraph.split(separator: "\n", omittingEmptySubsequences: false).map(line)
            return "<p>\(lines.joined(separator: "<br>"))</p>"
        }
        return """
            <!doctype html>
            <html lang="\(language)" dir="\(direction)">
            <head><meta charset="utf-8"><title>\(escaped(mail.subject))</title></head>
            <body dir="\(direction)" style="font-family:sans-serif;line-height:1.5">
            \(paragraphs.joined(separator: "\n"))
            </body>
            </html>

            """
    }

    /// Words that are web addresses become links.
    private static func line(_ line: Substring) -> String {
        line.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let text = escaped(String(word))
            let isLink = word.hasPrefix("https://") || word.hasPrefix("http://")
            return isLink ? "<a dir=\"ltr\" href=\"\(text)\">\(text)</a>" : text
        }.joined(separator: " ")
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
