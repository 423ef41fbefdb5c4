import Foundation
import Hummingbird
import ServiceLifecycle
import TestKit
import Testing

@testable import ServiceKit

/// RFC 9110, 10.1.1: clients that wait for a word before they send their body.
@Suite("Expectations", .timeLimit(.minutes(15)))
struct ExpectationTests {
    private static let head = "POST /body HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"

    private func serve(_ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        let fixture = try ServerFixture { router in
            router.post("/body") { request, context in
                "read \(try await request.body.collect(upTo: context.maxUploadSize).readableBytes)"
            }
            router.get("/quick") { _, _ in "quick" }
        }
        try await fixture.listen { addresses, _ async throws in try await body(addresses.port) }
    }

    @Test("P10: a client that waits for 100 Continue is told at once, and its body is read")
    func continues() async throws {
        try await serve { port async throws in
            for rest in ["Content-Length: 5\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n"] {
                let socket = try RawSocket(port: port)
                socket.send(Self.head + rest)
                let word = try await socket.read(until: "\r\n\r\n")
                #expect(word == "HTTP/1.1 100 Continue\r\n\r\n")
                socket.send(rest.hasPrefix("C") ? "hello" : "5\r\nhello\r\n0\r\nX-Trailer: b\r\n\r\n")
                let answer = try await socket.read(until: "read 5")
                #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
                // The connection goes on.
                socket.send("GET /quick HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await socket.read(until: "quick").hasPrefix("HTTP/1.1 200 "))
                socket.close()
            }
        }
    }

    @Test("P10: a body that would not be taken is not asked for, and the connection ends after the answer")
    func refuses() async throws {
        try await serve { port async throws in
            for (rest, status) in [
                ("Content-Length: 99999999\r\n\r\n", "413"),
                ("Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\n", "415"),
            ] {
                let socket = try RawSocket(port: port)
                socket.send(Self.head + rest)
                let answer = try await socket.read()
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
                #expect(answer.lowercased().contains("connection: close"))
                #expect(!answer.contains("100 Continue"))
                socket.close()
            }
            let socket = try RawSocket(port: port)
            socket.send("POST /body HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nContent-Length: 2\r\n\r\n{}")
            let answer = try await socket.read(until: "urn:serai:problem:expectation-failed")
            #expect(answer.hasPrefix("HTTP/1.1 417 "))
            socket.close()
            // Without a body there is nothing to wait for.
            let bare = try RawSocket(port: port)
            bare.send("GET /quick HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await bare.read(until: "quick").hasPrefix("HTTP/1.1 200 "))
            bare.close()
        }
    }

    @Test("Q2: a body that is too large by what its head says is refused at once, though nothing of it comes")
    func tooLarge() async throws {
        try await serve { port async throws in
            let socket = try RawSocket(port: port)
            socket.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\nabc")
            let answer = try await socket.read(until: "urn:serai:problem:body-too-large", within: .seconds(5))
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
            socket.close()
        }
    }
}
