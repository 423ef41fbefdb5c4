import Foundation
import Postgres
import TestKit
import Testing

@testable import Messaging

@Suite("The inbox", .timeLimit(.minutes(15)))
struct InboxTests {
    @Test("Q9: messages handled long ago are forgotten, by the time in their ids; what came late stays for its time")
    func purge() async throws {
        try await TestDatabase.withDatabase(MessagingMigrations.all) { database in
            try await database.withPool { pool in
                var random = SystemRandomNumberGenerator()
                let now = UInt64(Date().timeIntervalSince1970 * 1000)
                func id(daysOld: UInt64) -> UUID {
                    .timeOrdered(milliseconds: now - daysOld * 86_400_000, using: &random)
                }
                let (old, late, new) = (id(daysOld: 9), id(daysOld: 9), id(daysOld: 1))
                for (message, days) in [(old, 8.0), (late, 2), (new, 1)] {
                    for consumer in ["a", "b"] {
                        try await pool.execute(AddHandled(consumer: consumer, message: message, days: days))
                    }
                }
                #expect(try await pool.execute(PurgeInbox(consumer: "a", keepSeconds: 7 * 86_400)) == 1)
                for (message, isLeft) in [(old, false), (late, true), (new, true)] {
                    #expect(try await pool.first(IsHandled(consumer: "a", message: message)) == isLeft)
                    #expect(try await pool.first(IsHandled(consumer: "b", message: message)) == true)
                }
                #expect(try await pool.execute(PurgeInbox(consumer: "a", keepSeconds: 7 * 86_400)) == 0)
            }
        }
    }
}

private struct AddHandled: Statement {
    static let sql: SQL = """
        INSERT INTO inbox (consumer, message_id, received_at) VALUES ($1, $2, now() - make_interval(secs => $3 * 86400))
        """
    let consumer: String
    let message: UUID
    let days: Double
    func bind(_ bindings: inout Bindings) { bindings.append(consumer, message, days) }
}
