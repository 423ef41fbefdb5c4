import Postgres
import TestKit
import Testing

@Suite("Listener", .timeLimit(.minutes(15)))
struct ListenerTests {
    @Test("notifications arrive, and after a lost connection it listens again and says so")
    func survives() async throws {
        try await TestDatabase.withDatabase { database in
            try await database.withPool { pool async throws in
                let listener = PostgresListener(
                    database.configuration(), channel: "order events", thread: TestThreads.postgres,
                    logger: TestThreads.logger)
                var events = listener.makeAsyncIterator()
                #expect(await events.next() == .listening)
                try await pool.execute(NotifyOrders())
                #expect(await events.next() == .notification(payload: "woken"))
                try await database.terminateAllSessions()
                #expect(await events.next() == .listening)
                try await pool.execute(NotifyOrders())
                #expect(await events.next() == .notification(payload: "woken"))
            }
        }
    }

    @Test("cancelling the task ends the listening")
    func cancelled() async throws {
        try await TestDatabase.withDatabase { database in
            let task = Task {
                let listener = PostgresListener(
                    database.configuration(), channel: "c", thread: TestThreads.postgres, logger: TestThreads.logger)
                var count = 0
                for await _ in listener { count += 1 }
                return count
            }
            task.cancel()
            #expect(await task.value <= 1)
        }
    }
}
