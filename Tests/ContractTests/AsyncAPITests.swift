import Contracts
import Foundation
import Messaging
import SeraiJSON
import Testing

@Suite("The AsyncAPI document")
struct AsyncAPITests {
    private let document: AsyncAPIDocument

    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let docs = tests.deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs")
    private static let file = docs.appending(path: "asyncapi.yaml")

    init() throws {
        document = try AsyncAPIDocument(yaml: String(contentsOf: Self.file, encoding: .utf8))
    }

    /// The golden sample of a message on one line; for positions and places, which have none, what the code writes.
    private static func example(_ name: String) throws -> String {
        if let body = try transient(name) {
            let object = try JSONSerialization.jsonObject(with: Data(body))
            return String(
                decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
        }
        let text = try String(contentsOf: tests.appending(path: "Golden/\(name).json"), encoding: .utf8)
        return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    }

    private static func transient(_ name: String) throws -> [UInt8]? {
        switch name {
        case ProviderPositions.exchange: try JSON.wire.encode(positions)
        case FriendPlaces.exchange: try JSON.wire.encode(places)
        default: nil
        }
    }

    private static let places = FriendPlaces(places: [
        .init(
            account: id(1), place: Coordinate(latitude: 21.4225, longitude: 39.8262),
            at: Date(timeIntervalSince1970: 1_772_387_130), expiresAt: Date(timeIntervalSince1970: 1_772_390_730),
            friends: [id(2)]),
        .init(
            account: id(3), place: nil, at: Date(timeIntervalSince1970: 1_772_387_131), expiresAt: nil,
            friends: [id(2)]),
    ])

    private static let positions = ProviderPositions(positions: [
        .init(
            provider: id(1), market: "assef", place: Coordinate(latitude: 24.7, longitude: 46.7),
            at: Date(timeIntervalSince1970: 1_772_387_130),
            tracking: .init(order: id(10), customer: id(2), metresLeft: 5, secondsLeft: 1))
    ])

    private static func id(_ last: UInt8) -> UUID {
        UUID(uuid: (1, 0x95, 0xd3, 0xa0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, last))
    }

    @Test("the file says of channels, operations and examples what the code says; `make asyncapi` writes it anew")
    func isCurrent() throws {
        let schemas = try String(contentsOf: Self.docs.appending(path: "asyncapi/schemas.yaml"), encoding: .utf8)
        let generated = try AsyncAPIGenerator(schemasText: schemas, example: Self.example).document()
        if ProcessInfo.processInfo.environment["SERAI_WRITE_ASYNCAPI"] != nil {
            try generated.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == generated)
    }

    private func sample(_ name: MessageName) throws -> [String: Any] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Golden")
        let data = try Data(contentsOf: folder.appending(path: "\(name.text).json"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func reads<M: Message>(_ type: M.Type, _ object: [String: Any]) throws -> Bool {
        let data = try JSONSerialization.data(withJSONObject: object)
        do {
            _ = try JSON.wire.decode(type, [UInt8](data))
            return true
        } catch is DecodingError {
            return false
        }
    }

    @Test("it has a channel for every message that crosses a service's border, and for no other")
    func channels() {
        let names = Set(AllMessages.types.map { $0.name.text })
        #expect(Set(document.channels.keys) == names.union([ProviderPositions.exchange, FriendPlaces.exchange]))
        for type in AllMessages.types {
            let name = type.name
            let channel = document.channels[name.text]
            #expect(channel?["address"] as? String == name.text)
            let exchange = type.kind == .command ? "\(name.service).commands" : name.service
            #expect(document.exchange(of: name.text) == exchange)
            #expect(document.payload(of: name.text) != nil)
        }
    }

    @Test("each event is sent, and each command received, by the service whose name it begins with, once")
    func operations() {
        let (sent, received) = (document.sends, document.receives)
        // Positions of providers and places of friends are no messages of the outbox.
        #expect(sent.count + received.count == AllMessages.types.count + 2)
        for type in AllMessages.types {
            let name = type.name
            let operations = type.kind == .command ? received : sent
            #expect(operations.filter { $0.channel == name.text }.map(\.service) == [name.service], "\(name)")
        }
    }

    @Test(
        "every field of a sample is described with its type, and every required one is there",
        arguments: AllMessages.types.map { $0.name })
    func samples(_ name: MessageName) throws {
        let payload = try #require(document.payload(of: name.text))
        #expect(document.faults(of: try sample(name), by: payload) == [])
    }

    @Test(
        "a field is described as required if, and only if, readers need it",
        arguments: AllMessages.types.map { $0.name })
    func required(_ name: MessageName) throws {
        let type = try #require(AllMessages.types.first { $0.name == name })
        let payload = try #require(document.payload(of: name.text))
        let whole = try sample(name)
        for field in document.fields(of: whole, by: payload) {
            let lacking = try #require(AsyncAPIDocument.removing(field.path, from: whole) as? [String: Any])
            let place = "\(name): \(field.path.joined(separator: "/"))"
            #expect(try reads(type, lacking) == !field.isRequired, "\(place)")
        }
    }

    @Test("its lists of states, methods, actors and settings are the code's")
    func choices() {
        #expect(document.choices("OrderState") == OrderSnapshot.State.allCases.map(\.rawValue))
        #expect(document.choices("PaymentMethod") == PaymentSnapshot.Method.allCases.map(\.rawValue))
        #expect(
            document.choices("SettingChanged", field: "key") == MarketSettings.Key.allCases.map(\.rawValue))
        #expect(document.choices("LedgerCommandKind") == LedgerCommandKind.allCases.map(\.rawValue))
        #expect(document.choices("LedgerAccount", field: "kind") == LedgerAccount.Kind.allCases.map(\.rawValue))
        for actor in document.choices("Actor") { #expect(OrderSnapshot.Actor(rawValue: actor) != nil) }
        for state in document.choices("PaymentState") { #expect(PaymentSnapshot.State(rawValue: state) != nil) }
        for state in document.choices("OrderPayment", field: "state") {
            #expect(OrderSnapshot.Payment.State(rawValue: state) != nil)
        }
    }

    @Test("positions, and places of friends, are described as they are written")
    func positions() throws {
        let object = try JSONSerialization.jsonObject(with: Data(try JSON.wire.encode(Self.positions)))
        let payload = try #require(document.payload(of: ProviderPositions.exchange))
        #expect(document.faults(of: object, by: payload) == [])
        let places = try JSONSerialization.jsonObject(with: Data(try JSON.wire.encode(Self.places)))
        #expect(document.faults(of: places, by: try #require(document.payload(of: FriendPlaces.exchange))) == [])
    }

    @Test("a document that is wrong about a field is found out")
    func faults() throws {
        let payload = try #require(document.payload(of: OrderAccepted.name.text))
        var object = try sample(OrderAccepted.name)
        object["companion"] = 5
        object["undescribed"] = "x"
        var order = try #require(object["order"] as? [String: Any])
        order["state"] = "sleeping"
        order["version"] = nil
        order["changedAt"] = "yesterday"
        order["order"] = "5"
        object["order"] = order
        #expect(
            document.faults(of: object, by: payload) == [
                "/companion is no string", "/order/changedAt is no date-time", "/order/order is no uuid",
                "/order/state is none of its choices", "/order/version is required", "/undescribed is not described",
            ])
    }
}
