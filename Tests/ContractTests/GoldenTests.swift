import Contracts
import Foundation
import Messaging
import SeraiJSON
import Testing

@Suite("Messages on the wire")
struct GoldenTests {
    /// Equal as JSON values.
    private static func object(_ data: Data) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: data) as? NSDictionary)
    }

    private static func reencode<M: Message>(_ type: M.Type, _ data: Data) throws -> Data {
        Data(try JSON.wire.encode(try JSON.wire.decode(type, [UInt8](data))))
    }

    @Test("each message reads its sample, and writes the very same again", arguments: AllMessages.types.map { $0.name })
    func roundTrip(_ name: MessageName) throws {
        let type = try #require(AllMessages.types.first { $0.name == name })
        let sample = try GoldenSample.current(name)
        #expect(try Self.object(try Self.reencode(type, sample)) == Self.object(sample))
    }

    @Test("a field that a reader does not know is ignored", arguments: AllMessages.types.map { $0.name })
    func unknownField(_ name: MessageName) throws {
        let type = try #require(AllMessages.types.first { $0.name == name })
        let sample = try GoldenSample.current(name)
        var object = try #require(try JSONSerialization.jsonObject(with: sample) as? [String: Any])
        object["laterField"] = ["a": 1]
        let later = try JSONSerialization.data(withJSONObject: object)
        #expect(try Self.object(try Self.reencode(type, later)) == Self.object(sample))
    }

    @Test("Q2: what the version before has written is read with all that it said", arguments: GoldenSample.former)
    func former(_ sample: GoldenSample) throws {
        let type = try #require(AllMessages.types.first { $0.name == sample.name })
        #expect(try Self.object(try Self.reencode(type, sample.body)) == Self.object(sample.body))
        #expect(try Self.object(sample.body) != Self.object(GoldenSample.current(sample.name)), "it is no former one")
    }

    @Test("every sample belongs to a message of the list")
    func complete() throws {
        #expect(try Set(GoldenSample.names()) == Set(AllMessages.types.map { $0.name.text }))
        #expect(try GoldenSample.former.count == GoldenSample.names(in: "former").count)
    }
}
