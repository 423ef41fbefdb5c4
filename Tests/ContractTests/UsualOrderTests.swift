import Contracts
import Foundation
import Messaging
import TestKit
import Testing

@Suite("Order events, read and written without Foundation")
struct UsualOrderTests {
    /// The others come seldom and are Foundation's.
    private static let byHand: [any OrderEvent.Type] = AllMessages.types.compactMap { $0 as? any OrderEvent.Type }
        .filter { $0 != OrderPreparing.self && $0 != OrderTimeAsked.self }

    @Test("each order event is written and read by hand, with the content that Foundation writes and reads")
    func whole() throws {
        #expect(Self.byHand.count == 21)
        for type in Self.byHand { try expectUsual(type) }
    }

    @Test("a snapshot in which nothing is missing is written and read whole")
    func fields() throws {
        let order = Self.full
        #expect(missing(order, "order") == [], "the snapshot of this test lacks a field")
        let event = OrderCompleted(order: order)
        let body = try #require(event.usualBody)
        #expect(try object(body) == object(byFoundation(event)))
        #expect(FastJSON.read(OrderCompleted.self, body)?.order == order)
        #expect(try object(MessageJSON.encode(order)) == object(byFoundation(order)))
        // As the stream has it, with a field before and one behind.
        let text = Array(
            #"{"label":"x",\#(String(decoding: try MessageJSON.encode(order).dropFirst(), as: UTF8.self))"#.utf8)
        let read = FastJSON.read(text) { json throws(FastJSON.UnsupportedJSON) in
            var fields = OrderSnapshot.UsualFields()
            try json.beginObject()
            while let key = try json.nextKey() {
                if key == "label" { _ = try json.text() } else { #expect(try fields.read(key, &json), "\(key)") }
            }
            return fields.snapshot
        }
        #expect(read == order)
    }

    @Test("a body that is cut, changed or mixed is read by hand as Foundation reads it, or not at all")
    func damaged() throws {
        var generator = SeededGenerator()
        let events: [any Message] = [
            OrderCompleted(order: Self.full), OrderCancelled(order: Self.full, former: Self.full.customer),
            OrderAccepted(order: Self.full, companion: "Huda"),
            OrderNearby(order: Self.full, metresLeft: 7, secondsLeft: 0),
        ]
        for _ in 0..<2_000 {
            for event in events { try expectAgreement(event, &generator) }
        }
    }

    @Test(
        "words that need escapes, ids as words, and null are Foundation's",
        arguments: [
            #"Anna "Nan" Smith"#, #"a\b"#, "two\nlines", "\u{1}", "01890A0C-47B1-7C3A-9D52-3F6B8E1A2C4D",
        ])
    func unusual(_ word: String) throws {
        var order = Self.full
        order.reason = word
        let event = OrderCancelled(order: order)
        #expect(event.usualBody == nil)
        let body = try MessageJSON.encode(event)
        #expect(try object(body) == object(byFoundation(event)))
        #expect(try object(MessageJSON.encode(order)) == object(byFoundation(order)))
        order.reason = nil
        let plain = String(decoding: OrderCancelled(order: order).usualBody ?? [], as: UTF8.self)
        let null = Array((plain.dropLast() + #","former":null}"#).utf8)
        #expect(FastJSON.read(OrderCancelled.self, null) == nil)
        #expect(try MessageJSON.decode(OrderCancelled.self, null).former == nil)
        order.services[0].name = [word: "name"]
        #expect(OrderCancelled(order: order).usualBody == nil)
    }

    @Test("an order event has no field that its writing by hand would leave out")
    func eventFields() throws {
        for type in Self.byHand {
            let event = try sample(type)
            let fields = Mirror(reflecting: event).children.compactMap(\.label)
            let known: [String] =
                switch event {
                case is any SnapshotEvent: ["order"]
                case is any PartingEvent: ["order", "former"]
                case is OrderAccepted: ["order", "companion"]
                default: ["order", "metresLeft", "secondsLeft"]
                }
            #expect(fields == known, "\(type.name)")
        }
    }

    /// The paths of what is nil in a value, at any depth.
    private func missing(_ value: Any, _ path: String) -> [String] {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle != .optional || mirror.children.count > 0 else { return [path] }
        return mirror.children.flatMap { missing($0.value, "\(path).\($0.label ?? "")") }
    }

    private func sample<Event: OrderEvent>(_ type: Event.Type) throws -> any OrderEvent {
        try decodedByFoundation(type, try golden(type.name))
    }

    private func golden(_ name: MessageName) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Golden")
        return [UInt8](try Data(contentsOf: folder.appending(path: "\(name.text).json")))
    }

    private static let full: OrderSnapshot = {
        let id = UUID(uuidString: "01890a0c-47b1-7c3a-9d52-3f6b8e1a2c4d") ?? UUID()
        let at = Date(timeIntervalSince1970: 1_772_387_130.125)
        let money = Money(amount: 12_000, currency: "SAR")
        var order = OrderSnapshot(
            order: id, market: "assef", kind: "visit", version: 7, state: .completed,
            customer: .init(account: id, name: "Salem"), provider: .init(account: id, name: "نورة"),
            services: [
                .init(service: "wound-care", name: ["en": "Wound care", "ar": "العناية بالجروح"], price: 12_000),
                .init(service: "injection", name: [:], price: 0),
            ], total: money, payment: .init(method: "card", state: .captured), confirmedBy: [.customer, .provider],
            deadline: at, by: .system, reason: "no-show", requestedAt: at, changedAt: at.addingTimeInterval(1),
            fine: Money(amount: -1, currency: "SAR"), deposit: money,
            shares: [
                .init(party: .provider, account: id, name: "نورة", amount: 1),
                .init(party: .merchant, account: id, name: "Bakery", amount: 0),
            ], report: id)
        order.acceptance = 3
        order.paysByConsent = true
        order.outcome = .init(decision: .returnToCustomer, toCustomer: money, reason: "right")
        order.scheduledAt = at
        order.promo = .init(code: "SPRING", discount: 500)
        order.consent = .init(method: .card, card: id, agreedAt: at, upTo: 12_000)
        order.roughPrice = 1_100
        return order
    }()

    // MARK: Against Foundation

    private func expectUsual<Event: OrderEvent>(_ type: Event.Type) throws {
        let sample = try golden(type.name)
        let event = try decodedByFoundation(type, sample)
        let body = try #require(event.usualBody, "\(type.name)")
        #expect(try object(body) == object(sample), "\(type.name)")
        let read = try #require(FastJSON.read(type, body), "\(type.name)")
        #expect(try object(byFoundation(read)) == object(sample), "\(type.name)")
        let written = try #require(FastJSON.read(type, byFoundation(event)), "\(type.name)")
        #expect(try object(byFoundation(written)) == object(sample), "\(type.name)")
    }

    private func expectAgreement<Event: Message>(_ event: Event, _ generator: inout SeededGenerator) throws {
        let whole = try #require(event.usualBody)
        let body = generator.damaged(whole, with: #"{}[]",:0123456789-+.eE\u null true name order provider"#)
        guard let read = FastJSON.read(Event.self, body) else { return }
        let text = "\(String(decoding: body, as: UTF8.self)) \(generator)"
        // try?: that Foundation does not read it is what is looked for.
        let expected = try? decodedByFoundation(Event.self, body)
        let known = try #require(expected, "\(text)")
        #expect(try object(byFoundation(read)) == object(byFoundation(known)), "\(text)")
    }

    /// A generic type that is only known to be encodable has no other way.
    private func byFoundation(_ message: some Encodable) throws -> [UInt8] { try MessageJSON.encode(message) }

    private func decodedByFoundation<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) throws -> Value {
        try MessageJSON.decode(type, body)
    }

    private func object(_ body: [UInt8]) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(body)) as? NSDictionary)
    }
}
