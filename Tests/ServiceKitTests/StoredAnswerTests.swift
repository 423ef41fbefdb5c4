import Foundation
import SeraiJSON
import Testing

@testable import ServiceKit

@Suite("Stored answers")
struct StoredAnswerTests {
    private static func answer(_ body: [UInt8], value: String = "application/json; charset=utf-8") -> StoredAnswer {
        StoredAnswer(
            status: 201,
            headers: [
                StoredAnswer.Field(name: "content-type", value: value),
                StoredAnswer.Field(name: "location", value: "/orders/1"),
            ], body: Data(body))
    }

    @Test(
        "an answer is kept as older processes of the service read it, and theirs are read here",
        arguments: [
            answer([]), answer([0]), answer(Array(0...255)), answer(Array(#"{"order":"a/b"}"#.utf8)),
            answer([1], value: #"attachment; filename="a.csv""#), StoredAnswer(status: 204, headers: [], body: Data()),
        ])
    func same(_ answer: StoredAnswer) throws {
        let stored = try JSON.stored.encode(answer)
        #expect(try JSONDecoder().decode(StoredAnswer.self, from: Data(stored)) == answer)
        #expect(try JSON.stored.decode(StoredAnswer.self, stored) == answer)
        #expect(try JSON.stored.decode(StoredAnswer.self, JSONEncoder().encode(answer)) == answer)
    }

    @Test(
        "what is no answer is an error",
        arguments: ["", "{}", #"{"status":200}"#, #"{"status":200,"headers":[],"body":"?"}"#])
    func damaged(_ json: String) {
        #expect(throws: (any Error).self) { try JSON.stored.decode(StoredAnswer.self, json.utf8) }
    }
}
