import Foundation
import ServiceKit
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("Arguments of inbox items, read and written without Foundation")
struct StoredArgumentTests {
    private static let arguments: [String: TextArgument] = [
        "service": .words([["en": "Wound care", "ar": "العناية بالجروح"], [:]]),
        "reason": .text("too late"), "provider": .person(name: "نورة", account: SequentialIDs().next()),
        "price": .money(amount: -12_050, currency: "SAR"), "stars": .number(5),
    ]

    @Test("N1: arguments are stored as Foundation would store them, and each reads what the other wrote")
    func same() throws {
        let stored = try StoredArguments.encode(Self.arguments)
        #expect(try object(stored) == object(byFoundation(Self.arguments)))
        #expect(StoredArguments.usualBody(Self.arguments) != nil)
        #expect(StoredArguments.usual(stored) == Self.arguments)
        #expect(StoredArguments.decode(try byFoundation(Self.arguments)) == Self.arguments)
        #expect(
            try JSONDecoder().decode([String: TextArgument].self, from: Data(stored.utf8)) == Self.arguments)
        #expect(try StoredArguments.encode([:]) == "{}")
        #expect(StoredArguments.decode("{}") == [:])
    }

    @Test(
        "N1: a person's own words are told as they were written",
        arguments: [#"Anna "Nan" Smith"#, #"a\b/c"#, "two\nlines", "01890A0C-47B1-7C3A-9D52-3F6B8E1A2C4D", ""])
    func words(_ words: String) throws {
        let arguments: [String: TextArgument] = [
            "reason": .text(words), words: .number(1), "by": .person(name: words, account: SequentialIDs().next()),
        ]
        #expect(StoredArguments.decode(try StoredArguments.encode(arguments)) == arguments)
    }

    @Test("N1: what a newer program has stored is read as far as Foundation reads it, or not at all")
    func newer() {
        #expect(StoredArguments.decode(#"{"a":{"text":"x","later":1}}"#) == ["a": .text("x")])
        #expect(StoredArguments.decode(#"{"a":{"text":"x","number":1}}"#) == ["a": .text("x")])
        #expect(StoredArguments.decode(#"{"a":{"later":1}}"#) == nil)
        #expect(StoredArguments.decode("[]") == nil)
    }

    @Test("N1: arguments that are cut or changed are read as Foundation reads them, or not at all")
    func damaged() throws {
        var generator = SeededGenerator()
        let stored = Array(try StoredArguments.encode(Self.arguments).utf8)
        for _ in 0..<3_000 {
            let text = String(
                decoding: generator.damaged(stored, with: #"{}[]",:0123456789 textofwords"#), as: UTF8.self)
            // try?: that Foundation does not read it is what is looked for.
            let expected = try? JSONDecoder().decode([String: TextArgument].self, from: Data(text.utf8))
            #expect(StoredArguments.decode(text) == expected, "\(text) \(generator)")
        }
    }

    @Test("N1: an item on the stream is written as Foundation writes it")
    func item() throws {
        let at = Date(timeIntervalSince1970: 1_772_387_130.125)
        for order in [nil, "01890a0c-47b1-7c3a-9d52-3f6b8e1a2c4e"] {
            let view = InboxItemView(
                id: "01890a0c-47b1-7c3a-9d52-3f6b8e1a2c4d", topic: "order.accepted", subject: "نورة comes",
                content: "At nine / ten", at: at, order: order, read: false)
            let body = try #require(view.usualBody)
            #expect(
                try object(String(decoding: body, as: UTF8.self))
                    == object(String(decoding: JSONEncoder.service.encode(view), as: UTF8.self)))
        }
    }

    private func byFoundation(_ arguments: [String: TextArgument]) throws -> String {
        String(decoding: try JSONEncoder().encode(arguments), as: UTF8.self)
    }

    private func object(_ text: String) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    }
}
