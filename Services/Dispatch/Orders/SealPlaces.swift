import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Seals the descriptions of places that an earlier version has stored clear with orders, and the names of racks there.
/// Any number of processes may run this: each batch skips rows that are locked.
struct SealPlaces: Service {
    static let interval: Duration = .seconds(3_600)
    static let batch = 500

    let pool: PostgresPool
    let seal: PlaceSeal
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "descriptions of places were not sealed") {
            try await pass()
        }
    }

    func pass() async throws {
        while try await sealBatch() == Self.batch {}
    }

    private func sealBatch() async throws -> Int {
        try await pool.withTransaction { transaction in
            let rows = try await transaction.query(ListClearPlaces(limit: Self.batch))
            for row in rows {
                transaction.send(
                    StoreSealedPlaces(
                        id: row.id, description: try row.description.map { try sealed($0) },
                        destination: try row.destination.map { try sealed($0) }))
            }
            return rows.count
        }
    }

    private func sealed(_ text: String) throws -> String {
        text.hasPrefix(PlaceSeal.mark) ? text : try seal.seal(text)
    }
}

/// Locks orders whose descriptions are clear.
struct ListClearPlaces: Statement {
    struct Row: Sendable {
        let id: UUID
        let description, destination: String?
    }

    static let sql: SQL = """
        SELECT id, description, destination_description FROM orders
        WHERE description NOT LIKE 'sealed:%' OR destination_description NOT LIKE 'sealed:%'
        ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
        """
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(id: try row.next(), description: try row.next(), destination: try row.next())
    }
}

struct StoreSealedPlaces: Statement {
    static let sql: SQL = "UPDATE orders SET description = $2, destination_description = $3 WHERE id = $1"
    let id: UUID
    let description, destination: String?
    func bind(_ bindings: inout Bindings) { bindings.append(id, description, destination) }
}
