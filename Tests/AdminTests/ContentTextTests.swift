import Foundation
import Testing

@testable import SeraiAdmin

@Suite("The marks of a text that admins write")
struct ContentTextTests {
    private func spans(_ text: String) -> [ContentSpan] { ContentText.blocks(text).flatMap { $0.lines.flatMap { $0 } } }

    @Test("A3: headings, paragraphs over several lines and both kinds of lists are told apart")
    func blocks() {
        let text = "# About us\nFirst line\n  second line\n\n- one\n- two\n\n1. first\n2. second\nEnd"
        let blocks = ContentText.blocks(text)
        #expect(blocks.map(\.kind) == [.heading, .paragraph, .list, .numbered, .paragraph])
        #expect(
            blocks.map { $0.lines.map { $0.map(\.text).joined() } } == [
                ["About us"], ["First line second line"], ["one", "two"], ["first", "second"], ["End"],
            ])
        #expect(ContentText.blocks(" \n\n ").isEmpty)
    }

    @Test("A3: strong, emphasis and links become spans, and a backslash keeps a mark as it stands")
    func marks() {
        #expect(
            spans(#"a **b** *c* [d](https://a.example/b) \*e\*"#) == [
                ContentSpan(text: "a "), ContentSpan(text: "b", strong: true), ContentSpan(text: " "),
                ContentSpan(text: "c", emphasis: true), ContentSpan(text: " "),
                ContentSpan(text: "d", link: "https://a.example/b"), ContentSpan(text: " *e*"),
            ])
    }

    @Test(
        "A3: marks without an end, and what looks like HTML, are text",
        arguments: [
            "5 * 3", "** open", "[a](", "[a]", "a\\", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>",
            "&lt;b&gt;",
        ])
    func plain(_ text: String) {
        #expect(spans(text) == [ContentSpan(text: text)])
    }

    @Test("A3: a text links to pages, mailboxes and telephones only, and never in disguise")
    func links() {
        let safe = [
            "https://a.example", "HTTPS://a.example/b?c=d#e", "mailto:help@a.example", "tel:+966112345678", "tel:997",
        ]
        for address in safe { #expect(ContentLink.isSafe(address), "\(address)") }
        let unsafe = [
            "", "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)",
            "data:text/html,a", "http://a.example", "//a.example", "/a", "file:///etc/passwd", "https://", "https:a",
            "https://good.example@bad.example", "https://a b", "mailto:a", "mailto:a@b.example?bcc=c@d.example",
            "tel:a",
            "https://a.example/\u{202E}cod", "https://a.example\\@b", "https://" + String(repeating: "a", count: 500),
        ]
        for address in unsafe {
            #expect(!ContentLink.isSafe(address), "\(address)")
            #expect(spans("[a](\(address))").allSatisfy { $0.link == nil }, "\(address)")
        }
        #expect(ContentText.refusedLinks("[a](https://a.example) [b](javascript:x)") == ["javascript:x"])
    }
}
