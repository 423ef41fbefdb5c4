import Foundation
import Postgres

/// Counts the bikes of a rack: all of them, and the free ones of one type.
struct CountBikes: Statement {
    static let sql: SQL = """
        SELECT count(*), count(*) FILTER (WHERE type = $2 AND order_id IS NULL AND condition = 'good')
        FROM bikes WHERE rack = $1
        """
    let rack: UUID
    let type: String
    func bind(_ bindings: inout Bindings) { bindings.append(rack, type) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (all: Int, free: Int) {
        (try row.next(), try row.next())
    }
}

struct InsertBikes: Statement {
    static let sql: SQL = """
        INSERT INTO bikes (id, market, type, rack) SELECT id, $1, $2, $3 FROM unnest($4::uuid[]) AS new (id)
        """
    let market: String
    let type: String
    let rack: UUID
    let ids: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(market, type, rack, ids) }
}

/// Deletes free bikes of a type from a rack. One that is being reserved is waited for, and stays if it is reserved then.
struct DeleteBikes: Statement {
    static let sql: SQL = """
        WITH away AS MATERIALIZED (
            SELECT id FROM bikes WHERE rack = $1 AND type = $2 AND order_id IS NULL AND condition = 'good'
            ORDER BY id LIMIT $3
            FOR UPDATE
        )
        DELETE FROM bikes USING away WHERE bikes.id = away.id
        """
    let rack: UUID
    let type: String
    let count: Int
    func bind(_ bindings: inout Bindings) { bindings.append(rack, type, count) }
}

/// Reserves a free bike for an order. Concurrent calls get different bikes, or none. The bike is chosen once: a plain
/// subquery may be run again for each row, and with `SKIP LOCKED` find another bike each time.
struct ReserveBike: Statement {
    static let sql: SQL = """
        WITH free AS MATERIALIZED (
            SELECT bikes.id FROM bikes JOIN racks ON racks.id = bikes.rack AND racks.is_active
            WHERE bikes.rack = $1 AND bikes.type = $2 AND bikes.order_id IS NULL AND bikes.condition = 'good'
            ORDER BY bikes.id LIMIT 1 FOR UPDATE OF bikes SKIP LOCKED
        )
        UPDATE bikes SET order_id = $3 FROM free
        WHERE bikes.id = free.id AND bikes.order_id IS NULL AND bikes.condition = 'good' RETURNING bikes.id
        """
    let rack: UUID
    let type: String
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(rack, type, order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Releases an order's reserved bike, unless it has left its rack.
struct ReleaseBike: Statement {
    static let sql: SQL = "UPDATE bikes SET order_id = NULL WHERE order_id = $1 AND rack IS NOT NULL"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}

/// Takes an order's bike out of its rack; the bike stays assigned to the order.
struct TakeBikeOut: Statement {
    static let sql: SQL = """
        UPDATE bikes SET rack = NULL WHERE order_id = $1 AND rack = $2 RETURNING id
        """
    let order: UUID
    let rack: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order, rack) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Puts a bike back into a rack and returns the order that had it.
struct ReturnBike: Statement {
    static let sql: SQL = """
        WITH out AS (
            SELECT id, order_id FROM bikes WHERE id = $1 AND market = $2 AND rack IS NULL AND order_id IS NOT NULL
            FOR UPDATE
        )
        UPDATE bikes SET rack = $3, order_id = NULL FROM out WHERE bikes.id = out.id RETURNING out.order_id
        """
    let bike: UUID
    let market: String
    let rack: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(bike, market, rack) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Puts a lost bike that has turned up into a rack. It is good again.
struct ReturnLostBike: Statement {
    static let sql: SQL = """
        UPDATE bikes SET rack = $3, order_id = NULL, condition = 'good', note = NULL, condition_at = $4
        WHERE id = $1 AND market = $2 AND condition = 'lost'
        """
    let bike: UUID
    let market: String
    let rack: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(bike, market, rack, now) }
}

/// Locks a bike of a market and reads where it is and how.
struct LockBike: Statement {
    struct Row: Sendable {
        let rack: UUID?
        let order: UUID?
        let condition: BikeCondition
    }

    static let sql: SQL = "SELECT rack, order_id, condition FROM bikes WHERE id = $1 AND market = $2 FOR UPDATE"
    let bike: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(bike, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(rack: try row.next(), order: try row.next(), condition: BikeCondition(rawValue: try row.next()) ?? .good)
    }
}

/// Says how a locked bike is. A lost one is in no rack and in nobody's name any more.
struct SetBikeCondition: Statement {
    static let sql: SQL = """
        UPDATE bikes SET condition = $2, note = $3, condition_at = $4,
            rack = CASE WHEN $2 = 'lost' THEN NULL ELSE rack END,
            order_id = CASE WHEN $2 = 'lost' THEN NULL ELSE order_id END
        WHERE id = $1
        """
    let bike: UUID
    let condition: BikeCondition
    let note: String?
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(bike, condition.rawValue, note, now) }
}

/// Stores a code for an order and replaces an earlier, unused one.
struct StoreUnlockCode: Statement {
    static let sql: SQL = """
        INSERT INTO unlock_codes AS codes (order_id, rack, hash, expires_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (order_id) DO UPDATE SET rack = excluded.rack, hash = excluded.hash,
            expires_at = excluded.expires_at
        WHERE codes.used_at IS NULL
        """
    let order: UUID
    let rack: UUID
    let hash: [UInt8]
    let expiresAt: Date
    func bind(_ bindings: inout Bindings) { bindings.append(order, rack, hash, expiresAt) }
}

/// Deletes an order's code unless it was used.
struct DropUnlockCode: Statement {
    static let sql: SQL = "DELETE FROM unlock_codes WHERE order_id = $1 AND used_at IS NULL"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}

/// Marks a code as used and returns its order.
struct UseUnlockCode: Statement {
    static let sql: SQL = """
        UPDATE unlock_codes SET used_at = $3
        WHERE rack = $1 AND hash = $2 AND used_at IS NULL AND expires_at > $3 RETURNING order_id
        """
    let rack: UUID
    let hash: [UInt8]
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(rack, hash, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
