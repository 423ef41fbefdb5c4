import Foundation
import Hummingbird
import HummingbirdTesting
import SeraiJSON
import TestKit
import Testing

@testable import ServiceKit

@Suite("Health")
struct HealthTests {
    struct Down: Error, CustomStringConvertible {
        var description: String { "postgres at 10.0.0.7 refuses" }
    }

    struct Ready: Decodable {
        struct Check: Decodable { let status: String }
        let status: String
        let checks: [String: Check]
    }

    func ready(_ client: any TestClientProtocol) async throws -> (status: Int, body: Ready, text: String) {
        let answer = try await client.execute(uri: "/health/ready", method: .get) { $0 }
        let body = try JSONDecoder().decode(Ready.self, from: Data(answer.body.readableBytesView))
        return (answer.status.code, body, answer.text)
    }

    @Test("ready is 503 while starting and draining, 200 between; live is 200 always")
    func phases() async throws {
        let fixture = try ServerFixture()
        try await fixture.test { client async throws in
            #expect(try await ready(client).status == 503)
            #expect(try await ready(client).body.status == "starting")
            fixture.health.enter(.ready)
            #expect(try await ready(client).status == 200)
            fixture.health.enter(.draining)
            #expect(try await ready(client).body.status == "draining")
            #expect(try await ready(client).status == 503)
            try await client.execute(uri: "/health/live", method: .get) { #expect($0.status == .ok) }
        }
    }

    @Test("one failed check makes the service not ready, says which, and not why")
    func failed() async throws {
        let fixture = try ServerFixture()
        fixture.health.enter(.ready)
        fixture.health.add(HealthCheck("broker") {})
        fixture.health.add(HealthCheck("database") { throw Down() })
        try await fixture.test { client async throws in
            let answer = try await ready(client)
            #expect(answer.status == 503)
            #expect(answer.body.checks.mapValues(\.status) == ["broker": "ok", "database": "failed"])
            #expect(!answer.text.contains("10.0.0.7"))
        }
        #expect(try await fixture.logs.line("health check failed")["error"] == "postgres at 10.0.0.7 refuses")
    }

    @Test("a check that hangs is failed at its limit, even when it ignores cancellation", .timeLimit(.minutes(15)))
    func hangs() async throws {
        let fixture = try ServerFixture()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        fixture.health.enter(.ready)
        fixture.health.add(
            HealthCheck("stuck", limit: .milliseconds(100)) {
                // A task of its own does not see the cancellation.
                await Task { for await _ in stream {} }.value
            })
        try await fixture.test { client async throws in
            let start = ContinuousClock.now
            #expect(try await ready(client).body.checks["stuck"]?.status == "failed")
            #expect(ContinuousClock.now - start < .seconds(45))
        }
        continuation.finish()
    }
}
