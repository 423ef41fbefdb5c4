import AsyncHTTPClient
import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import TestKit
import Testing

/// Caddy as `deploy/Caddyfile` has it, before the services of a platform.
private struct Edge: Sendable {
    let port: Int
    let program: Program
    var url: String { "http://127.0.0.1:\(port)" }

    static func run(
        _ platform: Platform, _ body: @escaping @Sendable (Edge) async throws -> Void
    ) async throws {
        let port = try FreePort.take()
        let project = TestServers.projectDirectory
        // Each has an authority of its own; two would make the same one at once.
        let folder = platform.temporaryFolder.appending(path: "edge-\(port)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var environment = [
            "SERAI_SITE": "http://127.0.0.1:\(port)", "SERAI_OTHER_SITES": "http://:\(port)",
            "SERAI_LISTEN": "default_bind 127.0.0.1", "XDG_DATA_HOME": folder.path(), "XDG_CONFIG_HOME": folder.path(),
        ]
        for service in Platform.services {
            let upstreams = (platform.addresses[service] ?? []).map { $0.dropFirst("http://".count) }
            environment["SERAI_\(service.uppercased())_UPSTREAMS"] = "to " + upstreams.joined(separator: " ")
        }
        let program = try await Program.start(
            tool: "caddy",
            ["run", "--config", project.appending(path: "deploy/Caddyfile").path(), "--adapter", "caddyfile"],
            environment: environment, folder: folder)
        let edge = Edge(port: port, program: program)
        do {
            try await eventually(within: .seconds(60), "Caddy serves") {
                try await edge.status("/dispatch/v1/markets/assef") == 200
            }
            try await body(edge)
        } catch {
            print("the edge's last words:\n\(program.tail())")
            await program.kill()
            throw error
        }
        await program.kill()
    }

    func status(_ path: String) async throws -> Int {
        let answer = try await HTTPClient.shared.execute(HTTPClientRequest(url: url + path), timeout: .seconds(30))
        return Int(answer.status.code)
    }

    /// What is answered to these bytes, until the other side ends the connection or the wanted text has come.
    func answer(to text: String, until wanted: String = "") async throws -> String {
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
            #expect(answer.headers.first(name: "content-type") == "application/problem+json")
            let log = edge.program.tail(bytes: 1 << 20)
            #expect(log.contains("/dispatch/v1/markets/assef"), "the failure is logged")
            #expect(!log.contains("secretkey") && !log.contains("secretquery"))
            try await platform.restart("dispatch", 0)
            try await platform.restart("dispatch", 1)
            try await eventually("it is asked again") { try await edge.status("/dispatch/v1/markets/assef") == 200 }
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
        }
    }
}

/// A connection on which a test writes what it likes.
private struct RawSocket: Sendable {
    struct CannotConnect: Error {}

    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw CannotConnect() }
    }

    /// Writes all, or as much as the other side takes before it ends the connection.
    func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    func read(until wanted: String) async throws -> String {
        var text: [UInt8] = []
        try await eventually(within: .seconds(60), "\(wanted) is answered") {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { text += buffer.prefix(count) }
            let isOver = count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
            return isOver || (!wanted.isEmpty && String(decoding: text, as: UTF8.self).contains(wanted))
        }
        return String(decoding: text, as: UTF8.self)
    }

    func close() { Glibc.close(descriptor) }
}
