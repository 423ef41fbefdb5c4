import Foundation
import Messaging
import PollThread
import Postgres
import TestKit
import Testing

@testable import ServiceKit

@Suite("Ended sessions", .timeLimit(.minutes(15)))
struct EndedSessionTests {
    private static func withPool(_ body: (PostgresPool) async throws -> Void) async throws {
        try await TestDatabase.withDatabase { database in
            let pool = PostgresPool(
                .init(PostgresConfiguration(dsn: database.dsn, schema: "kit")), thread: TestThreads.postgres,
                logger: TestThreads.logger)
            try await Migrator(pool, EndedSessions.migrations, logger: TestThreads.logger).migrate()
            try await body(pool)
            await pool.close()
        }
    }

    @Test("I15: a token of an ended session is refused, others of the account are not")
    func refused() async throws {
        try await Self.withPool { pool in
            let ended = EndedSessions(pool: pool, logger: TestThreads.logger)
            let fixture = try await TokenFixture()
            let verifier = await TokenVerifier(
                keys: try TokenKeySet(json: fixture.signer.keySetJSON.utf8), issuer: TokenFixture.issuer,
                audience: TokenFixture.audience, isEnded: { ended.contains($0) })
            let token = try await fixture.signer.sign(fixture.claims())
            var claims = fixture.claims()
            claims.sid = UUID.timeOrdered().text
            let other = try await fixture.signer.sign(claims)
            #expect(try await verifier.verify(token, now: fixture.now).sessionID == fixture.session)
            try await pool.withTransaction { transaction in
                ended.keep([fixture.session], until: fixture.now + 600, in: transaction)
                // Not before the commit.
                #expect(!ended.contains(fixture.session))
            }
            await #expect(throws: TokenVerifier.Refusal.sessionEnded) {
                try await verifier.verify(token, now: fixture.now)
            }
            #expect(try await verifier.verify(other, now: fixture.now).accountID == fixture.account)
        }
    }

    @Test("I15: the service's other processes, and those that start later, know it from the table")
    func otherProcesses() async throws {
        try await Self.withPool { pool in
            let first = EndedSessions(pool: pool, logger: TestThreads.logger)
            let second = EndedSessions(pool: pool, logger: TestThreads.logger)
            try await second.refresh()
            let running = Task { try await second.run() }
            defer { running.cancel() }
            let sessions = (0..<3).map { _ in UUID.timeOrdered() }
            for _ in 1...2 {
                try await pool.withTransaction { transaction in
                    first.keep(sessions, until: Date() + 600, in: transaction)
                }
            }
            try await eventually("the other process knows") { sessions.allSatisfy(second.contains) }
            let late = EndedSessions(pool: pool, logger: TestThreads.logger)
            await late.firstRead()
            #expect(sessions.allSatisfy(late.contains))
        }
    }

    @Test("I15: a session whose row commits long after others that were heard later is known all the same")
    func late() async throws {
        try await Self.withPool { pool in
            let ended = EndedSessions(pool: pool, logger: TestThreads.logger)
            let (new, late) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await pool.execute(KeepEndedSessions(sessions: [new], until: Date() + 600))
            try await ended.refresh()
            // As a transaction that took ten minutes would have left it.
            try await pool.execute(KeepLate(session: late))
            try await ended.refresh()
            #expect(ended.contains(new) && !ended.contains(late))
            let running = Task { try await ended.run() }
            defer { running.cancel() }
            try await eventually("it is known") { ended.contains(late) }
        }
    }

    @Test("what has been undone is not kept; what has expired is forgotten")
    func forgotten() async throws {
        struct Undone: Error {}
        try await Self.withPool { pool in
            let ended = EndedSessions(pool: pool, logger: TestThreads.logger)
            let (undone, old, new) = (UUID.timeOrdered(), UUID.timeOrdered(), UUID.timeOrdered())
            await #expect(throws: Undone.self) {
                try await pool.withTransaction { transaction in
                    ended.keep([undone], until: Date() + 600, in: transaction)
                    throw Undone()
                }
            }
            try await pool.withTransaction { transaction in
                ended.keep([old], until: Date() - 1, in: transaction)
                ended.keep([new], until: Date() + 600, in: transaction)
            }
            try await ended.purge()
            try await ended.refresh()
            #expect([undone, old, new].map(ended.contains) == [false, false, true])
        }
    }

    @Test("I15: a changed key file is taken over while the service runs; a broken one is not")
    func keysReloaded() async throws {
        let (old, new) = (try await TokenFixture(), try await TokenFixture(keyID: "key-2"))
        let file = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString).json")
        try Data(old.signer.keySetJSON.utf8).write(to: file)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
        let reload = TokenKeysReload(file: file, verifier: old.verifier, logger: TestThreads.logger)
        let known = await reload.reload(nil)
        let token = try await new.signer.sign(new.claims())
        await #expect(throws: TokenVerifier.Refusal.unknownKey) { try await old.verifier.verify(token, now: new.now) }
        try Data("{}".utf8).write(to: file)
        #expect(await reload.reload(known) == known)
        try Data(new.signer.keySetJSON.utf8).write(to: file)
        #expect(await reload.reload(known) != known)
        #expect(try await old.verifier.verify(token, now: new.now).accountID == new.account)
    }
}

private struct KeepLate: Statement {
    static let sql: SQL = """
        INSERT INTO ended_sessions (session, heard_at, forget_at)
        VALUES ($1, now() - interval '10 minutes', now() + interval '10 minutes')
        """
    let session: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(session) }
}
