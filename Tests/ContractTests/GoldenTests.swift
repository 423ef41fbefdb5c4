import Contracts
import Foundation
import Messaging
import SeraiJSON
import Testing

@Suite("Messages on the wire")
struct GoldenTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    private static func sample(_ name: MessageName) throws -> Data {
        try Data(contentsOf: folder.appending(path: "\(name.text).json"))
    }

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
        let sample = try Self.sample(name)
        #expect(try Self.object(try Self.reencode(type, sample)) == Self.object(sample))
    }

    @Test("a field that a reader does not know is ignored", arguments: AllMessages.types.map { $0.name })
    func unknownField(_ name: MessageName) throws {
        let type = try #require(AllMessages.types.first { $0.name == name })
        let sample = try Self.sample(name)
        var object = try #require(try JSONSerialization.jsonObject(with: sample) as? [String: Any])
        object["laterField"] = ["a": 1]
        let later = try JSONSerialization.data(withJSONObject: object)
        #expect(try Self.object(try Self.reencode(type, later)) == Self.object(sample))
    }

    @Test("every sample belongs to a message of the list")
    func complete() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).map { $0.dropLast(5) }
        #expect(Set(files.map(String.init)) == Set(AllMessages.types.map { $0.name.text }))
    }
}
