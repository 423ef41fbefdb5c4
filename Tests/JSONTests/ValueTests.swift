import Foundation
import TestKit
import Testing

@testable import SeraiJSON

@Suite("JSON of any shape")
struct ValueTests {
    func parse(_ text: String) -> JSONValue? {
        // Nil is the answer that these tests ask for.
        try? JSONValue(parsing: text.utf8)
    }

    @Test("values of every kind are read exactly")
    func values() {
        #expect(parse(" null ") == .null)
        #expect(parse("true") == true)
        #expect(
            parse("[1,-0,9007199254740993,1.5,-2e3,9223372036854775808]")
                == .array([
                    1, 0, 9_007_199_254_740_993, .number(1.5), .number(-2_000), .number(9_223_372_036_854_775_808),
                ]))
        #expect(parse(#""a\"\\\/\b\f\n\r\té\uD83D\uDE00ü""#) == .string("a\"\\/\u{8}\u{c}\n\r\té😀ü"))
        #expect(parse(#"{"a":{},"b":[], "":1}"#) == .object(["a": .object([:]), "b": .array([]), "": 1]))
    }

    @Test(
        "what is no JSON is refused",
        arguments: [
            "", " ", "{", "}", "[1,]", "[,1]", "{\"a\":1,}", "{a:1}", "{'a':1}", "{\"a\"}", "01", "1.", ".5", "+1", "-",
            "1e", "0x1", "NaN", "Infinity", "1e400", "tru", "truex", "nul", "\"a", "\"\u{1}\"", #""\x""#, #""\u12""#,
            #""\uD800""#, #""\uDC00\uD800""#, "1 2", "[1 2]", "{\"a\":1 \"b\":2}", #"{"a":1,"a":2}"#, "//", "\u{feff}1",
        ])
    func malformed(text: String) {
        #expect(parse(text) == nil)
    }

    @Test("nesting, the number of values and the length of names are bounded, and invalid UTF-8 is refused")
    func bounds() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(parse(nested(JSON.Limits.request.depth)) != nil)
        #expect(parse(nested(JSON.Limits.request.depth + 2)) == nil)
        func long(_ count: Int) -> String { "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]" }
        #expect(parse(long(JSON.Limits.request.values - 1)) != nil)
        #expect(parse(long(JSON.Limits.request.values)) == nil)
        func named(_ bytes: Int) -> String { "{\"\(String(repeating: "n", count: bytes))\":1}" }
        #expect(parse(named(JSON.Limits.request.nameBytes)) != nil)
        #expect(parse(named(JSON.Limits.request.nameBytes + 1)) == nil)
        #expect(throws: JSONValue.ParseError.self) { try JSONValue(parsing: [0x22, 0xff, 0x22]) }
        #expect(throws: JSONValue.ParseError.self) { try JSONValue(parsing: [0x22, 0xed, 0xa0, 0x80, 0x22]) }
    }

    @Test("what is accepted means the same to Foundation")
    func agrees() throws {
        var generator = SeededGenerator()
        let letters = Array(#"{}[]:,"\u0019.eE+-truefalsn ü"#)
        var accepted = 0
        for _ in 0..<5_000 {
            let count = Int.random(in: 1...12, using: &generator)
            let text = String((0..<count).map { _ in letters[Int.random(in: letters.indices, using: &generator)] })
            guard let value = parse(text) else { continue }
            accepted += 1
            let data = Data(text.utf8)
            guard let theirs = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) else {
                Issue.record("\(generator): Foundation refuses \(text)")
                return
            }
            let ours = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value), options: .fragmentsAllowed)
            #expect((ours as? NSObject) == (theirs as? NSObject), "\(generator): \(text)")
        }
        #expect(accepted > 20, "\(generator)")
    }

    @Test("a large body of many values is read whole")
    func large() throws {
        let text = "[" + String(repeating: "1,\"\(String(repeating: "a", count: 100))\",", count: 4_000) + "null]"
        guard case .array(let elements)? = parse(text) else {
            Issue.record("not an array")
            return
        }
        #expect(elements.count == 8_001)
    }
}
