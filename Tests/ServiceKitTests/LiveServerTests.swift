import AsyncHTTPClient
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import SeraiJSON
import ServiceLifecycle
import Synchronization
import TestKit
import Testing

@testable import ServiceKit

@Suite("A server that listens", .timeLimit(.minutes(15)))
struct LiveServerTests {
    /// Opens once, for any number that wait.
    final class Door: Sendable {
        private let isOpen = Mutex(false)
        private let entered = Mutex(0)
        func open() { isOpen.withLock { $0 = true } }
        var count: Int { entered.withLock { $0 } }
        func pass() async throws {
            entered.withLock { $0 += 1 }
            try await eventually(within: .seconds(30), "the door opens") { isOpen.withLock { $0 } }
        }
    }

    /// - Parameter limit: the client tries to connect for so long, also when it is refused.
    func get(_ port: Int, _ path: String, limit: TimeAmount = .seconds(20)) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.headers.add(name: "connection", value: "close")
        return try await HTTPClient.shared.execute(request, timeout: limit)
    }

    /// What is said about the connection to a client that would keep it.
    private func kept(_ port: Int) async throws -> [String] {
        let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/nowhere")
        return try await HTTPClient.shared.execute(request, timeout: .seconds(20)).headers["connection"]
            .filter { $0 != "keep-alive" }
    }

    @Test(
        "a running request is finished while the server drains, readiness is 503, and nothing new is taken afterwards")
    func drains() async throws {
        let door = Door()
        var settings = HTTPSettings()
        settings.adminPort = 0
        settings.drain = .seconds(2)
        let fixture = try ServerFixture(settings) { router in
            router.get("/slow") { _, _ -> String in
                try await door.pass()
                return "finished"
            }
        }
        try await fixture.listen { addresses, group async throws in
            fixture.health.enter(.ready)
            async let slow = get(addresses.port, "/slow")
            try await eventually("the request has begun") { door.count == 1 }
            #expect(try await get(addresses.adminPort, "/health/ready").status == .ok)
            #expect(try await kept(addresses.port).isEmpty)
            await group.triggerGracefulShutdown()
            try await eventually("readiness is 503") {
                try await get(addresses.adminPort, "/health/ready").status == .serviceUnavailable
            }
            #expect(try await kept(addresses.port) == ["close"], "a proxy sends its next request elsewhere")
            try await eventually("no new connection is taken") {
                do {
                    _ = try await get(addresses.port, "/nowhere", limit: .milliseconds(300))
                    return false
                } catch {
                    return true
                }
            }
            door.open()
            let answer = try await slow
            #expect(String(buffer: try await answer.body.collect(upTo: 100)) == "finished")
        }
    }

    @Test("health and metrics are not on the public port when there is an admin port")
    func adminPort() async throws {
        var settings = HTTPSettings()
        settings.adminPort = 0
        let fixture = try ServerFixture(settings) { router in router.get("/public") { _, _ in "public" } }
        try await fixture.listen { addresses, _ async throws in
            #expect(addresses.port != addresses.adminPort)
            for path in ["/metrics", "/health/live", "/health/ready"] {
                #expect(try await get(addresses.port, path).status == .notFound)
                #expect(try await get(addresses.adminPort, path).status != .notFound)
            }
            #expect(try await get(addresses.port, "/public").status == .ok)
            #expect(try await get(addresses.adminPort, "/public").status == .notFound)
        }
    }

    @Test("a request that takes too long is cancelled and answered with a 503")
    func deadline() async throws {
        var settings = HTTPSettings()
        settings.requestLimit = .milliseconds(100)
        let door = Door()
        let fixture = try ServerFixture(settings) { router in
            router.get("/never") { _, _ -> String in
                try await door.pass()
                return ""
            }
        }
        try await fixture.listen { addresses, _ async throws in
            let start = ContinuousClock.now
            let answer = try await get(addresses.port, "/never")
            #expect(answer.status == .serviceUnavailable)
            #expect(
                String(buffer: try await answer.body.collect(upTo: 10_000)).contains(
                    "urn:serai:problem:deadline-exceeded"))
            #expect(ContinuousClock.now - start < .seconds(15))
        }
    }

    @Test("a body without a length is refused once it has passed the limit, and the connection ends")
    func streamedBody() async throws {
        var settings = HTTPSettings()
        settings.bodyLimitBytes = 100_000
        let fixture = try ServerFixture(settings) { router in
            router.post("/upload") { request, context in
                "\(try await request.body.collect(upTo: context.maxUploadSize).readableBytes)"
            }
            router.post("/stream") { request, _ in
                var count = 0
                for try await buffer in request.body { count += buffer.readableBytes }
                return "\(count)"
            }
        }
        try await fixture.listen { addresses, _ async throws in
            for path in ["/upload", "/stream"] {
                for (chunks, status) in [(9, HTTPResponseStatus.ok), (30, .payloadTooLarge)] {
                    var request = HTTPClientRequest(url: "http://127.0.0.1:\(addresses.port)\(path)")
                    request.method = .POST
                    let chunk = ByteBuffer(repeating: 0x61, count: 10_000)
                    request.body = .stream((0..<chunks).map { _ in chunk }.async, length: .unknown)
                    let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
                    #expect(answer.status == status, "\(path) \(chunks)")
                    if status != .ok { #expect(answer.headers.first(name: "connection") == "close") }
                }
            }
        }
    }

    @Test(
        "Q2: after a request for another protocol the connection ends, so that no request of others waits on it for ever",
        arguments: [
            "CONNECT /quick HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n",
            "GET /quick HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
            "GET /quick HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, upgrade\r\nUpgrade: h2c\r\n\r\n",
            "POST /quick HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\nContent-Length: 2\r\n\r\n{}",
        ])
    func otherProtocols(_ request: String) async throws {
        let fixture = try ServerFixture { router in router.get("/quick") { _, _ in "quick" } }
        try await fixture.listen { addresses, _ async throws in
            let socket = try RawSocket(port: addresses.port)
            socket.send(request)
            // To the end of the connection.
            let answer = try await socket.read(within: .seconds(10))
            #expect(answer.hasPrefix("HTTP/1.1 "), "\(answer)")
            #expect(answer.lowercased().contains("connection: close"), "\(answer)")
            socket.close()
        }
    }

    /// All that comes after the head of the answer to the request, before the answer to a second one on the same
    /// connection.
    private func bytesAfterHead(_ port: Int, _ request: String, ending: String = "") async throws -> Substring {
        let socket = try RawSocket(port: port)
        defer { socket.close() }
        let last = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        socket.send("\(request) HTTP/1.1\r\nHost: a\r\n\(ending)\r\n\(last)")
        let answer = try await socket.read(within: .seconds(20))
        let head = try #require(answer.firstRange(of: "\r\n\r\n"), "\(request): \(answer)")
        #expect(answer.hasPrefix("HTTP/1.1 "), "\(request): \(answer)")
        return answer[head.upperBound...]
    }

    @Test("P10: nothing follows the head of an answer to HEAD, whatever the answer is, and the next answer is whole")
    func heads() async throws {
        struct Broken: Error {}
        let fixture = try ServerFixture { router in
            router.get("/last") { _, _ in "last" }
            router.get("/text") { _, _ in "text" }
            router.get("/parts") { _, _ in
                Response(
                    status: .ok, headers: [.contentType: "text/csv"],
                    body: ResponseBody { writer in
                        try await writer.write(ByteBuffer(string: "part"))
                        try await writer.finish(nil)
                    })
            }
            router.get("/broken") { _, _ -> String in throw Broken() }
            router.get("/unavailable") { _, _ -> String in throw Problem.unavailable }
            router.get("/none") { _, _ in Response(status: .noContent) }
            router.post("/post") { _, _ in "posted" }
            router.group("/own", context: AuthenticatedContext.self).get { _, _ in "own" }
        }
        try await fixture.listen { addresses, _ async throws in
            let cases = [
                "/text": 200, "/parts": 200, "/none": 204, "/nowhere": 404, "/text/more": 404, "/post": 405,
                "/own": 401,
                "/broken": 500, "/unavailable": 503, "/text?a=%00": 400,
                "/text?\(String(repeating: "a", count: 9_000))": 414,
            ]
            for (path, status) in cases {
                let rest = try await bytesAfterHead(addresses.port, "HEAD \(path)")
                #expect(rest.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(path.prefix(20)) \(status): \(rest.prefix(200))")
                #expect(rest.hasSuffix("last"), "\(path.prefix(20)): \(rest.suffix(100))")
                let body = try await bytesAfterHead(addresses.port, "GET \(path)")
                if status != 204, status != 405 { #expect(!body.hasPrefix("HTTP/1.1"), "\(path): GET has a body") }
            }
            let rest = try await bytesAfterHead(addresses.port, "HEAD /text", ending: "Accept: image/png\r\n")
            #expect(rest.hasPrefix("HTTP/1.1 200 OK\r\n"), "406: \(rest.prefix(200))")
        }
    }

    @Test("P10: the head of HEAD has the length of GET, or none where GET has none")
    func lengthsOfHeads() async throws {
        let fixture = try ServerFixture { router in router.get("/text") { _, _ in "text" } }
        try await fixture.listen { addresses, _ async throws in
            for (path, length) in [("/text", "4"), ("/nowhere", nil)] {
                var request = HTTPClientRequest(url: "http://127.0.0.1:\(addresses.port)\(path)")
                let whole = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
                request.method = .HEAD
                let head = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
                #expect(head.headers["content-length"] == whole.headers["content-length"], "\(path)")
                if let length { #expect(head.headers["content-length"] == [length]) }
            }
        }
    }

    @Test("P10: a head with very many fields is refused in words")
    func manyFields() async throws {
        let fixture = try ServerFixture { router in router.get("/") { _, _ in "" } }
        try await fixture.listen { addresses, _ async throws in
            for count in [201, 600, 3_000] {
                let socket = try RawSocket(port: addresses.port)
                let fields = (0..<count).map { "X\($0): 1\r\n" }.joined()
                socket.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(fields)\r\n")
                let answer = try await socket.read(within: .seconds(20))
                #expect(answer.hasPrefix("HTTP/1.1 431 "), "\(count): \(answer.prefix(200))")
                #expect(answer.contains("urn:serai:problem:headers-too-large"), "\(count)")
                socket.close()
            }
        }
    }

    @Test("a head that is too large is refused")
    func largeHead() async throws {
        let fixture = try ServerFixture { router in router.get("/") { _, _ in "" } }
        try await fixture.listen { addresses, _ async throws in
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(addresses.port)/")
            request.headers.add(name: "X-Large", value: String(repeating: "a", count: 40_000))
            do {
                let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
                #expect(answer.status.code == 431)
            } catch {
                // The connection may be closed before the client has written all of it.
            }
            #expect(try await get(addresses.port, "/").status == .ok)
        }
    }
}

extension Array where Element: Sendable {
    var async: AsyncStream<Element> {
        AsyncStream { continuation in
            for element in self { continuation.yield(element) }
            continuation.finish()
        }
    }
}
