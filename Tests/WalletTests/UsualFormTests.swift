import Contracts
import Foundation
import Messaging
import TestKit
import Testing

@testable import SeraiWallet

@Suite("What the ledger is asked and answers, read and written without Foundation")
struct UsualFormTests {
    @Test("W6: each command is read by hand as Foundation wrote it, with the same content")
    func whole() throws {
        var source = MessageSource()
        for _ in 0..<500 {
            for message in source.commands() { try expectUsual(message, source.generator) }
        }
    }

    @Test("W6: a body that is cut, changed or mixed is read by hand as Foundation reads it, or not at all")
    func damaged() throws {
        var source = MessageSource()
        for _ in 0..<1_500 {
            for message in source.commands() { try expectAgreement(message, &source) }
        }
    }

    @Test("W6: what is right but not usual is left to Foundation: spaces, escapes, null, later fields, keys twice")
    func unusual() throws {
        let id = "01890a0c-47b1-7c3a-9d52-3f6b8e1a2c4d"
        let right = [
            #"{ "hold":"\#(id)"}"#, #"{"hold":"\#(id)","later":{"a":[1]}}"#, #"{"hold":"\#(id)","note":null}"#,
            #"{"hold":"\#(id)"} "#, #"{"h\u006fld":"\#(id)"}"#,
        ]
        for body in right {
            let bytes = Array(body.utf8)
            #expect(FastJSON.read(ReleaseHold.self, bytes) == nil, "\(body)")
            #expect(try MessageJSON.decode(ReleaseHold.self, bytes).hold.text == id, "\(body)")
        }
        let wrong = [
            "", "{", "{}", "[]", #"{"hold":"\#(id)""#, #"{,"hold":"\#(id)"}"#,
            #"{"hold":"\#(id)"}}"#, #"{"hold":7}"#,
        ]
        for body in wrong {
            let bytes = Array(body.utf8)
            #expect(FastJSON.read(ReleaseHold.self, bytes) == nil, "\(body)")
            #expect(throws: (any Error).self, "\(body)") { try MessageJSON.decode(ReleaseHold.self, bytes) }
        }
        // Foundation takes these two.
        for body in [#"{"hold":"\#(id)","hold":"\#(id)"}"#, #"{"hold":"\#(id)",}"#] {
            #expect(FastJSON.read(ReleaseHold.self, Array(body.utf8)) == nil, "\(body)")
        }
    }

    @Test("W6: numbers are whole and of 18 digits at most, or Foundation's to judge")
    func numbers() throws {
        func read(_ amount: String) -> Int? {
            let body =
                #"{"hold":"01890a0c-47b1-7c3a-9d52-3f6b8e1a2c4d","account":"01890a0c-47b1-7c3a-9d52-3f6b8e1a2c4d","#
                + #""amount":{"amount":\#(amount),"currency":"SAR"},"subject":"01890a0c-47b1-7c3a-9d52-3f6b8e1a2c4d"}"#
            return FastJSON.read(PlaceHold.self, Array(body.utf8))?.amount.amount
        }
        for amount in [0, 7, -7, 10, 999_999_999_999_999_999, -999_999_999_999_999_999] {
            #expect(read("\(amount)") == amount)
        }
        for text in ["", "-", "-0", "01", "1.0", "1e2", "+1", "9223372036854775807", "99999999999999999999", "x"] {
            #expect(read(text) == nil, "\(text)")
        }
    }

    @Test("W6: answers are written by hand with the content that Foundation writes, and a strange reason by Foundation")
    func answers() throws {
        var source = MessageSource()
        for _ in 0..<2_000 {
            let (id, transfer, at) = (source.id(), source.id(), source.time())
            let kind = LedgerCommandKind.allCases.randomElement(using: &source.generator) ?? .post
            let posted = TransferPosted(command: kind, id: id, transfer: transfer, at: at)
            #expect(try object(MessageJSON.encode(posted)) == object(encodedByFoundation(posted)))
            #expect(posted.usualBody != nil)
            let reason = LedgerRefusal.allCases.randomElement(using: &source.generator) ?? .invalid
            let refused = TransferRefused(command: kind, id: id, reason: reason.rawValue, at: at)
            #expect(try object(MessageJSON.encode(refused)) == object(encodedByFoundation(refused)))
            #expect(refused.usualBody != nil)
        }
        for reason in ["", #"a "quoted" \ word"#, "واحد", source.id().uuidString, "a\nb"] {
            let refused = TransferRefused(command: .post, id: source.id(), reason: reason, at: source.time())
            #expect(try object(MessageJSON.encode(refused)) == object(encodedByFoundation(refused)), "\(reason)")
        }
    }

    // MARK: Against Foundation

    private func expectUsual<M: Message>(_ message: M, _ generator: SeededGenerator) throws {
        let body = try encodedByFoundation(message)
        let read = try #require(FastJSON.read(M.self, body), "\(String(decoding: body, as: UTF8.self)) \(generator)")
        #expect(try object(encodedByFoundation(read)) == object(body), "\(generator)")
    }

    private func expectAgreement<M: Message>(_ message: M, _ source: inout MessageSource) throws {
        let body = source.generator.damaged(
            try encodedByFoundation(message), with: #"{}[]",:0123456789-+.eE\u null true wallet owner"#)
        guard let read = FastJSON.read(M.self, body) else { return }
        let text = "\(String(decoding: body, as: UTF8.self)) \(source.generator)"
        // try?: that Foundation does not read it is what is looked for.
        let expected = try? decodedByFoundation(M.self, body)
        let known = try #require(expected, "\(text)")
        #expect(try object(encodedByFoundation(read)) == object(encodedByFoundation(known)), "\(text)")
    }

    /// A generic type that is only known to be encodable has no other way.
    private func encodedByFoundation(_ message: some Encodable) throws -> [UInt8] { try MessageJSON.encode(message) }

    private func decodedByFoundation<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) throws -> Value {
        try MessageJSON.decode(type, body)
    }

    private func object(_ body: [UInt8]) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(body)) as? NSDictionary)
    }
}

/// Random messages to the ledger.
private struct MessageSource {
    var generator = SeededGenerator()

    mutating func id() -> UUID {
        UUID.timeOrdered(milliseconds: .random(in: 0..<(1 << 48), using: &generator), using: &generator)
    }

    /// Whole milliseconds of this century.
    mutating func time() -> Date {
        Date(timeIntervalSince1970: Double(Int.random(in: 0..<4_000_000_000_000, using: &generator)) / 1_000)
    }

    mutating func commands() -> [any Message] {
        [
            PlaceHold(
                hold: id(), account: id(), amount: Money(amount: amount(), currency: word()), subject: id(),
                expiresAt: Bool.random(using: &generator) ? time() : nil, note: note()),
            CaptureHold(
                hold: id(), currency: word(),
                shares: (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    CaptureHold.Share(to: account(), amount: amount())
                }),
            ReleaseHold(hold: id()),
            PostTransfer(
                id: id(), subject: id(), currency: word(),
                legs: (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    PostTransfer.Leg(from: account(), to: account(), amount: amount())
                }, note: note()),
        ]
    }

    private mutating func amount() -> Int { Int.random(in: -9_999...1_000_000_000_000, using: &generator) }

    private mutating func word() -> String {
        ["SAR", "EUR", "", "Wound care", "العناية بالجروح", "é", "👩‍⚕️"].randomElement(using: &generator) ?? "SAR"
    }

    private mutating func account() -> LedgerAccount {
        Bool.random(using: &generator) ? .platform : .wallet(id())
    }

    private mutating func note() -> StatementNote? {
        guard Bool.random(using: &generator) else { return nil }
        return StatementNote(market: word(), title: ["en": word(), "ar": word()], payer: word(), beneficiary: word())
    }
}
