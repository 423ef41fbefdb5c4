import AsyncHTTPClient
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTP1
import SeraiJSON
import ServiceLifecycle
import TestKit
import Testing

@testable import ServiceKit

@Suite("Clients that are slow, or hang up", .timeLimit(.minutes(15)))
struct SlowClientTests {
    private func limits(_ change: (inout PaceLimits) -> Void = { _ in }) -> PaceLimits {
        var limits = PaceLimits()
        change(&limits)
        return limits
    }

    @Test("Q2: a head has its ten seconds, however many bytes of it come")
    func head() {
        var pace = RequestPace(limits())
        let start = ContinuousClock.now
        pace.wants(at: start)
        for second in 0...10 {
            pace.received(at: start + .seconds(second))
            pace.wants(at: start + .seconds(second))
            #expect(!pace.isTooSlow(at: start + .seconds(second)))
        }
        #expect(pace.isTooSlow(at: start + .seconds(11)))
    }

    @Test("Q2: a body earns a second with each kilobyte, up to five minutes")
    func body() {
        let start = ContinuousClock.now
        var pace = RequestPace(limits())
        pace.received(at: start)
        pace.readHead()
        var now = start
        // Two kilobytes a second, for four minutes.
        for _ in 0..<240 {
            pace.wants(at: now)
            now += .seconds(1)
            #expect(!pace.isTooSlow(at: now))
            pace.received(at: now)
            pace.readBody(bytes: 2_048)
        }
        pace.wants(at: now)
        #expect(!pace.isTooSlow(at: now + .seconds(60)))
        #expect(pace.isTooSlow(at: now + .seconds(61)), "nobody has more than five minutes")
        var drip = RequestPace(limits())
        drip.received(at: start)
        drip.readHead()
        for second in 0..<10 {
            drip.wants(at: start + .seconds(second))
            drip.received(at: start + .seconds(second + 1))
            drip.readBody(bytes: 1)
        }
        drip.wants(at: start + .seconds(10))
        #expect(drip.isTooSlow(at: start + .seconds(11)), "a byte a second is too slow")
    }

    @Test("Q2: a client is not slow while the service does not read")
    func busy() {
        let start = ContinuousClock.now
        var pace = RequestPace(limits())
        pace.received(at: start)
        pace.readHead()
        pace.readBody(bytes: 10)
        #expect(!pace.isTooSlow(at: start + .seconds(3_600)))
        pace.wants(at: start + .seconds(3_600))
        #expect(!pace.isTooSlow(at: start + .seconds(3_609)))
        #expect(pace.isTooSlow(at: start + .seconds(3_611)))
        pace.received(at: start + .seconds(3_611))
        pace.readEnd()
        #expect(!pace.isTooSlow(at: start + .seconds(9_999)), "between requests another limit counts")
    }

    /// A server with hasty limits, and a route that reads a body.
    private func serve(
        connections: Int = 4_096, _ body: @escaping @Sendable (HTTPServer.Addresses, ServerFixture) async throws -> Void
    ) async throws {
        var settings = HTTPSettings()
        settings.pace = limits {
            $0.head = .seconds(1)
            $0.body = .seconds(1)
            $0.bytesPerSecond = 1_000_000
        }
        settings.connectionLimit = connections
        let fixture = try ServerFixture(settings) { router in
            router.get("/quick") { _, _ in "quick" }
            router.post("/body") { request, context in
                "\(try await request.body.collect(upTo: context.maxUploadSize).readableBytes)"
            }
            router.post("/unread") { _, _ in "unread" }
        }
        try await fixture.listen { addresses, _ async throws in try await body(addresses, fixture) }
    }

    private func quick(_ port: Int) async throws -> Bool {
        let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/quick")
        return try await HTTPClient.shared.execute(request, timeout: .seconds(60)).status == .ok
    }

    private static let head = "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n"

    @Test("Q2, P10: half a body is a 408, half a head the end of the connection, and neither is a fault of the service")
    func halves() async throws {
        try await serve { addresses, fixture in
            let half = try RawSocket(port: addresses.port)
            half.send(Self.head + "abc")
            let answer = try await half.read()
            #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
            #expect(answer.contains("urn:serai:problem:request-timeout"))
            let headless = try RawSocket(port: addresses.port)
            headless.send("POST /body HTTP/1.1\r\nHost: ")
            #expect(try await headless.read() == "")
            // The answer is there, and the rest of the body is not waited for.
            let unread = try RawSocket(port: addresses.port)
            unread.send(Self.head.replacing("/body", with: "/unread") + "abc")
            #expect(try await unread.read().hasPrefix("HTTP/1.1 200 "))
            #expect(fixture.logs.lines.allSatisfy { $0["level"] != "error" })
        }
    }

    @Test("Q2: hundreds of slow clients hold no connection for long, while others are served")
    func crowd() async throws {
        try await serve(connections: 200) { addresses, _ in
            var slow: [RawSocket] = []
            for number in 0..<400 {
                let client = try RawSocket(port: addresses.port)
                client.send(number % 2 == 0 ? Self.head + "a" : "POST /body HTTP/1.1\r\nHo")
                slow.append(client)
            }
            // More than the server serves at once are there; it has served them all when each has ended.
            for _ in 0..<10 { #expect(try await quick(addresses.port)) }
            for client in slow {
                _ = try await client.read()
                client.close()
            }
        }
    }

    @Test("Q2: a phone that hangs up in mid-body is a 499 in figures and no error", arguments: ["length", "chunked"])
    func hangUp(_ kind: String) async throws {
        try await serve { addresses, fixture in
            let client = try RawSocket(port: addresses.port)
            client.send(
                kind == "length"
                    ? Self.head + "abc"
                    : "POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
            client.close()
            let line = try await fixture.logs.line("request") { $0["http.route"] == "/body" || $0["route"] == "/body" }
            #expect(line["level"] == "info", "\(line)")
            #expect(line.values.contains("499"), "\(line)")
            #expect(fixture.logs.lines.allSatisfy { $0["level"] != "error" })
        }
    }

    @Test("P10: a body whose chunks are none is a 4xx and no error")
    func brokenChunk() async throws {
        try await serve { addresses, fixture in
            let client = try RawSocket(port: addresses.port)
            client.send("POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZZ\r\n")
            #expect(try await client.read().hasPrefix("HTTP/1.1 4"))
            #expect(fixture.logs.lines.allSatisfy { $0["level"] != "error" })
        }
    }
}
