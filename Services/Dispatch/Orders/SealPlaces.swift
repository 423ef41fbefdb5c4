import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Seals the descriptions of places that an earlier version has stored clear, with orders, series and quotes. Any number of
/// processes may run this: each batch skips rows that are locked.
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
        while try await seal(ListClearPlaces(limit: Self.batch), { StoreSealedPlaces(sealed: $0) }) {}
        while try await seal(ListClearSeries(limit: Self.batch), { StoreSealedSeries(sealed: $0) }) {}
        while try await seal(ListClearQuotes(limit: Self.batch), { StoreSealedQuotes(sealed: $0) }) {}
    }

    /// - Returns: whether there may be more.
    private func seal<List: Statement, Store: Statement>(
        _ list: List, _ store: (ClearPlaces) -> Store
    ) async throws -> Bool where List.Row == ClearPlaces {
        try await pool.withTransaction { transaction in
            let rows = try await transaction.query(list)
            for row in rows { transaction.send(store(try row.sealed(by: seal))) }
            return rows.count == Self.batch
        }
    }
}

/// The two descriptions of a row: of an order's place and destination, for example.
struct ClearPlaces: Sendable {
    let id: UUID
    let first, second: String?

    init(_ row: inout RowReader) throws(PostgresError) {
        (id, first, second) = (try row.next(), try row.next(), try row.next())
    }

    private init(id: UUID, first: String?, second: String?) { (self.id, self.first, self.second) = (id, first, second) }

    func sealed(by seal: PlaceSeal) throws -> ClearPlaces {
        func sealed(_ text: String) throws -> String { text.hasPrefix(PlaceSeal.mark) ? text : try seal.seal(text) }
        return ClearPlaces(id: id, first: try first.map(sealed), second: try second.map(sealed))
    }
}

/// Locks orders whose descriptions are clear.
struct ListClearPlaces: Statement {
    static let sql: SQL = """
        SELECT id, description, destination_description FROM orders
        WHERE description NOT LIKE 'sealed:%' OR destination_description NOT LIKE 'sealed:%'
        ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
        """
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> ClearPlaces { try ClearPlaces(&row) }
}

struct StoreSealedPlaces: Statement {
    static let sql: SQL = "UPDATE orders SET description = $2, destination_description = $3 WHERE id = $1"
    let sealed: ClearPlaces
    func bind(_ bindings: inout Bindings) { bindings.append(sealed.id, sealed.first, sealed.second) }
}

/// Locks series whose descriptions are clear, that of a parcel's destination among them.
struct ListClearSeries: Statement {
    static let sql: SQL = """
        SELECT id, description, parcel #>> '{destination,description}' FROM series
        WHERE description NOT LIKE 'sealed:%' OR parcel #>> '{destination,description}' NOT LIKE 'sealed:%'
        ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
        """
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> ClearPlaces { try ClearPlaces(&row) }
}

struct StoreSealedSeries: Statement {
    static let sql: SQL = """
        UPDATE series SET description = $2, parcel = CASE
            WHEN $3::text IS NULL THEN parcel ELSE jsonb_set(parcel, '{destination,description}', to_jsonb($3::text)) END
        WHERE id = $1
        """
    let sealed: ClearPlaces
    func bind(_ bindings: inout Bindings) { bindings.append(sealed.id, sealed.first, sealed.second) }
}

/// Locks quotes whose descriptions are clear.
struct ListClearQuotes: Statement {
    static let sql: SQL = """
        SELECT id, from_description, to_description FROM quotes
        WHERE from_description NOT LIKE 'sealed:%' OR to_description NOT LIKE 'sealed:%'
        ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
        """
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> ClearPlaces { try ClearPlaces(&row) }
}

struct StoreSealedQuotes: Statement {
    static let sql: SQL = "UPDATE quotes SET from_description = $2, to_description = $3 WHERE id = $1"
    let sealed: ClearPlaces
    func bind(_ bindings: inout Bindings) { bindings.append(sealed.id, sealed.first, sealed.second) }
}
