import Testing

@Suite("Telling code from comments and literals")
struct SwiftScannerTests {
    private func scan(_ text: String) -> SwiftScanner {
        var scanner = SwiftScanner(text)
        scanner.scan()
        return scanner
    }

    @Test("comments are left out, nested ones too, and lines keep their numbers")
    func comments() {
        #expect(scan("a // b\nc").code == "a \nc")
        #expect(scan("a /* b /* c */\n d */ e").code == "a \n  e")
        #expect(scan("a /* never closed").code == "a  ")
    }

    @Test("literals are taken out of the code, whatever is in them")
    func literals() {
        #expect(scan(#"let a = "b // c" + d"#).code == #"let a = "" + d"#)
        #expect(scan(#"let a = "b \" c" + d"#).code == #"let a = "" + d"#)
        #expect(scan(##"let a = #"b " c"# + d"##).code == #"let a = "" + d"#)
        #expect(scan("let a = \"\"\"\n  b \" c\n  \"\"\" + d").code == "let a = \"\n\n\" + d")
        #expect(scan(#""" + """#).literals.map(\.text) == ["", ""])
    }

    @Test("what is put into a literal is code, with literals of its own")
    func interpolation() {
        let nested = scan(#"log("a \(b("c \(d)")) e")"#)
        #expect(nested.literals.map(\.text) == [#"c \()"#, #"a \() e"#])
        #expect(nested.literals.map(\.isInterpolated) == [true, true])
        #expect(nested.code.contains("b("))
        #expect(scan(##"#"a \(b) \#(c)"#"##).literals.map(\.text) == [#"a \(b) \()"#])
        #expect(scan(#""a \\(b)""#).literals.map(\.isInterpolated) == [false])
    }

    @Test("a literal tells the line on which it begins")
    func lines() {
        #expect(scan("a\n\"b\"\n\"\"\"\nc\n\"\"\"\n\"d\"").literals.map(\.line) == [2, 3, 6])
    }

    @Test("a quote that nobody closes costs its line only")
    func unclosed() {
        #expect(scan("a \" b\nc").code == "a \"\"\nc")
    }
}
