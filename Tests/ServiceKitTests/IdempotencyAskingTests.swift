import Synchronization
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Postgres
@testable import ServiceKit

/// Where the key is asked for together with what the handler asks first.
extension IdempotencyTests {
    @Test("W6: what was answered is answered again, though the handler would end before it asks anything now")
    func endedEarly() async throws {
        try await withWorld { world, client async throws in
            #expect(try await post(client, .asking).status == .created)
            world.behaviour.isClosed.withLock { $0 = true }
            let again = try await post(client, .asking)
            #expect(again.status == .created)
            #expect(again.headers[.idempotencyReplayed] == "true")
            #expect(try await post(client, .asking, #"{"a": 2}"#).status == .unprocessableContent)
            #expect(try await post(client, .asking, key: "key-0002").status == .internalServerError)
            #expect(try await world.effects == 1)
            #expect(try await world.keys == 1)
        }
    }

    @Test("Q5: where the handler asks first its key is asked for with that, and all takes two round trips")
    func roundTrips() async throws {
        try await withWorld { world, client async throws in
            // Opens the connection.
            _ = try await post(client, .asking, key: "key-0000")
            let before = await world.pool.connections.exchangeCount
            #expect(try await post(client, .asking).status == .created)
            #expect(await world.pool.connections.exchangeCount == before + 2)
        }
    }
}
