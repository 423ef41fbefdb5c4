import Foundation
import Glibc
import Postgres
import TestKit
import Testing

@Suite("Stopped processes", .timeLimit(.minutes(15)))
struct StopTests {
    @Test("Q2: a process that is stopped while it has the relay's place loses it, and disturbs nothing when it goes on")
    func stopped() async throws {
        try await TestBroker.withVirtualHost { host in
            try await TestDatabase.withDatabase { database in
                try await database.withPool { pool in
                    try await CourierProcess.migrate(database: database.dsn, broker: host)
                    let first = try CourierProcess.start(database: database.dsn, broker: host, senders: 2)
                    defer { first.kill() }
                    try await eventually(within: .seconds(60), "its parcels are on their way") {
                        try await pool.first(CourierCounts())?.received ?? 0 > 100
                    }
                    let second = try CourierProcess.start(database: database.dsn, broker: host, senders: 2)
                    defer { second.kill() }
                    try await eventually(within: .seconds(60), "the second stands by") {
                        try await pool.first(RelaySessions()) == 2
                    }

                    first.signal(SIGSTOP)
                    let holder = try #require(try await pool.first(RelayHolder()))
                    try await eventually(within: .seconds(60), "messages of the second wait") {
                        try await pool.first(CourierCounts())?.waiting ?? 0 > 50
                    }
                    try await eventually(within: .seconds(60), "the second has taken the place") {
                        try await pool.first(RelayHolder()) != holder
                    }
                    let successor = try await pool.first(RelayHolder())
                    // Its senders go on, so the number of waiting messages is no measure on a busy machine: those that
                    // arrive are, for all of them have passed the new relay.
                    let arrived = try #require(try await pool.first(CourierCounts())).received
                    try await eventually(within: .seconds(120), "and sends them") {
                        try await pool.first(CourierCounts())?.received ?? 0 > arrived + 100
                    }

                    first.signal(SIGCONT)
                    try await eventually(within: .seconds(60), "the first stands by") {
                        try await pool.first(RelaySessions()) == 2
                    }
                    #expect(try await pool.first(RelayHolder()) == successor)
                    // An end in order frees the place at once, long before the lease is over.
                    second.terminate()
                    try await second.ended(within: .seconds(60))
                    let ended = ContinuousClock.now
                    try await eventually(within: .seconds(60), "the first has the place again") {
                        try await pool.first(RelayHolder()) != successor
                    }
                    #expect(.now - ended < .seconds(6))
                    first.terminate()
                    try await first.ended(within: .seconds(60))

                    let last = try CourierProcess.start(database: database.dsn, broker: host, senders: 0)
                    defer { last.kill() }
                    try await eventually(within: .seconds(90), "every parcel is handled once") {
                        try await pool.first(CourierCounts())
                    } satisfies: {
                        $0?.isExact == true
                    }
                    for queue in ["courier.dead", "courier.events.dead"] {
                        #expect(try await host.queueDepth(queue) == 0)
                    }
                    try await checkOrder(host)
                }
            }
        }
    }

    /// Messages of one route came to the broker in the order of their commits, apart from repeats.
    private func checkOrder(_ host: VirtualHost) async throws {
        var seen: Set<String> = []
        var last: [UUID: Int] = [:]
        let messages = try await host.get("courier.watch", limit: 100_000)
        for message in messages {
            guard let id = message.properties.messageID, seen.insert(id).inserted else { continue }
            let move = try JSONDecoder().decode(Move.self, from: Data(message.payload.utf8))
            #expect(move.number > last[move.route] ?? 0)
            last[move.route] = move.number
        }
        #expect(last.count == 4)
        print("\(messages.count) messages of \(last.count) routes, \(messages.count - seen.count) of them repeats")
    }

    private struct Move: Decodable {
        let route: UUID
        let number: Int
    }
}

private struct RelaySessions: Statement {
    static let sql: SQL = """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'serai-courier relay'
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct RelayHolder: Statement {
    static let sql: SQL = "SELECT holder FROM courier.relay_lease"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int32 { try row.next() }
}
