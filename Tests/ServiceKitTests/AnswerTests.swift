import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Messaging
import NIOCore
import Testing

@testable import ServiceKit

@Suite("Answers in JSON")
struct AnswerTests {
    /// Writes itself where its words are plain.
    private struct Note: ResponseEncodable, UsuallyWritten {
        let words: String
        let at = Date(timeIntervalSince1970: 1_772_387_130.125)
        let number = 4.5

        var usualBody: [UInt8]? {
            var json = UsualObject(capacity: 64)
            json.add("words", text: words)
            json.add("at", at)
            json.add("number", decimal: number)
            return json.end()
        }
    }

    private struct PlainNote: ResponseEncodable {
        let words: String
        let at = Date(timeIntervalSince1970: 1_772_387_130.125)
        let number = 4.5
    }

    private struct Read: Decodable, Equatable {
        let words: String
        let at: Date
        let number: Double
    }

    @Test(
        "an answer that writes itself reaches its reader as Foundation would write it, whatever is in it",
        arguments: ["plain", "نورة", #"a "b" \ c/d"#, "two\nlines", "01890A0C-47B1-7C3A-9D52-3F6B8E1A2C4D"])
    func same(_ words: String) async throws {
        let router = Router(context: SeraiRequestContext.self)
        router.get("/note") { _, _ in Note(words: words) }
        router.get("/plain") { _, _ in PlainNote(words: words) }
        try await Application(router: router).test(.router) { client in
            let byHand = try await client.execute(uri: "/note", method: .get)
            let plain = try await client.execute(uri: "/plain", method: .get)
            #expect(byHand.status == plain.status)
            #expect(byHand.headers[.contentType] == "application/json; charset=utf-8")
            #expect(plain.headers[.contentType] == "application/json; charset=utf-8")
            #expect(byHand.headers[.contentLength] == String(byHand.body.readableBytes))
            let read = try JSONDecoder.service.decode(Read.self, from: Data(byHand.body.readableBytesView))
            #expect(read.words == words)
            #expect(try read == JSONDecoder.service.decode(Read.self, from: Data(plain.body.readableBytesView)))
        }
    }
}
