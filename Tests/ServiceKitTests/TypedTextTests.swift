import Foundation
import SeraiJSON
import Testing

@testable import ServiceKit

@Suite("What people type")
struct TypedTextTests {
    @Test(
        "P10: one form at the door: marks dropped, spaces and ends of lines alike, full-width forms usual ones",
        arguments: [
            ("\u{202D}+966501234567\u{202C}", "+966501234567"), ("a\u{200B}b\u{FEFF}c\u{2060}", "abc"),
            ("\u{200F}نورة\u{061C}", "نورة"), ("a\u{00A0}b\u{2009}c\u{3000}d\u{202F}e", "a b c d e"),
            ("a\r\nb\rc\u{2028}d\u{85}e\nf", "a\nb\nc\nd\ne\nf"), ("ＡＢＣ１２３＠ｘ．ｓａ", "ABC123@x.sa"),
            ("￥５０", "¥50"), ("e\u{301}", "é"), ("٥٠", "٥٠"), ("می\u{200C}خواهم", "می\u{200C}خواهم"),
            ("👩\u{200D}⚕️", "👩\u{200D}⚕️"), ("a\u{200D}b", "ab"), ("x\u{200C}", "x"), ("so\u{AD}ft", "soft"), ("", ""),
            ("plain text\tand\nlines", "plain text\tand\nlines"), ("٩\u{200D}Ａ", "٩A"),
        ])
    func normalized(raw: String, expected: String) {
        #expect(TypedText.normalized(raw) == expected)
        #expect(Array(TypedText.normalized(raw).unicodeScalars) == Array(expected.unicodeScalars))
        #expect(TypedText.normalized(expected) == expected)
    }

    @Test(
        "P10: of the marks over one letter thirty stay, those with a width of their own, too",
        arguments: ["\u{301}\u{323}", "\u{302E}\u{301}", "\u{1D165}\u{1D16D}"])
    func marks(pair: String) {
        let normalized = TypedText.normalized("a" + String(repeating: pair, count: 100) + "b")
        // The first may have become one with its letter.
        #expect((31...32).contains(normalized.unicodeScalars.count))
        #expect(normalized.hasSuffix("b"))
    }

    @Test(
        "I2: a code is the same code in every script, in groups and pasted with marks",
        arguments: [
            "123456", "١٢٣٤٥٦", "۱۲۳۴۵۶", "१२३४५६", "123 456", "123-456", "123\u{2013}456", "１２３４５６", " 123456\n",
            "\u{202A}123456\u{202C}", "123\u{00A0}456", "12\u{200B}3456",
        ])
    func codes(raw: String) {
        let form = Form(.object(["code": .string(raw)]))
        #expect(form.digits("code", count: 6)?.revealed == "123456")
        #expect(form.code("code", length: 1...20)?.revealed == "123456")
        #expect(form.isValid)
    }

    @Test(
        "I2: what has another form is told to have it", arguments: ["12345", "1234567", "12345a", "²23456", "①23456"])
    func noCodes(raw: String) {
        let form = Form(.object(["code": .string(raw)]))
        #expect(form.digits("code", count: 6) == nil)
        #expect(form.problem.fields.map(\.code) == ["not-a-code"])
    }

    @Test("P10: a password and an opaque token are taken as they are")
    func secrets() {
        let raw = "\u{202D} pass\u{00A0}wörd １２\u{202C} "
        #expect(Form(.object(["p": .string(raw)])).secret("p", length: 1...50)?.revealed == raw)
    }

    @Test(
        "P10: a text that shows nothing is empty",
        arguments: [
            " ", "\u{3164}", "\u{2800}\u{2800}", "\u{200D}\u{200C}", "\u{301}", "\u{00A0}\u{202E}", "\u{FE0F}",
            "\u{0640}\u{0640}", "\u{0640}\u{064E}\u{0640}", "\u{07FA}", "\u{180A}\u{180A}", "\u{1D159}", "\u{17B4}",
            "\u{13441}", "\u{13442}", "\u{FFFC}", "\u{FE70}", "\u{FE71}\u{FE77}", "\u{FE7F}", "\u{06E5}", "\u{06E6}",
        ])
    func nothing(raw: String) {
        let form = Form(.object(["a": .string(raw), "b": .string(raw)]))
        #expect(form.string("a", length: 1...9) == nil)
        #expect(form.string("b", length: 1...9, required: false) == nil)
        #expect(form.problem.fields.map { "\($0.pointer) \($0.code)" } == ["/a required"])
    }

    @Test("P10: what must not be empty may be left out of a change, and not be emptied; tatweel stretches letters")
    func changes() {
        for nothing in ["", " ", "\u{200B}", "\u{0640}\u{0640}"] {
            let form = Form(.object(["name": .string(nothing)]))
            #expect(form.string("name", length: 1...9, required: false, emptyIsAbsent: false) == nil)
            #expect(form.problem.fields.map(\.code) == ["required"])
        }
        let absent = Form(.object(["other": .null]))
        #expect(absent.string("name", length: 1...9, required: false, emptyIsAbsent: false) == nil)
        #expect(absent.string("other", length: 1...9, required: false, emptyIsAbsent: false) == nil)
        #expect(absent.isValid)
        let form = Form(.object(["name": "نـــورة"]))
        #expect(form.string("name", length: 1...9, required: false, emptyIsAbsent: false, .personName) == "نـــورة")
        for name in ["...", "12", "🙂"] {
            let form = Form(.object(["name": .string(name)]))
            #expect(form.string("name", length: 1...9) == name)
            #expect(form.string("name", length: 1...9, .personName) == nil)
            #expect(form.problem.fields.map(\.code) == ["name-characters"])
        }
    }

    @Test("P10: a text of many times the longest good one is refused before its characters are looked at")
    func unbearable() {
        let padded = "Noura" + String(repeating: "\u{200B}", count: 2_000)
        let form = Form(.object(["name": .string(padded), "id": .string(padded), "list": .array([.string(padded)])]))
        #expect(form.string("name", length: 1...100) == nil)
        #expect(form.uuid("id") == nil)
        #expect(form.strings("list", count: 1...2, length: 1...20) == nil)
        #expect(
            form.problem.fields.map { "\($0.pointer) \($0.code)" }
                == ["/name too-long", "/id not-an-id", "/list/0 too-long"])
        let pasted = Form(.object(["name": .string("Noura" + String(repeating: "\u{200B}", count: 300))]))
        #expect(pasted.string("name", length: 1...100) == "Noura")
    }

    enum Kind: String, CaseIterable { case one }

    @Test("I11: an empty text is no time, no id and no choice, and not absent: absent may mean for ever")
    func empty() {
        let form = Form(.object(["until": "", "id": " ", "kind": "\u{200B}", "note": ""]))
        #expect(form.date("until", required: false) == nil)
        #expect(form.uuid("id", required: false) == nil)
        #expect(form.choice("kind", of: Kind.self, required: false) == nil)
        #expect(form.string("note", length: 1...9, required: false) == nil)
        #expect(
            form.problem.fields.map { "\($0.pointer) \($0.code)" }
                == ["/until not-a-time", "/id not-an-id", "/kind not-a-choice"])
    }

    @Test(
        "P10: times are RFC 3339 and nothing else, in either case",
        arguments: [
            ("2026-03-01T09:30:00Z", "2026-03-01T09:30:00.000Z"), ("2026-03-01t09:30:00z", "2026-03-01T09:30:00.000Z"),
            ("2026-03-01T09:30:00.25+03:00", "2026-03-01T06:30:00.250Z"),
            ("2026-03-01T00:00:00-00:30", "2026-03-01T00:30:00.000Z"), ("2024-02-29T23:59:59.999999999Z", nil),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
            ("2017-01-01T02:59:60+03:00", "2017-01-01T00:00:00.000Z"),
            ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"),
        ] as [(String, String?)])
    func times(text: String, expected: String?) {
        let date = Timestamp.parse(text)
        #expect(date != nil)
        if let expected { #expect(date.map(Timestamp.text) == expected) }
    }

    @Test(
        "P10: what no calendar and no clock has is refused",
        arguments: [
            "2027-02-30T00:00:00Z", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
            "2026-03-01T25:00:00Z", "2026-03-01T24:00:00Z", "2026-03-01T09:60:00Z", "2026-03-01T09:30:61Z",
            "2026-03-01T09:30:60Z", "2026-03-01T09:30:00Zgarbage", "2026-03-01T09:30:00", "2026-03-01T09:30Z",
            "2026-03-01 09:30:00Z", "2026-03-01", "20260301T093000Z", "12026-03-01T09:30:00Z",
            "9999-12-31T23:59:59-01:00", "0001-01-01T00:00:00Z", "2026-03-01T09:30:00.Z", "2026-03-01T09:30:00+24:00",
            "2026-03-01T09:30:00+0300", "2026-03-01T09:30:00+03", "٢٠٢٦-03-01T09:30:00Z", "now", "",
        ])
    func noTimes(text: String) {
        #expect(Timestamp.parse(text) == nil)
        #expect(Form(.object(["at": .string(text)])).date("at") == nil || text.hasPrefix("٢"))
    }

    @Test("P10: a time in a body may be in digits of another script")
    func arabicTime() {
        let form = Form(.object(["at": "٢٠٢٦-٠٣-٠١T٠٩:٣٠:٠٠Z"]))
        #expect(form.date("at").map(Timestamp.text) == "2026-03-01T09:30:00.000Z")
    }

    @Test("C3: 0, 0 is no place, and half a place is none")
    func places() {
        let form = Form(
            .object(["latitude": 0, "longitude": 0, "b": .object(["latitude": .number(0.00001), "longitude": 0])]))
        #expect(form.position() == nil)
        #expect(form.coordinates("b") == nil)
        #expect(
            form.problem.fields.map { "\($0.pointer) \($0.code)" } == ["/latitude no-place", "/b/latitude no-place"])
        let half = Form(.object(["latitude": 24]))
        #expect(half.position(required: false) == nil)
        #expect(half.problem.fields.map { "\($0.pointer) \($0.code)" } == ["/longitude required"])
        let none = Form(.object([:]))
        #expect(none.position(required: false) == nil && none.isValid)
        // The Gulf of Guinea has the rest of the equator and of the meridian.
        #expect(Form(.object(["latitude": 0, "longitude": 32])).position()?.longitude == 32)
    }

    @Test(
        "P7: a search finds a name however it is typed",
        arguments: [
            ("Müßig", "mussig"), ("Øyvind Łukasz", "oyvind lukasz"), ("O’Neil", "oneil"), ("o'neil", "oneil"),
            ("Æbleø", "aebleo"), ("Þór", "thor"), ("İstanbul", "istanbul"), ("أحمد", "احمد"), ("إيمان", "ايمان"),
            ("مكتبة", "مكتبه"), ("منى", "مني"), ("قُرآن", "قران"), ("ﷲ", "الله"), ("شارع ١٢", "شارع 12"),
            ("Jean\u{2011}Luc", "jean-luc"),
        ])
    func search(text: String, folded: String) {
        #expect(SearchText.folded(text) == folded)
        #expect(SearchText.folded(folded) == folded)
    }
}
