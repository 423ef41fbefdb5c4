import AsyncHTTPClient
import Foundation
import LocalPlatform
import NIOCore
import NIOHTTP1
import TestKit
import Testing

/// Caddy as `deploy/Caddyfile` has it, before the services of a platform.
struct Edge: Sendable {
    let port: Int
    let program: Program
    var url: String { "http://127.0.0.1:\(port)" }

    static func run(
        _ platform: Platform, _ body: @escaping @Sendable (Edge) async throws -> Void
    ) async throws {
        let port = try FreePorts.take()
        // Each has an authority of its own; two would make the same one at once.
        let folder = platform.temporaryFolder.appending(path: "edge-\(port)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = try Program.start(
            platform.plan.edge(port: port, folder: folder.path(percentEncoded: false)), folder: folder)
        let edge = Edge(port: port, program: program)
        do {
            try await eventually(within: .seconds(60), "Caddy serves") {
                try await edge.status("/dispatch/v1/markets/assef") == 200
            }
            try await body(edge)
        } catch {
            print("the edge's last words:\n\(program.tail())")
            program.kill()
            throw error
        }
        program.kill()
    }

    func status(_ path: String) async throws -> Int {
        let answer = try await HTTPClient.shared.execute(HTTPClientRequest(url: url + path), timeout: .seconds(30))
        return Int(answer.status.code)
    }

    /// What is answered to these bytes, until the other side ends the connection or the wanted text has come.
    func answer(to text: String, until wanted: String? = nil) async throws -> String {
        let socket = try RawSocket(port: port)
        defer { socket.close() }
        socket.send(text)
        return try await socket.read(until: wanted)
    }
}

@Suite("The edge", .platform(dispatchProcesses: 2), .timeLimit(.minutes(15)))
struct EdgeFlowTests {
    private static let head = "POST /identity/v1/sessions HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\n"

    @Test("Q2, P10: a request that is broken or broken off takes no service away from others")
    func bad() async throws {
        try await Edge.run(try Platform.ofSuite()) { edge in
            let head = Self.head.replacing("HOST", with: "127.0.0.1:\(edge.port)")
            let bad: [(String, String)] = [
                ("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZZ\r\n", "HTTP/1.1 4")
            ]
            for (rest, wanted) in bad {
                let answer = try await edge.answer(to: head + rest, until: "urn:serai:problem:")
                #expect(answer.hasPrefix(wanted), "\(rest.prefix(40)): \(answer.prefix(300))")
                #expect(answer.contains("application/problem+json"), "\(rest.prefix(40)): \(answer.prefix(300))")
                for _ in 0..<5 { #expect(try await edge.status("/identity/.well-known/jwks.json") == 200) }
            }
            for rest in ["Content-Length: 1000\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n5\r\nhel"] {
                let socket = try RawSocket(port: edge.port)
                socket.send(head + rest)
                socket.close()
                for _ in 0..<5 { #expect(try await edge.status("/identity/.well-known/jwks.json") == 200) }
            }
        }
    }

    @Test("Q2, P10: a body that is too large by its head is refused at once, though the client sends no more of it")
    func tooLarge() async throws {
        try await Edge.run(try Platform.ofSuite()) { edge in
            let head = Self.head.replacing("HOST", with: "127.0.0.1:\(edge.port)")
            // Above what a proxy drains by itself, and below.
            for length in [50_000_000, 270_000] {
                let socket = try RawSocket(port: edge.port)
                socket.send(head + "Content-Length: \(length)\r\n\r\nabc")
                let answer = try await socket.read(until: "urn:serai:problem:body-too-large", within: .seconds(10))
                #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer.prefix(300))")
                socket.close()
                #expect(try await edge.status("/identity/.well-known/jwks.json") == 200)
            }
        }
    }

    @Test("Q2: whoever connects and says nothing, or no whole head, is ended after ten seconds")
    func silent() async throws {
        try await Edge.run(try Platform.ofSuite()) { edge in
            let sockets = try ["", "hel", "GET / HTTP/1.1\r\nHo"].map { start in
                let socket = try RawSocket(port: edge.port)
                socket.send(start)
                return socket
            }
            for socket in sockets {
                _ = try await socket.read(within: .seconds(20))
                socket.close()
            }
        }
    }

    @Test("P10: what HTTP has and nobody here does is refused in words, and what it allows is understood")
    func oddities() async throws {
        try await Edge.run(try Platform.ofSuite()) { edge in
            let host = "Host: 127.0.0.1:\(edge.port)\r\nConnection: close\r\n\r\n"
            let path = "/identity/.well-known/jwks.json"
            let long = String(repeating: "a", count: 9_000)
            let cases: [(String, String, String?)] = [
                ("FOO \(path) HTTP/1.1\r\n", "501", "not-implemented"),
                ("TRACE \(path) HTTP/1.1\r\n", "501", "not-implemented"),
                ("CONNECT \(path) HTTP/1.1\r\n", "501", "not-implemented"),
                ("GET \(path)?q=\(long) HTTP/1.1\r\n", "414", "uri-too-long"),
                ("GET \(path) HTTP/1.1\r\nX-Long: \(long)\(long)\r\n", "431", "headers-too-large"),
                ("GET /identity//.well-known/jwks.json HTTP/1.1\r\n", "404", "not-found"),
                ("GET /identity/.well-known/%6Awks.json HTTP/1.1\r\n", "200", nil),
                ("GET http://127.0.0.1:\(edge.port)\(path) HTTP/1.1\r\n", "200", nil),
                ("GET http://evil.example\(path) HTTP/1.1\r\n", "421", "misdirected-request"),
                ("GET \(path) HTTP/1.1\r\nRange: bytes=0-9\r\n", "200", nil),
                ("OPTIONS \(path) HTTP/1.1\r\n", "204", nil),
                // Caddy's own answer, without words: decision 0050.
                ("GET \(path) HTTP/1.1\r\nExpect: magic\r\n", "417", nil),
            ]
            for (start, status, slug) in cases {
                let answer = try await edge.answer(to: start + host)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(start.prefix(60)): \(answer.prefix(200))")
                if let slug { #expect(answer.contains("urn:serai:problem:\(slug)"), "\(start.prefix(60))") }
            }
            func tag() async throws -> String? {
                let answer = try await HTTPClient.shared.execute(
                    HTTPClientRequest(url: edge.url + path), timeout: .seconds(30))
                return answer.headers.first(name: "etag")
            }
            let known = try #require(try await tag())
            #expect(try await tag() == known)
            var request = HTTPClientRequest(url: edge.url + path)
            request.headers.add(name: "if-none-match", value: "\"x\", W/\(known)")
            #expect(try await HTTPClient.shared.execute(request, timeout: .seconds(30)).status == .notModified)
        }
    }

    @Test("X9: a gateway finds the metadata of the issuer where RFC 8414 and OpenID Connect Discovery look for it")
    func metadata() async throws {
        try await Edge.run(try Platform.ofSuite()) { edge in
            func metadata(_ path: String) async throws -> String {
                let answer = try await HTTPClient.shared.execute(
                    HTTPClientRequest(url: edge.url + path), timeout: .seconds(30))
                #expect(answer.status == .ok, "\(path)")
                return String(buffer: try await answer.body.collect(upTo: 65_536))
            }
            for name in ["oauth-authorization-server", "openid-configuration"] {
                let own = try await metadata("/identity/.well-known/\(name)")
                #expect(own.contains(#""jwks_uri""#))
                #expect(try await metadata("/.well-known/\(name)/identity") == own)
            }
            for path in ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration/wallet"] {
                #expect(try await edge.status(path) == 404, "\(path)")
            }
        }
    }

    @Test("Q2: after a request for another protocol, others are answered at once by the same service")
    func otherProtocols() async throws {
        try await Edge.run(try Platform.ofSuite()) { edge in
            let host = "Host: 127.0.0.1:\(edge.port)\r\n"
            let path = "/identity/.well-known/jwks.json"
            let requests = [
                "CONNECT \(path) HTTP/1.1\r\n\(host)\r\n",
                "GET \(path) HTTP/1.1\r\n\(host)Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
                "GET \(path) HTTP/1.1\r\n\(host)Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
            ]
            for request in requests {
                for _ in 0..<4 {
                    let socket = try RawSocket(port: edge.port)
                    socket.send(request)
                    _ = try await socket.read(until: "\r\n\r\n")
                    socket.close()
                }
                let start = ContinuousClock.now
                for _ in 0..<12 { #expect(try await edge.status(path) == 200, "\(request.prefix(20))") }
                #expect(ContinuousClock.now - start < .seconds(8), "\(request.prefix(20))")
            }
        }
    }

    @Test("Q7: another host is refused with a 421, also when it is asked to change something")
    func otherHost() async throws {
        try await Edge.run(try Platform.ofSuite()) { edge in
            let answer = try await edge.answer(
                to: "POST /wallet/v1/payments HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\n{}",
                until: "urn:serai:problem:misdirected-request")
            #expect(answer.hasPrefix("HTTP/1.1 421 ") && answer.contains("application/problem+json"))
            let lost = try await edge.answer(
                to: "GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1:\(edge.port)\r\nAccept-Language: ar\r\n\r\n",
                until: "urn:serai:problem:not-found")
            #expect(lost.hasPrefix("HTTP/1.1 404 ") && lost.contains("Content-Language: ar"))
        }
    }

    @Test("Q1: answers are compressed for who takes that, and a stream is not held back")
    func compressed() async throws {
        try await Edge.run(try Platform.ofSuite()) { edge in
            var request = HTTPClientRequest(url: edge.url + "/dispatch/v1/markets/assef/services")
            request.headers.add(name: "Accept-Encoding", value: "gzip")
            let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
            #expect(answer.headers.first(name: "content-encoding") == "gzip")
            #expect(answer.headers.first(name: "etag") != nil)
            var document = HTTPClientRequest(url: edge.url + "/wallet/openapi.yaml")
            document.headers.add(name: "Accept-Encoding", value: "gzip")
            let written = try await HTTPClient.shared.execute(document, timeout: .seconds(30))
            #expect(written.headers.first(name: "content-encoding") == "gzip")
            // A HEAD is not told the length of a compressed nothing.
            request.method = .HEAD
            let head = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
            #expect(head.status == .ok && head.headers.first(name: "content-encoding") == nil)
        }
    }
}

/// In a deployment of its own: the tests above ask the service that is killed here.
@Suite("The edge, while processes are down", .platform(dispatchProcesses: 2), .timeLimit(.minutes(15)))
struct EdgeFailoverFlowTests {
    @Test("Q2, Q7: a process that is killed is passed over, and what Caddy logs has no header and no query")
    func killed() async throws {
        let platform = try Platform.ofSuite()
        try await Edge.run(platform) { edge in
            try await platform.kill("dispatch", 0)
            for _ in 0..<20 { #expect(try await edge.status("/dispatch/v1/markets/assef") == 200) }
            try await platform.kill("dispatch", 1)
            var request = HTTPClientRequest(url: edge.url + "/dispatch/v1/markets/assef?q=secretquery")
            request.headers.add(name: "Rack-Key", value: "secretkey")
            let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
            #expect(answer.status.code == 503 || answer.status.code == 502)
            #expect(answer.headers.first(name: "retry-after") == "5")
            #expect(answer.headers.first(name: "content-type") == "application/problem+json")
            let log = edge.program.tail(bytes: 1 << 20)
            #expect(log.contains("/dispatch/v1/markets/assef"), "the failure is logged")
            #expect(!log.contains("secretkey") && !log.contains("secretquery"))
            try await platform.restart("dispatch", 0)
            try await platform.restart("dispatch", 1)
            try await eventually("it is asked again") { try await edge.status("/dispatch/v1/markets/assef") == 200 }
        }
    }

    @Test("Q2: a request to a process that stands still is answered within half a minute, and the others go on")
    func stopped() async throws {
        let platform = try Platform.ofSuite()
        try await Edge.run(platform) { edge in
            try await platform.stop("wallet")
            let start = ContinuousClock.now
            let status: Int
            do {
                status = try await edge.status("/wallet/v1/markets/btnc/plans")
            } catch {
                platform.signal("wallet", 0, SIGCONT)
                throw error
            }
            platform.signal("wallet", 0, SIGCONT)
            #expect(status == 502 || status == 503 || status == 504)
            #expect(ContinuousClock.now - start < .seconds(29))
            #expect(try await edge.status("/identity/.well-known/jwks.json") == 200)
        }
    }
}
