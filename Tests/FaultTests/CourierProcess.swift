import Postgres
import SeraiJSON
import TestKit

/// Processes of the `Courier` fixture.
enum CourierProcess {
    /// Brings the schema up to date, as a deployment does before it starts a service.
    static func migrate(database: String, broker: VirtualHost) async throws {
        try await Program.run("Courier", ["migrate"], environment: environment(database, broker, senders: 0))
    }

    static func start(database: String, broker: VirtualHost, senders: Int) throws -> Program {
        try Program.start(
            "Courier", ["serve"], environment: environment(database, broker, senders: senders), folder: nil)
    }

    private static func environment(_ database: String, _ broker: VirtualHost, senders: Int) -> [String: String] {
        [
            "SERAI_DATABASE_URL": database, "SERAI_AMQP_URL": broker.url, "SERAI_HTTP_PORT": "0",
            "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 64), "SERAI_COURIER_SENDERS": "\(senders)",
            "SERAI_LOG_LEVEL": "error",
        ]
    }
}

struct CourierCounts: Statement {
    static let sql: SQL = """
        SELECT (SELECT count(*) FROM courier.sent), (SELECT count(*) FROM courier.received),
            (SELECT count(DISTINCT parcel) FROM courier.received JOIN courier.sent USING (parcel)),
            (SELECT count(*) FROM courier.overdue),
            (SELECT count(DISTINCT parcel) FROM courier.overdue JOIN courier.sent USING (parcel)),
            (SELECT count(*) FROM courier.outbox WHERE published_at IS NULL)
        """
    struct Row: Sendable, Equatable {
        let sent, received, receivedDistinct, overdue, overdueDistinct, waiting: Int
        /// Every committed parcel was handled exactly once, and its deadline fired exactly once.
        var isExact: Bool {
            [received, receivedDistinct, overdue, overdueDistinct].allSatisfy { $0 == sent } && waiting == 0
        }
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            sent: try row.next(), received: try row.next(), receivedDistinct: try row.next(),
            overdue: try row.next(), overdueDistinct: try row.next(), waiting: try row.next())
    }
}
