import Foundation
import Messaging
import TestKit
import Testing

@Suite("Values of JSON, read and written without Foundation")
struct UsualValueTests {
    @Test("numbers with a fraction are written as Foundation writes them, and read back the same")
    func decimals() throws {
        var generator = SeededGenerator()
        let numbers =
            [0, 1, -1, 0.000_1, -0.0, 24.713_552, 46.675_3, 4.7, 0.1, 180, -180, 89.999_999_9]
            + (0..<2_000).map { _ in Double.random(in: -200...200, using: &generator) }.filter { abs($0) > 0.000_1 }
        for number in numbers {
            var json = UsualObject(capacity: 32)
            json.add("n", decimal: number)
            let body = try #require(json.end(), "\(number)")
            #expect(try body == [UInt8](JSONEncoder().encode(["n": number])), "\(number)")
            // What lies between 0 and -1 is left to Foundation, as is -0.
            let read = FastJSON.read(body) { json throws(FastJSON.UnsupportedJSON) in try Self.number(&json) }
            #expect(read == number || (number > -1 && number.sign == .minus), "\(number)")
        }
        for number in [Double.infinity, .nan, 1e300, 1e16, 0.000_09] {
            var json = UsualObject(capacity: 32)
            json.add("n", decimal: number)
            #expect(json.end() == nil, "\(number)")
        }
    }

    @Test(
        "what is no number of the usual form is not read",
        arguments: ["", "-", "+1", "01", ".5", "1.", "1.e3", "1e3", "1.5.5", "NaN", "null", "\"1\"", "1 ", " 1", "-0"])
    func noNumbers(_ text: String) {
        let read = FastJSON.read(Array(#"{"n":\#(text)}"#.utf8)) { json throws(FastJSON.UnsupportedJSON) in
            try Self.number(&json)
        }
        // One space behind the colon is usual.
        #expect(read == (text == " 1" ? 1 : nil))
    }

    @Test("a value that nobody wants is passed over, whatever it is, and what is no JSON is not read")
    func passedOver() throws {
        let values = [
            "1", "-7", "1.25", #""word""#, "true", "false", "null", "[]", "{}", #"[1,"a",[null]]"#,
            #"{"a":{"b":[{"c":1.5}]},"d":true}"#, #"{"a": 1, "b": [1, 2]}"#,
        ]
        for value in values {
            #expect(Self.wanted(in: #"{"skipped":\#(value),"n":7}"#) == 7, "\(value)")
            #expect(Self.wanted(in: #"{"n":7,"skipped":\#(value)}"#) == 7, "\(value)")
        }
        var generator = SeededGenerator()
        let whole = Array(#"{"skipped":{"a":{"b":[{"c":1.5}]},"d":true},"n":7}"#.utf8)
        for _ in 0..<5_000 {
            let body = generator.damaged(whole, with: #"{}[]",:0123456789-+.eE truefalsn"#)
            guard let text = String(validating: body, as: UTF8.self), let wanted = Self.wanted(in: text) else {
                continue
            }
            let known = try JSONSerialization.jsonObject(with: Data(body)) as? NSDictionary
            #expect(known?["n"] as? Int == wanted, "\(text) \(generator)")
        }
        #expect(Self.wanted(in: String(repeating: "[", count: 100_000)) == nil)
        #expect(Self.wanted(in: #"{"n":7,"skipped":"# + String(repeating: "[", count: 100_000)) == nil)
    }

    private static func wanted(in text: String) -> Int? {
        FastJSON.read(Array(text.utf8)) { json throws(FastJSON.UnsupportedJSON) in
            var wanted: Int?
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "n" where wanted == nil: wanted = try json.integer()
                case "n": throw FastJSON.UnsupportedJSON()
                default: try json.skip()
                }
            }
            return wanted
        }
    }

    private static func number(_ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> Double? {
        try json.beginObject()
        guard try json.nextKey() == "n" else { throw FastJSON.UnsupportedJSON() }
        let number = try json.number()
        guard try json.nextKey() == nil else { throw FastJSON.UnsupportedJSON() }
        return number
    }
}
