import Foundation
import Testing

@testable import Mail
@testable import Sandbox

@Suite("How a mail is written")
struct MailTests {
    private func mail(
        subject: String = "Hello", text: String = "Hello", name: String? = nil, language: String = "en",
        unsubscribe: String? = nil
    ) throws -> Mail {
        Mail(
            id: try #require(UUID(uuidString: "0195D3A0-0000-7000-8000-000000000031")),
            from: try #require(MailAddress(written: "Serai <serai@example.com>")),
            to: try #require(MailAddress("noura@example.com", name: name)), subject: subject, text: text,
            language: language, date: Date(timeIntervalSince1970: 1_700_000_000), unsubscribe: unsubscribe)
    }

    private func source(_ mail: Mail) -> String { String(decoding: MailBody.bytes(mail), as: UTF8.self) }

    @Test("N2: a mail is read as it was written, in Arabic from right to left, by a strict reader")
    func arabic() throws {
        let subject = String(repeating: "تم تغيير كلمة المرور ", count: 8).trimmingCharacters(in: .whitespaces)
        let text = "مرحباً نورة،\n\n.\nتم تغيير كلمة المرور."
        let written = source(try mail(subject: subject, text: text, language: "ar"))
        let read = try #require(ReceivedMail(written))
        #expect(read.subject == subject && read.text == text)
        #expect(written.utf8.allSatisfy { $0 < 0x80 })
        #expect(written.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 998 })
        #expect(written.contains("Content-Language: ar\r\n"))
        #expect(try html(written).contains("<html lang=\"ar\" dir=\"rtl\">"))
    }

    @Test("N2: a mail that can be switched off says where, and nothing in that address becomes a header")
    func unsubscribe() throws {
        let written = source(try mail(unsubscribe: "https://serai.example/notifications/v1/unsubscribe/a.b.c"))
        #expect(
            written.contains("List-Unsubscribe: <https://serai.example/notifications/v1/unsubscribe/a.b.c>\r\n"))
        #expect(written.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"))
        #expect(ReceivedMail(written) != nil)
        for address in [nil, "javascript:1", "https://x>\r\nBcc: e@x", "https://x y"] {
            #expect(!(try source(mail(unsubscribe: address)).contains("List-Unsubscribe")))
        }
    }

    @Test("N2: each try of a mail has the same bytes")
    func same() throws {
        let (one, other) = (source(try mail()), source(try mail()))
        #expect(one == other)
        #expect(one.contains("Message-ID: <0195d3a0-0000-7000-8000-000000000031@example.com>\r\n"))
        #expect(one.contains("Date: Tue, 14 Nov 2023 22:13:20 +0000\r\n"))
    }

    @Test(
        "N2, Q6: no subject, name or text becomes a header",
        arguments: [
            "a\r\nBcc: evil@example.com", "a\nBcc: evil@example.com", "a\rBcc: e@x", "a\u{2028}Bcc: e@x", "a\u{0}b",
        ])
    func injection(_ text: String) throws {
        let written = source(try mail(subject: text, text: text, name: text, language: text))
        let head = written.components(separatedBy: "\r\n\r\n")[0]
        #expect(!head.components(separatedBy: "\r\n").contains { $0.hasPrefix("Bcc") })
        #expect(!head.contains("\u{0}") && !head.replacing("\r\n", with: "").contains { $0.isNewline })
        #expect(ReceivedMail(written) != nil)
    }

    @Test("N2, Q6: what could end a command or a header is no address")
    func addresses() {
        for text in [
            "a@example.com\r\nDATA", "a b@example.com", "<a@example.com>", "a@b@example.com", "@example.com", "a@", "",
            "a,b@example.com", "نورة@example.com", "-a@example.com", "a@example.com>",
            String(repeating: "a", count: 260) + "@b.c",
        ] { #expect(MailAddress(text) == nil, "\(text)") }
        #expect(MailAddress(written: "Serai <a@example.com>") == MailAddress("a@example.com", name: "Serai"))
        #expect(MailAddress(written: "a@example.com") == MailAddress("a@example.com"))
        #expect(MailAddress(written: "Serai <a@example.com\r\n>") == nil)
    }

    @Test("N2: words become text in HTML, and web addresses links")
    func escaping() throws {
        let html = try html(source(try mail(text: "<script>&\"'\nhttps://x.example/a?b=1&c=\"2")))
        #expect(!html.contains("<script>"))
        #expect(html.contains("&lt;script&gt;&amp;&quot;&#39;<br>"))
        #expect(html.contains("href=\"https://x.example/a?b=1&amp;c=&quot;2\""))
    }

    @Test("N2: a 5xx is final after RCPT and the mail itself, and nowhere else")
    func verdicts() {
        func outcome(_ answer: Int, _ command: String) -> MailOutcome {
            MailVerdict.outcome(answer: answer, after: command, isBodySent: false, cause: "it failed")
        }
        #expect(outcome(550, "RCPT") == .refused(code: 550))
        #expect(outcome(554, "DATA") == .refused(code: 554))
        #expect(outcome(450, "RCPT") == .later(cause: "450 after RCPT"))
        #expect(outcome(550, "MAIL") == .later(cause: "550 after MAIL"))
        #expect(outcome(530, "RCPT") == .later(cause: "530 after RCPT"))
        #expect(outcome(535, "AUTH") == .later(cause: "535 after AUTH"))
        #expect(outcome(0, "") == .later(cause: "it failed after connecting"))
    }

    @Test("Q6: a server's URL holds neither user nor password, and is SMTP")
    func servers() {
        for url in [
            "http://mail.example.com", "smtp://", "smtp://u:p@mail.example.com", "mail.example.com", "smtp://a b",
        ] {
            #expect(MailServer(url: url) == nil, "\(url)")
        }
        #expect(MailServer(url: "smtps://mail.example.com:465") != nil)
    }

    private func html(_ source: String) throws -> String {
        let part = try #require(source.components(separatedBy: "Content-Type: text/html").last)
        let encoded = try #require(part.components(separatedBy: "\r\n\r\n").dropFirst().first)
        return String(decoding: try #require(Data(base64Encoded: encoded.replacing("\r\n", with: ""))), as: UTF8.self)
    }
}
