import AsyncHTTPClient
import Foundation
import LocalPlatform
import NIOCore
import NIOHTTP1
import TestKit
import Testing

/// Clients that ask in unusual ways, or break off: the others notice nothing, and no error is logged.
extension EdgeFlowTests {
    @Test("P10: nothing follows the head of an answer to HEAD, at any route of any service")
    func headsOfAllRoutes() async throws {
        let platform = try Platform.ofSuite()
        for service in Platform.services {
            let port = try #require(platform.addresses[service]?.first.flatMap(URL.init(string:))?.port)
            let operations = try OpenAPIDocument(yaml: try ServiceContracts.document(of: service)).operations
            let templates = Set(operations.compactMap { $0.split(separator: " ").last.map(String.init) })
            #expect(templates.count > 3, "\(service)")
            for template in templates.sorted() + ["/\(service)/v1/nowhere"] {
                let path = template.replacing("{market}", with: "assef")
                    .replacing(/\{[^}]*\}/, with: "0198c5a0-0000-7000-8000-000000000000")
                let socket = try RawSocket(port: port)
                socket.send("HEAD \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                socket.send("GET /\(service)/last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                let answer = try await socket.read(within: .seconds(20))
                socket.close()
                let head = try #require(answer.firstRange(of: "\r\n\r\n"), "\(path): \(answer.prefix(300))")
                let rest = answer[head.upperBound...]
                #expect(rest.hasPrefix("HTTP/1.1 404 "), "HEAD \(path): \(rest.prefix(200))")
            }
        }
    }

    @Test("Q2, P10: what some ask by HEAD breaks no request of others that Caddy sends on the same connections")
    func headsAndOthers() async throws {
        try await Edge.run(try Platform.ofSuite()) { edge in
            let end = ContinuousClock.now + .seconds(6)
            @Sendable func ask(_ method: HTTPMethod, _ path: String) async throws -> [Int] {
                var statuses: [Int] = []
                while ContinuousClock.now < end {
                    var request = HTTPClientRequest(url: edge.url + path)
                    request.method = method
                    if method == .POST { request.body = .bytes(ByteBuffer(string: "{}")) }
                    let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
                    statuses.append(Int(answer.status.code))
                }
                return statuses
            }
            let statuses = try await withThrowingTaskGroup(of: [Int].self) { tasks in
                for path in [
                    "/wallet/x", "/wallet/v1/cash-outs/x/y", "/identity/v1/sessions/refresh", "/wallet/v1/nope",
                ] {
                    for _ in 0..<2 { tasks.addTask { try await ask(.HEAD, path) } }
                }
                for path in ["/wallet/v1/topups", "/wallet/v1/cards", "/identity/v1/accounts/me/roles"] {
                    tasks.addTask { try await ask(.POST, path) }
                }
                return try await tasks.reduce(into: []) { $0 += $1 }
            }
            #expect(statuses.count > 100)
            #expect(statuses.filter { $0 >= 500 } == [])
            #expect(!edge.program.tail(bytes: 1 << 20).contains("Unsolicited response"))
        }
    }

    @Test(
        "Q2, C1: a phone that breaks off in mid-request, and a method that nobody knows, are no errors in Caddy's log")
    func hangUps() async throws {
        try await Edge.run(try Platform.ofSuite()) { edge in
            let host = "Host: 127.0.0.1:\(edge.port)\r\n"
            for _ in 0..<20 {
                let socket = try RawSocket(port: edge.port)
                socket.send("POST /dispatch/v1/positions HTTP/1.1\r\n\(host)Content-Length: 20000\r\n\r\n{\"lat")
                socket.reset()
            }
            for method in ["PROPFIND", "TRACE", "get"] {
                let answer = try await edge.answer(
                    to: "\(method) /dispatch/v1/positions HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 501 "), "\(method): \(answer.prefix(200))")
            }
            for _ in 0..<20 { #expect(try await edge.status("/dispatch/v1/markets/assef") == 200) }
            let log = edge.program.tail(bytes: 1 << 20)
            #expect(!log.contains("/dispatch/v1/positions"), "\(log.suffix(2_000))")
        }
    }
}
