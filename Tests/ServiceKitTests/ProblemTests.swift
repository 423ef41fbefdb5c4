import Foundation
import HTTPTypes
import Messaging
import SeraiJSON
import TestKit
import Testing

@testable import ServiceKit

@Suite("Problems")
struct ProblemTests {
    let catalogue: ProblemCatalogue

    init() throws {
        catalogue = try .common()
    }

    @Test("P7: English and Arabic have the same keys with the same placeholders")
    func sameKeys() throws {
        #expect(catalogue.languages == [.english, .arabic])
        #expect(catalogue.keys(.english) == catalogue.keys(.arabic))
        try catalogue.validate()
    }

    @Test("P7: Arabic texts are Arabic")
    func arabic() throws {
        for key in catalogue.keys(.arabic) {
            let text = try #require(catalogue.text(key, in: .arabic))
            let hasArabic = text.unicodeScalars.contains { (0x0600...0x06ff).contains($0.value) }
            #expect(hasArabic, "\(key)")
            #expect(text != catalogue.text(key, in: .english), "\(key)")
        }
    }

    @Test("a catalogue whose languages differ is refused")
    func unlike() throws {
        var catalogue = catalogue
        try catalogue.add(.english, json: Array(#"{"problem.taken.title": "Taken by {name}"}"#.utf8))
        #expect(throws: ProblemCatalogue.LoadError.unlike(key: "problem.taken.title", languages: ["ar", "en"])) {
            try catalogue.validate()
        }
        try catalogue.add(.arabic, json: Array(#"{"problem.taken.title": "محجوز"}"#.utf8))
        #expect(throws: ProblemCatalogue.LoadError.self) { try catalogue.validate() }
        try catalogue.add(.arabic, json: Array(#"{"problem.taken.title": "محجوز من قبل {name}"}"#.utf8))
        try catalogue.validate()
        #expect(catalogue.text("problem.taken.title", in: .arabic, ["name": "Noor"]) == "محجوز من قبل Noor")
    }

    @Test("every problem and every field code that ServiceKit uses has its words")
    func complete() {
        let problems: [Problem] = [
            .invalidFields([]), .malformedBody, .unsupportedMediaType, .bodyTooLarge(limitBytes: 1), .unauthenticated,
            .tokenExpired, .invalidToken, .forbidden, .notFound, .tooManyRequests(retryAfterSeconds: 1),
            .deadlineExceeded, .unavailable, .internalError, .plain(.badRequest), .plain(.methodNotAllowed),
            .plain(.teapot), .plain(.badGateway), CursorSealer.invalid, IdempotencyStore.inUse,
            Problem("idempotency-key-missing", status: .badRequest), Problem("invalid-query", status: .badRequest),
            Problem("idempotency-key-invalid", status: .badRequest),
            Problem("idempotency-key-reused", status: .unprocessableContent),
        ]
        for problem in problems {
            for part in ["title", "detail"] {
                #expect(catalogue.text("problem.\(problem.slug).\(part)", in: .arabic) != nil, "\(problem.slug)")
            }
        }
        let codes = [
            "required", "too-short", "too-long", "too-few", "too-many", "out-of-range", "invalid-value", "not-a-text",
            "not-true-or-false", "not-a-whole-number", "not-a-number", "not-a-list", "not-an-object", "not-a-choice",
            "not-an-email", "not-a-phone-number", "not-an-id", "not-a-time", "control-characters", "not-a-code",
            "no-place",
        ]
        for code in codes { #expect(catalogue.text("field.\(code)", in: .english) != nil, "\(code)") }
    }

    @Test(
        "P7: the language is Accept-Language's best, else the account's, else English",
        arguments: [
            ("ar", nil, "ar"), ("ar-SA,ar;q=0.9,en;q=0.8", nil, "ar"), ("en;q=0.2, ar;q=0.9", nil, "ar"),
            ("fr, de", nil, "en"), ("fr, de", "ar", "ar"), (nil, "ar", "ar"), (nil, nil, "en"), (nil, "fr", "en"),
            ("*", "ar", "ar"), ("*", nil, "en"), ("fr, *;q=0.1", "ar", "ar"), ("ar;q=0, en;q=0.1", nil, "en"),
            ("ar;q=nonsense, en", nil, "en"), (";;;,,,", nil, "en"), ("AR", nil, "ar"), ("en, ar", "ar", "en"),
            ("en;q=0", nil, "ar"), ("en;q=0, *", nil, "ar"), ("*, en;q=0", "en", "ar"), ("en;q=0, ar;q=0", nil, "en"),
            ("ar;q=0", "ar", "en"), ("fr, *;q=0", nil, "en"),
        ] as [(String?, String?, String)])
    func negotiation(header: String?, account: String?, expected: String) {
        let language = Language.negotiate(
            acceptLanguage: header, preferred: account.map { Language(rawValue: $0) }, available: [.english, .arabic])
        #expect(language.rawValue == expected)
    }

    @Test("templates fill named placeholders and refuse broken braces")
    func templates() throws {
        let template = try #require(MessageTemplate("{{x}} at most {limit} of {unit}, {limit}"))
        #expect(template.placeholders == ["limit", "unit"])
        #expect(template.filled(with: ["limit": "5", "unit": "MB"]) == "{x} at most 5 of MB, 5")
        #expect(template.filled(with: [:]) == "{x} at most  of , ")
        for bad in ["{", "}", "{a", "a}", "{}", "{a b}", "{{}"] { #expect(MessageTemplate(bad) == nil, "\(bad)") }
    }

    @Test("P10: a problem has type, title, status, detail, instance and the fields at fault")
    func document() throws {
        let problem = Problem(
            "invalid-fields", status: .unprocessableContent,
            fields: [FieldProblem("/addresses/0/city~1town", "too-long", ["maximum": "5"])],
            extensions: ["status": 1, "market": "hajji"])
        let document = ProblemDocument(problem, language: .arabic, catalogue: catalogue, requestID: "r-1")
        #expect(document.members["type"] == "urn:serai:problem:invalid-fields")
        #expect(document.members["status"] == 422)
        #expect(document.members["instance"] == "urn:serai:request:r-1")
        #expect(document.members["market"] == "hajji")
        #expect(document.members["title"] == "بعض الحقول تحتاج إلى مراجعة")
        #expect(
            document.members["errors"]
                == .array([
                    .object([
                        "field": "/addresses/0/city~1town", "code": "too-long",
                        "detail": "الحد الأقصى لعدد الأحرف هو 5.",
                    ])
                ]))
    }
}

@Suite("Input")
struct InputTests {
    enum Kind: String, CaseIterable, Decodable { case visit, ride }

    func form(_ json: String) throws -> Form { Form(try JSONValue(parsing: Data(json.utf8))) }

    func codes(_ form: Form) -> [String: String] {
        Dictionary(form.validator.problems.map { ($0.pointer.description, $0.code) }) { first, _ in first }
    }

    @Test("P10: all wrong fields are answered together")
    func together() throws {
        let form = try form(
            """
            {"name": "", "email": "nobody", "phone": "0501234567", "age": 12, "kind": "bus", "when": "tomorrow",
             "id": "x", "agreed": "yes", "price": "5", "place": {"latitude": 91, "longitude": "east"},
             "items": [{"count": 0}, {}, 7], "tags": ["ok", 3, "far too long"], "note": "a\\u0007b"}
            """)
        _ = form.string("name", length: 1...100)
        _ = form.email("email")
        _ = form.phone("phone")
        _ = form.integer("age", in: 13...120)
        _ = form.choice("kind", of: Kind.self)
        _ = form.date("when")
        _ = form.uuid("id")
        _ = form.bool("agreed")
        _ = form.number("price", in: 0...10)
        _ = form.coordinates("place")
        for item in form.objects("items", count: 1...5) ?? [] { _ = item.integer("count", in: 1...9) }
        _ = form.strings("tags", count: 0...5, length: 1...4)
        _ = form.string("note", length: 0...10)
        _ = form.secret("password", length: 10...100)
        #expect(
            codes(form) == [
                "/name": "required", "/email": "not-an-email", "/phone": "not-a-phone-number", "/age": "out-of-range",
                "/kind": "not-a-choice", "/when": "not-a-time", "/id": "not-an-id", "/agreed": "not-true-or-false",
                "/price": "not-a-number", "/place/latitude": "out-of-range", "/place/longitude": "not-a-number",
                "/items/0/count": "out-of-range", "/items/1/count": "required", "/items/2": "not-an-object",
                "/tags/1": "not-a-text", "/tags/2": "too-long", "/note": "control-characters",
                "/password": "required",
            ])
        let problem = #expect(throws: Problem.self) { try form.finish() }
        #expect(problem?.status == .unprocessableContent)
        #expect(problem?.fields.count == 18)
    }

    @Test("a correct form gives its values")
    func correct() throws {
        let form = try form(
            """
            {"name": "  نور ", "email": "Noor@Example.com", "phone": "+966501234567", "kind": "visit",
             "when": "2026-03-01T09:30:00.250+03:00", "age": null, "price": 5, "password": " with spaces ",
             "place": {"latitude": 21.4225, "longitude": 39.8262}}
            """)
        #expect(form.string("name", length: 1...100) == "نور")
        #expect(form.email("email") == "Noor@Example.com")
        #expect(form.phone("phone") == "+966501234567")
        #expect(form.choice("kind", of: Kind.self) == .visit)
        #expect(form.date("when").map(Timestamp.text) == "2026-03-01T06:30:00.250Z")
        #expect(form.integer("age", in: 1...9, required: false) == nil)
        #expect(form.string("absent", length: 1...9, required: false) == nil)
        #expect(form.number("price", in: 0...10) == 5)
        #expect(form.secret("password", length: 10...20)?.revealed == " with spaces ")
        #expect(form.coordinates("place")?.latitude == 21.4225)
        #expect(form.isValid)
        try form.finish()
    }

    @Test("a body that is no object has one clear error")
    func notAnObject() throws {
        let form = try form("[1]")
        _ = form.string("name", length: 1...9)
        #expect(codes(form) == ["": "not-an-object"])
    }

    @Test("P10: a text of few characters may not be megabytes of marks; usual ones have room for theirs")
    func marks() throws {
        let long = "a" + String(repeating: "\u{0301}", count: 500_000)
        #expect(long.count == 1)
        let texts: [(name: String, text: String, isGood: Bool)] = [
            ("long", long, false), ("over", "b" + String(repeating: "\u{0301}", count: 16), false),
            ("full", "ab" + String(repeating: "\u{0301}", count: 15), true),
            ("flags", String(repeating: "\u{1F1F8}\u{1F1E6}", count: 4), true),
            ("arabic", String(repeating: "\u{0645}\u{0651}\u{064E}", count: 4), true),
        ]
        let members = texts.map { ($0.name, JSONValue.string($0.text)) }
        let form = Form(.object(Dictionary(uniqueKeysWithValues: members)))
        for (name, text, isGood) in texts {
            #expect((form.string(name, length: 1...4) == text) == isGood, "\(name)")
        }
        _ = form.string("any", length: 0...Int.max, required: false)
        #expect(codes(form) == ["/long": "too-long", "/over": "too-long"])
        #expect(form.problem.fields.allSatisfy { $0.arguments == ["maximum": "4"] })
    }

    @Test(
        "P10: a text holds nothing that cannot be shown or that turns the words around it",
        arguments: [
            ("\u{0645}\u{200C}\u{064A} \u{200F}نور", "\u{0645}\u{200C}\u{064A} نور"), ("👩\u{200D}⚕️ 🇸🇦", "👩\u{200D}⚕️ 🇸🇦"),
            ("a\u{00A0}b", "a b"), ("a\u{202E}b", "ab"), ("a\u{2066}b", "ab"), ("a\u{200B}b", "ab"),
            ("a\u{FEFF}b", "ab"),
            ("a\tb", "a b"), ("a\u{7F}b", nil), ("a\0b", nil), ("a\u{E000}b", nil), ("a\u{E0067}b", nil),
            ("\u{7}", nil),
        ] as [(String, String?)])
    func showable(text: String, expected: String?) {
        let form = Form(.object(["one": .string(text), "more": .string(text), "list": .array([.string(text)])]))
        #expect(form.string("one", length: 1...20) == expected)
        #expect(form.string("more", length: 1...20, lines: true) == (text.contains("\t") ? text : expected))
        #expect(form.strings("list", count: 1...1, length: 1...20) == expected.map { [$0] })
        #expect(codes(form)["/one"] == (expected == nil ? "control-characters" : nil))
    }

    @Test(
        "P10: an end of a line is one where there are lines, and nowhere else",
        arguments: ["a\nb", "a\r\nb", "a\rb", "a\u{2028}b", "a\u{2029}b", "a\u{85}b", "a\u{B}b"])
    func lines(text: String) {
        let form = Form(.object(["one": .string(text), "more": .string(text)]))
        #expect(form.string("one", length: 1...20) == nil)
        #expect(form.string("more", length: 1...20, lines: true) == "a\nb")
        #expect(codes(form) == ["/one": "control-characters"])
    }

    @Test(
        "e-mail addresses",
        arguments: [
            ("a@b.co", true), ("first.last+tag@sub.example.com", true), ("نور@مثال.السعودية", true),
            ("o'neil@example.ie", true), ("", false), ("a@b", false), ("@b.co", false), ("a@", false),
            ("a b@c.de", false),
            ("a..b@c.de", false), (".a@c.de", false), ("a@-b.de", false), ("a@b..de", false), ("a@b.d", false),
            ("a@1.2.3.44", false), ("a@b.de\n", false), ("\"a\"@b.de", false),
            (String(repeating: "a", count: 65) + "@b.de", false),
            ("a@" + String(repeating: "b", count: 64) + ".de", false),
        ])
    func email(text: String, isGood: Bool) {
        #expect(TextRule.isEmail(text) == isGood, "\(text)")
    }

    @Test(
        "phone numbers are E.164",
        arguments: [
            ("+966501234567", true), ("+4670123456", true), ("+123456789012345", true), ("966501234567", false),
            ("+0501234567", false), ("+12345", false), ("+1234567890123456", false), ("+96650 123", false),
            ("+٩٦٦٥٠١٢٣٤٥٦٧", false), ("+", false), ("", false),
        ])
    func phone(text: String, isGood: Bool) {
        #expect(TextRule.isPhone(text) == isGood, "\(text)")
    }

    struct Order: Decodable {
        struct Item: Decodable { let count: Int }
        let kind: Kind
        let items: [Item]
        let at: Date
        let note: String?
        let isNow: Bool
    }

    func decodingFields(_ json: String) -> [FieldProblem] {
        do {
            _ = try JSON.answer.decode(Order.self, json.utf8)
            return []
        } catch let error as DecodingError {
            return Problem(error).fields
        } catch {
            Issue.record(error)
            return []
        }
    }

    @Test("P10: decoding errors name the place and the mistake, never Swift's types")
    func decoding() {
        let good = #""kind": "ride", "items": [], "at": "2026-01-01T00:00:00Z", "isNow": true"#
        #expect(decodingFields("{\(good)}").isEmpty)
        #expect(decodingFields("{}") == [FieldProblem("kind", "required")])
        #expect(decodingFields(#"{"kind": "bus"}"#) == [FieldProblem("kind", "invalid-value")])
        #expect(decodingFields(#"{"kind": null}"#) == [FieldProblem("kind", "required")])
        #expect(decodingFields(#"{"kind": 1}"#) == [FieldProblem("kind", "not-a-text")])
        #expect(decodingFields(#"{"kind": "ride", "items": {}}"#) == [FieldProblem("items", "not-a-list")])
        #expect(
            decodingFields(#"{"kind": "ride", "items": [{"count": 1}, {"count": "2"}]}"#)
                == [FieldProblem("/items/1/count", "not-a-whole-number")])
        #expect(
            decodingFields(#"{"kind": "ride", "items": [1]}"#) == [FieldProblem("/items/0", "not-an-object")])
        #expect(
            decodingFields(#"{"kind": "ride", "items": [], "at": "noon"}"#) == [FieldProblem("at", "invalid-value")])
        #expect(
            decodingFields(#"{"kind": "ride", "items": [], "at": "2026-01-01T00:00:00Z", "isNow": 1}"#)
                == [FieldProblem("isNow", "not-true-or-false")])
    }

    @Test("JSON pointers escape what RFC 6901 says")
    func pointers() {
        #expect(JSONPointer(["a/b", "m~n", "0"]).description == "/a~1b/m~0n/0")
        #expect(("/a~1b/m~0n" as JSONPointer).tokens == ["a/b", "m~n"])
        #expect(JSONPointer.root.description == "")
        #expect(("name" as JSONPointer).description == "/name")
    }

    @Test("JSON values keep whole numbers exactly")
    func numbers() throws {
        let value = try JSONValue(parsing: Data("[9007199254740993, 1.5, true, null, \"x\"]".utf8))
        #expect(value == .array([9_007_199_254_740_993, .number(1.5), true, .null, "x"]))
    }

    @Test("ids made later sort later and are version 7")
    func timeOrderedIDs() {
        var generator = SeededGenerator()
        let ids = (0..<100).map { UUID.timeOrdered(milliseconds: 1_700_000_000_000 + $0, using: &generator).text }
        #expect(ids == ids.sorted())
        #expect(ids.allSatisfy { Array($0)[14] == "7" && "89ab".contains(Array($0)[19]) })
    }
}

extension HTTPResponse.Status {
    static let teapot = HTTPResponse.Status(code: 418)
}
