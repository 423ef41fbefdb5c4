import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import TestKit
import Testing

@testable import ServiceKit

@Suite("What RFC 9110 asks of every route")
struct NegotiationTests {
    private func fixture(origins: Set<String> = []) throws -> ServerFixture {
        var settings = HTTPSettings()
        settings.crossOrigins = origins
        return try ServerFixture(settings) { router in
            router.get("/things/{id}") { _, context in
                Response.cached(Array("{}".utf8), type: "application/json", cache: "public, no-cache")
            }
            router.post("/things/{id}") { _, _ in "{}" }
            router.get("/stream") { _, _ in
                Response(
                    status: .ok, headers: [.contentType: "text/csv"],
                    body: ResponseBody { writer in try await writer.finish(nil) })
            }
        }
    }

    @Test("P10: a method that a path has not is a 405 that names those it has; a path that is none stays a 404")
    func methods() async throws {
        try await fixture().test { client in
            let wrong = try await client.execute(uri: "/things/1", method: .delete)
            #expect(wrong.status == .methodNotAllowed)
            #expect(wrong.headers[.allow] == "GET, HEAD, OPTIONS, POST")
            #expect(try ProblemAnswer(wrong).slug == "method-not-allowed")
            let options = try await client.execute(uri: "/things/1", method: .options)
            #expect(options.status == .noContent && options.headers[.allow] == "GET, HEAD, OPTIONS, POST")
            #expect(try await client.execute(uri: "/nothing", method: .delete).status == .notFound)
            #expect(try await client.execute(uri: "/things", method: .get).status == .notFound)
        }
    }

    @Test("P10: a compressed body is a 415, since no route reads one")
    func encoded() async throws {
        try await fixture().test { client in
            let answer = try await client.execute(uri: "/things/1", method: .post, headers: [.contentEncoding: "gzip"])
            #expect(answer.status == .unsupportedMediaType)
            #expect(answer.headers[.acceptEncoding] == "identity")
            let plain = try await client.execute(
                uri: "/things/1", method: .post, headers: [.contentEncoding: "identity"])
            #expect(plain.status == .ok)
        }
    }

    @Test(
        "P10: where nothing that a route answers is accepted it is a 406",
        arguments: [
            ("application/json", true), ("application/*;q=0.1", true), ("*/*", true), ("text/html, */*;q=0.1", true),
            ("text/html", false), ("application/json;q=0", false), ("*/*, application/json;q=0", false),
            ("nonsense", true), ("", true), ("APPLICATION/JSON", true), ("application/json;charset=utf-8", true),
        ])
    func accept(_ header: String, _ isTaken: Bool) async throws {
        try await fixture().test { client in
            let answer = try await client.execute(uri: "/things/1", method: .get, headers: [.accept: header])
            #expect(answer.status == (isTaken ? .ok : .notAcceptable), "\(header)")
            let changed = try await client.execute(uri: "/things/1", method: .post, headers: [.accept: header])
            #expect(changed.status == (isTaken ? .ok : .notAcceptable), "\(header)")
        }
    }

    @Test("P10: the same answer has the same bytes each time, so that its entity tag is good for more than one")
    func sameBytes() throws {
        struct Answer: Encodable {
            let names: [String: String]
            let kind = "a"
            let amount = 1
        }
        let words = (0..<20).map { ("key\($0)", "value") }
        let texts = try (0..<10).map { _ in
            try JSONEncoder.service.encode(Answer(names: Dictionary(uniqueKeysWithValues: words.shuffled())))
        }
        #expect(Set(texts).count == 1)
    }

    @Test("P10: an entity tag is found in lists, weak or strong, and with *; the answer is then a 304 without a body")
    func tags() async throws {
        try await fixture().test { client in
            let first = try await client.execute(uri: "/things/1", method: .get)
            let tag = try #require(first.headers[.eTag])
            for known in [tag, "W/\(tag)", "\"a,b\", \(tag)", "\"x\",W/\(tag) ,\"y\"", "*", "\(tag.dropLast())-gzip\""]
            {
                let answer = try await client.execute(uri: "/things/1", method: .get, headers: [.ifNoneMatch: known])
                #expect(answer.status == .notModified, "\(known)")
                #expect(answer.headers[.eTag] == tag && answer.body.readableBytes == 0)
            }
            for other in ["\"x\"", String(tag.dropFirst().dropLast()), "", "\(tag.dropLast())x\""] {
                let answer = try await client.execute(uri: "/things/1", method: .get, headers: [.ifNoneMatch: other])
                #expect(answer.status == .ok, "\(other)")
            }
        }
    }

    @Test("P10: HEAD has the headers of GET, and no length where none is known")
    func heads() async throws {
        try await fixture().test { client in
            let head = try await client.execute(uri: "/things/1", method: .head)
            #expect(head.status == .ok && head.headers[.contentLength] == "2" && head.body.readableBytes == 0)
            let stream = try await client.execute(uri: "/stream", method: .head)
            #expect(stream.status == .ok && stream.headers[.contentLength] == nil)
        }
    }

    @Test("P11: pages of a configured origin may call, those of others may not")
    func origins() async throws {
        let origin = HTTPField.Name.origin
        let method = HTTPField.Name.accessControlRequestMethod
        try await fixture(origins: ["https://app.example.org"]).test { client in
            let asked = try await client.execute(
                uri: "/things/1", method: .options, headers: [origin: "https://app.example.org", method: "PUT"])
            #expect(asked.status == .noContent)
            #expect(asked.headers[.accessControlAllowOrigin] == "https://app.example.org")
            #expect(asked.headers[.accessControlAllowHeaders]?.contains("Idempotency-Key") == true)
            #expect(asked.headers[.accessControlAllowCredentials] == nil)
            let answer = try await client.execute(
                uri: "/things/1", method: .get, headers: [origin: "https://app.example.org"])
            #expect(answer.headers[.accessControlAllowOrigin] == "https://app.example.org")
            #expect(answer.headers[.accessControlExposeHeaders]?.contains("ETag") == true)
            let problem = try await client.execute(
                uri: "/nothing", method: .get, headers: [origin: "https://app.example.org"])
            #expect(
                problem.headers[.accessControlAllowOrigin] == "https://app.example.org", "a page reads problems, too")
            let other = try await client.execute(
                uri: "/things/1", method: .get, headers: [origin: "https://evil.example"])
            #expect(other.headers[.accessControlAllowOrigin] == nil && other.headers[.vary] == "Origin")
        }
        try await fixture().test { client in
            let answer = try await client.execute(
                uri: "/things/1", method: .get, headers: [origin: "https://app.example.org"])
            #expect(answer.headers[.accessControlAllowOrigin] == nil)
        }
    }
}
