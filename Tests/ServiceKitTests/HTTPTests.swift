import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Messaging
import NIOCore
import PollThread
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import ServiceKit

@Suite("HTTP")
struct HTTPTests {
    struct Leaky: Error, CustomStringConvertible {
        var description: String { "SELECT secret FROM accounts" }
    }

    struct Taken: ProblemConvertible {
        var problem: Problem { Problem("order-already-accepted", status: .conflict) }
    }

    struct Input: Decodable {
        let name: String
        let count: Int
    }

    static func routes(_ router: Router<SeraiRequestContext>) {
        router.get("/echo/{id}") { _, context -> String in
            #expect(TraceContext.current == context.trace)
            #expect(TraceContext.currentRequestID == context.requestID)
            return "\(context.requestID) \(context.trace.traceparent) \(context.language)"
        }
        router.get("/leak") { _, _ -> String in throw Leaky() }
        router.get("/taken") { _, _ -> String in throw Taken() }
        router.get("/typed/{number}") { _, context in "\(try context.parameters.require("number", as: Int.self))" }
        router.get("/thing/{id}") { _, context in try context.uuid("id").text }
        router.post("/decode") { request, context in
            let input = try await request.decode(as: Input.self, context: context)
            return "\(input.name) \(input.count)"
        }
        router.post("/form") { request, context -> String in
            let form = try await request.form(context: context)
            let name = form.string("name", length: 1...10)
            _ = form.email("email")
            guard let name, form.isValid else { throw form.problem }
            return name
        }
        router.post("/upload") { request, context in
            "\(try await request.body.collect(upTo: context.maxUploadSize).readableBytes)"
        }
    }

    func fixture(_ change: (inout HTTPSettings) -> Void = { _ in }) throws -> ServerFixture {
        var settings = HTTPSettings()
        settings.bodyLimitBytes = 1_000
        settings.routeBodyLimitBytes = ["/upload": 10_000]
        change(&settings)
        return try ServerFixture(settings, routes: Self.routes)
    }

    @Test("a good X-Request-ID is kept, a bad one is replaced by a UUIDv7, and the answer has it")
    func requestID() async throws {
        try await fixture().test { client async throws in
            try await client.execute(uri: "/echo/1", method: .get, headers: [.requestID: "client-request.1"]) {
                #expect($0.headers[.requestID] == "client-request.1")
                #expect($0.text.hasPrefix("client-request.1 "))
            }
            for bad in ["", "short", String(repeating: "a", count: 65), "with space", "\"quoted\"", "läng-genug"] {
                try await client.execute(uri: "/echo/1", method: .get, headers: [.requestID: bad]) {
                    let made = $0.headers[.requestID] ?? ""
                    #expect(UUID(uuidString: made) != nil && Array(made)[14] == "7", "\(bad)")
                }
            }
        }
    }

    @Test("a traceparent is continued with a span of its own; a malformed one starts a new trace")
    func traceparent() async throws {
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let name = try #require(HTTPField.Name("traceparent"))
        try await fixture().test { client async throws in
            try await client.execute(uri: "/echo/1", method: .get, headers: [name: parent]) {
                #expect($0.text.contains("00-4bf92f3577b34da6a3ce929d0e0e4736-"))
                #expect(!$0.text.contains("00f067aa0ba902b7"))
            }
            try await client.execute(uri: "/echo/1", method: .get, headers: [name: "00-zz"]) {
                let text = String($0.text.split(separator: " ")[1])
                #expect(TraceContext(traceparent: text) != nil)
            }
        }
    }

    @Test("P7, P10: an unknown address is a problem in the caller's language")
    func notFound() async throws {
        try await fixture().test { client async throws in
            try await client.execute(uri: "/nowhere", method: .get, headers: [.acceptLanguage: "ar"]) {
                let problem = try ProblemAnswer($0)
                #expect(problem.slug == "not-found")
                #expect(problem.title == "غير موجود")
                #expect($0.headers[.contentLanguage] == "ar")
                #expect($0.headers[.vary] == "Accept-Language")
                #expect(problem.instance == "urn:serai:request:" + ($0.headers[.requestID] ?? ""))
            }
        }
    }

    @Test("nothing of an error's own text leaves the service, and it is in the log")
    func noLeaks() async throws {
        let fixture = try fixture()
        try await fixture.test { client async throws in
            try await client.execute(uri: "/leak", method: .get) {
                let problem = try ProblemAnswer($0)
                #expect(problem.slug == "internal-error")
                #expect(!$0.text.contains("SELECT"))
            }
            try await client.execute(uri: "/typed/x", method: .get) {
                let problem = try ProblemAnswer($0)
                #expect(problem.slug == "bad-request")
                #expect(!$0.text.contains("Int"))
            }
            try await client.execute(uri: "/taken", method: .get) {
                let problem = try ProblemAnswer($0)
                #expect(problem.slug == "order-already-accepted")
                #expect($0.status == .conflict)
            }
            try await client.execute(uri: "/thing/1", method: .get) { #expect($0.status == .notFound) }
        }
        let line = try await fixture.logs.line("request failed")
        #expect(line["error"] == "SELECT secret FROM accounts")
        #expect(line["error.type"] == "Leaky")
    }

    @Test("a database that does not answer is a 503 that may be tried again", .timeLimit(.minutes(15)))
    func outage() async throws {
        let thread = PollThread(name: "outage")
        defer { thread.stop() }
        var settings = PostgresPool.Configuration(PostgresConfiguration(dsn: "postgresql://u@127.0.0.1:1/nobody"))
        settings.acquireTimeout = .milliseconds(200)
        let pool = PostgresPool(
            settings, thread: thread, logger: Logger(label: "outage") { _ in SwiftLogNoOpLogHandler() })
        let fixture = try ServerFixture { router in
            router.get("/outage") { _, _ in "\(try await pool.execute(PurgeIdempotencyKeys(limit: 1)))" }
        }
        try await fixture.test { client async throws in
            try await client.execute(uri: "/outage", method: .get) {
                let problem = try ProblemAnswer($0)
                #expect(problem.slug == "unavailable")
                #expect($0.headers[.retryAfter] != nil)
            }
        }
        await pool.close()
    }

    @Test("P10: wrong bodies are answered with the fields at fault")
    func bodies() async throws {
        try await fixture().test { client async throws in
            func post(_ uri: String, _ body: String, type: String? = "application/json") async throws -> ProblemAnswer?
            {
                let headers: HTTPFields = type.map { [.contentType: $0] } ?? [:]
                return try await client.execute(
                    uri: uri, method: .post, headers: headers, body: ByteBuffer(string: body)
                ) {
                    $0.status == .ok ? nil : try ProblemAnswer($0)
                }
            }
            #expect(
                try await post("/form", #"{"name": "", "email": "x"}"#)?.codes == [
                    "/name": "required", "/email": "not-an-email",
                ])
            #expect(try await post("/form", #"{"name": "ok", "email": "a@b.co"}"#) == nil)
            #expect(try await post("/form", "{")?.slug == "malformed-body")
            #expect(try await post("/form", "")?.slug == "malformed-body")
            #expect(try await post("/form", "[]")?.codes == ["": "not-an-object"])
            #expect(try await post("/form", "{}", type: "text/plain")?.status == 415)
            #expect(try await post("/form", "{}", type: nil)?.status == 415)
            #expect(
                try await post("/decode", #"{"name": "a", "count": "1"}"#)?.codes == ["/count": "not-a-whole-number"])
            #expect(try await post("/decode", #"{"name": "a"}"#)?.codes == ["/count": "required"])
            #expect(
                try await post("/decode", #"{"name": "a", "count": 1}"#, type: "application/json; charset=utf-8") == nil
            )
        }
    }

    @Test("a body above the limit of its route is a 413")
    func bodyLimit() async throws {
        try await fixture().test { client async throws in
            func post(_ uri: String, _ count: Int) async throws -> TestResponse {
                try await client.execute(
                    uri: uri, method: .post, headers: [.contentType: "application/json"],
                    body: ByteBuffer(repeating: UInt8(ascii: " "), count: count)
                ) { $0 }
            }
            #expect(try ProblemAnswer(try await post("/form", 1_001)).slug == "body-too-large")
            #expect(try ProblemAnswer(try await post("/form", 1_000)).slug == "malformed-body")
            #expect(try await post("/upload", 10_000).text == "10000")
            let refused = try await post("/upload", 10_001)
            #expect(refused.status == .contentTooLarge)
            #expect(refused.headers[.connection] == "close")
        }
    }

    @Test("every answer has the security headers, problems too")
    func securityHeaders() async throws {
        try await fixture().test { client async throws in
            for uri in ["/echo/1", "/nowhere", "/health/live"] {
                try await client.execute(uri: uri, method: .get) {
                    for (name, value) in SecurityHeadersMiddleware.headers {
                        #expect($0.headers[name] == value, "\(name)")
                    }
                }
            }
        }
    }

    @Test("the log and the metrics have the route's template, never the path")
    func accessLog() async throws {
        let fixture = try fixture()
        try await fixture.test { client async throws in
            try await client.execute(
                uri: "/echo/personal-id-7?name=Noor", method: .get, headers: [.requestID: "request-7"]
            ) { _ in }
            try await client.execute(uri: "/%00/../etc", method: .init("BREW") ?? .get) { _ in }
            try await client.execute(uri: "/metrics", method: .get) {
                #expect($0.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
                #expect(
                    $0.text.contains(#"http_server_requests_total{method="GET",route="/echo/{id}",status="200"} 1"#))
                #expect($0.text.contains(#"http_server_requests_total{method="other",route="none",status="404"} 1"#))
                #expect(
                    $0.text.contains(#"http_server_request_duration_seconds_count{method="GET",route="/echo/{id}"} 1"#))
                #expect(!$0.text.contains("personal-id-7"))
            }
        }
        let line = try await fixture.logs.line("request") { $0["http.route"] == "/echo/{id}" }
        #expect(line["request.id"] == "request-7")
        #expect(line["trace.id"]?.count == 32)
        #expect(line["http.status"] == "200")
        #expect(
            !fixture.logs.lines.contains { $0.values.contains { $0.contains("personal-id-7") || $0.contains("Noor") } })
    }

    @Test("who asks too often gets a 429 with Retry-After; health and metrics stay")
    func rateLimit() async throws {
        let fixture = try fixture { $0.addressRate = RateLimit(perSecond: 0.1, burst: 2) }
        try await fixture.test { client async throws in
            for _ in 0..<2 { try await client.execute(uri: "/echo/1", method: .get) { #expect($0.status == .ok) } }
            try await client.execute(uri: "/echo/1", method: .get) {
                let problem = try ProblemAnswer($0)
                #expect(problem.slug == "too-many-requests")
                let seconds = Int($0.headers[.retryAfter] ?? "") ?? 0
                #expect((1...10).contains(seconds))
            }
            try await client.execute(uri: "/health/live", method: .get) { #expect($0.status == .ok) }
            try await client.execute(uri: "/metrics", method: .get) {
                #expect($0.text.contains(#"http_server_rate_refused_total{group="address"} 1"#))
            }
        }
    }

    @Test("HEAD is answered where GET is")
    func head() async throws {
        try await fixture().test { client async throws in
            try await client.execute(uri: "/echo/1", method: .head) {
                #expect($0.status == .ok)
                #expect($0.body.readableBytes == 0)
            }
        }
    }
}
