import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import SeraiJSON
import ServiceKit
import Testing

@Suite("Answers in JSON")
struct AnswerTests {
    private struct Note: ResponseEncodable, Codable, Equatable {
        let words: String
        var at = Date(timeIntervalSince1970: 1_772_387_130.125)
        var number = 4.5
    }

    @Test(
        "an answer has sorted members, its length and its type, whatever is in it",
        arguments: ["plain", "نورة", #"a "b" \ c/d"#, "two\nlines", "01890A0C-47B1-7C3A-9D52-3F6B8E1A2C4D"])
    func note(_ words: String) async throws {
        let router = Router(context: SeraiRequestContext.self)
        router.get("/note") { _, _ in Note(words: words) }
        try await Application(router: router).test(.router) { client in
            let answer = try await client.execute(uri: "/note", method: .get)
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/json; charset=utf-8")
            #expect(answer.headers[.contentLength] == String(answer.body.readableBytes))
            let body = String(buffer: answer.body)
            #expect(body.hasPrefix(#"{"at":"2026-03-01T17:45:30.125Z","number":4.5,"words":""#), "\(body)")
            #expect(try JSON.answer.decode(Note.self, body.utf8) == Note(words: words))
        }
    }
}
