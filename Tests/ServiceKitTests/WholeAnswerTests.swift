import AsyncHTTPClient
import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestKit
import Testing

@testable import ServiceKit

@Suite("What others answer", .timeLimit(.minutes(15)))
struct WholeAnswerTests {
    private static func withServer(_ body: @escaping @Sendable (_ url: String) async throws -> Void) async throws {
        let router = Router()
        router.get("/whole") { _, _ in "all of it" }
        router.get("/large") { _, _ in String(repeating: "x", count: 2_000) }
        router.get("/drops") { _, _ in
            // Longer than any test waits.
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    for _ in 0..<600 {
                        try await writer.write(ByteBuffer(string: " "))
                        try await Task.sleep(for: .milliseconds(100))
                    }
                    try await writer.finish(nil)
                })
        }
        router.get("/silence") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: " "))
                    try await Task.sleep(for: .seconds(60))
                    try await writer.finish(nil)
                })
        }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: TestThreads.logger)
        try await application.test(.live) { client in
            try await body("http://127.0.0.1:\(try #require(client.port))")
        }
    }

    @Test("Q6: an answer that comes drop by drop, or stops after its head, is given up in time; a whole one is read")
    func limits() async throws {
        try await Self.withServer { url async throws in
            func ask(_ path: String, _ limit: Duration, upTo bytes: Int = 1_000) async throws -> String {
                let request = HTTPClientRequest(url: url + path)
                return String(
                    buffer: try await HTTPClient.shared.whole(request, within: limit, upTo: bytes).body)
            }
            #expect(try await ask("/whole", .seconds(60)) == "all of it")
            await #expect(throws: NIOTooManyBytesError.self) { _ = try await ask("/large", .seconds(60)) }
            // Time enough for the head; the body would take a minute.
            for path in ["/drops", "/silence"] {
                let start = ContinuousClock.now
                await #expect(throws: AnswerTooSlow.self) { _ = try await ask(path, .seconds(2)) }
                #expect(ContinuousClock.now - start < .seconds(40), "\(path)")
            }
        }
    }
}
