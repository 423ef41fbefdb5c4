import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import SeraiJSON
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
            try JSON.answer.encode(Answer(names: Dictionary(uniqueKeysWithValues: words.shuffled())))
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
            #expect(asked.headers[.accessControlAllowHeaders]?.contains("Serai-Device") == true)
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

    @Test("P10: a tag holds for as long as the value, although dictionaries have another order each time")
    func stableTag() async throws {
        let value = Dictionary(uniqueKeysWithValues: (0..<40).map { ("key\($0)", $0) })
        let tags = try (0..<20).map { _ in
            try Response.cached(Dictionary(uniqueKeysWithValues: value.shuffled())).headers[.eTag]
        }
        #expect(Set(tags).count == 1 && tags[0] != nil)
    }

    @Test("P10: a header with letters beyond ASCII says nothing")
    func beyondASCII() {
        #expect(AcceptedTypes(["text/html"]).includes("application/json") == false)
        #expect(AcceptedTypes(["text/html, é"]).includes("application/json"))
        #expect(!EntityTags(["\"a\", \"é\""]).contains("\"a\""))
        let languages: Set<Language> = [.english, .arabic]
        #expect(Language.negotiate(acceptLanguage: "ar, é", preferred: nil, available: languages) == .english)
    }

    @Test("P10: `%61` is `a`, `%2F` is no slash, and an empty part is none: each address has one way to be written")
    func addresses() async throws {
        let fixture = try ServerFixture { router in
            router.get("/things/{id}") { _, context in context.parameters.get("id") ?? "" }
            router.post("/things/accept") { _, _ in "accepted" }
        }
        try await fixture.test { client async throws in
            func get(_ path: String) async throws -> String {
                let answer = try await client.execute(uri: path, method: .get)
                return answer.status == .ok ? answer.text : "\(answer.status.code)"
            }
            #expect(try await get("/things/a%2Db%5f%7E%61?x=%61") == "a-b_~a")
            #expect(try await get("/%74hings/%41") == "A")
            #expect(try await get("/things/a%2Fb") == "a%2Fb")
            #expect(try await get("/things/a%252D") == "a%252D")
            #expect(try await get("/things%2Fa") == "404")
            #expect(try await get("/things//a") == "404")
            #expect(try await get("//things/a") == "404")
            #expect(try await client.execute(uri: "/things//accept", method: .post).status == .notFound)
            #expect(try await get("/things/a?q=http://x//y") == "a")
        }
    }

    @Test("P10: an address above 8 kB is a 414, a head above its limit a 431, both problems")
    func tooLong() async throws {
        try await fixture().test { client async throws in
            let long = String(repeating: "a", count: 8_200)
            let address = try await client.execute(uri: "/things/1?q=\(long)", method: .get)
            #expect(address.status == .uriTooLong)
            #expect(try ProblemAnswer(address).slug == "uri-too-long")
            #expect(try await client.execute(uri: "/things/1?q=\(long.dropLast(100))", method: .get).status == .ok)
            let field = try #require(HTTPField.Name("X-Long"))
            let head = try await client.execute(
                uri: "/things/1", method: .get, headers: [field: String(repeating: "a", count: 17_000)])
            #expect(head.status.code == 431)
            #expect(try ProblemAnswer(head).slug == "headers-too-large")
            var many: HTTPFields = [:]
            for number in 0..<5 {
                many[try #require(HTTPField.Name("X-\(number)"))] = String(repeating: "a", count: 8_000)
            }
            #expect(try await client.execute(uri: "/things/1", method: .get, headers: many).status.code == 431)
        }
    }

    @Test("P7, P10: answers say which language they are in, where a route has not said so, and vary by it")
    func languages() async throws {
        let fixture = try ServerFixture { router in
            router.get("/words") { _, _ in
                Response(
                    status: .ok, headers: [.contentType: "application/json"],
                    body: .init(byteBuffer: .init(string: "{}")))
            }
            router.get("/french") { _, _ in
                Response(
                    status: .ok, headers: [.contentType: "application/json", .contentLanguage: "fr"],
                    body: .init(byteBuffer: .init(string: "{}")))
            }
            router.get("/keys") { _, _ in
                Response.cached(Array("{}".utf8), type: "application/json", cache: "public, max-age=300")
            }
            router.get("/nothing") { _, _ in Response(status: .noContent) }
        }
        try await fixture.test { client async throws in
            let arabic: HTTPFields = [.acceptLanguage: "ar"]
            let words = try await client.execute(uri: "/words", method: .get, headers: arabic)
            #expect(words.headers[.contentLanguage] == "ar" && words.headers[.vary] == "Accept-Language")
            #expect(try await client.execute(uri: "/words", method: .get).headers[.contentLanguage] == "en")
            let french = try await client.execute(uri: "/french", method: .get, headers: arabic)
            #expect(french.headers[.contentLanguage] == "fr" && french.headers[.vary] == nil)
            for path in ["/keys", "/nothing"] {
                let answer = try await client.execute(uri: path, method: .get, headers: arabic)
                #expect(answer.headers[.contentLanguage] == nil && answer.headers[.vary] == nil, "\(path)")
            }
        }
    }
}
