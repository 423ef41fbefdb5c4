import Foundation
import Postgres

/// Serializes the additions of racks to a market, so that their count is exact.
struct SerializeRacks: Statement {
    static let sql: SQL = "SELECT pg_advisory_xact_lock(hashtextextended('racks ' || $1, 0))"
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
}

struct InsertRack: Statement {
    static let sql: SQL = """
        INSERT INTO racks (id, market, name, arabic_name, latitude, longitude, is_active, key_hash, changed_at)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
        WHERE (SELECT count(*) FROM racks WHERE market = $2) < $10
        """
    let rack: Rack
    let keyHash: [UInt8]
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            rack.id, rack.market, rack.card.name, rack.card.arabicName, rack.card.latitude, rack.card.longitude,
            rack.card.isActive, keyHash, now, Rack.maximumRacks)
    }
}

struct UpdateRack: Statement {
    static let sql: SQL = """
        UPDATE racks SET name = $3, arabic_name = $4, latitude = $5, longitude = $6, is_active = $7, changed_at = $8
        WHERE id = $1 AND market = $2
        """
    let rack: UUID
    let market: String
    let card: Rack.Card
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(rack, market, card.name, card.arabicName, card.latitude, card.longitude, card.isActive, now)
    }
}

struct SetRackKey: Statement {
    static let sql: SQL = "UPDATE racks SET key_hash = $3, changed_at = $4 WHERE id = $1 AND market = $2"
    let rack: UUID
    let market: String
    let keyHash: [UInt8]
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(rack, market, keyHash, now) }
}

/// Authenticates a rack by its key and returns its market.
struct FindRackByKey: Statement {
    static let sql: SQL = "SELECT market FROM racks WHERE id = $1 AND key_hash = $2"
    let rack: UUID
    let keyHash: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(rack, keyHash) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// The free bikes of one type in a rack; a rack without free bikes has one row without a type.
struct RackRow: Sendable {
    let id: UUID
    let market: String
    let card: Rack.Card
    let metres: Double?
    let type: String?
    let count: Int
    /// The ratings by riders.
    let standing: OrderDetails.Standing

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        market = try row.next()
        card = Rack.Card(
            name: try row.next(), arabicName: try row.next(), latitude: try row.next(), longitude: try row.next(),
            isActive: try row.next())
        metres = try row.next()
        type = try row.next()
        count = try row.next()
        standing = OrderDetails.Standing(stars: try row.next(), count: try row.next())
    }
}

/// Lists the racks around a place that have a free bike, nearest first.
struct ListNearRacks: Statement {
    static let sql: SQL = """
        SELECT near.id, near.market, name, arabic_name, latitude, longitude, is_active, metres, stock.type, stock.count,
            coalesce(sums.stars, 0), coalesce(sums.count, 0)
        FROM (
            SELECT *, ST_Distance(place, ST_SetSRID(ST_MakePoint($3, $2), 4326)::geography) AS metres
            FROM racks WHERE market = $1 AND is_active
                AND ST_DWithin(place, ST_SetSRID(ST_MakePoint($3, $2), 4326)::geography, $4)
                AND EXISTS (
                    SELECT FROM bikes WHERE bikes.rack = racks.id AND order_id IS NULL AND condition = 'good'
                        AND ($5 = '' OR type = $5))
            ORDER BY place <-> ST_SetSRID(ST_MakePoint($3, $2), 4326)::geography LIMIT $6
        ) AS near
        JOIN LATERAL (
            SELECT type, count(*) FROM bikes
            WHERE bikes.rack = near.id AND order_id IS NULL AND condition = 'good' GROUP BY type
        ) AS stock ON true
        LEFT JOIN rack_rating_sums AS sums ON sums.rack = near.id
        ORDER BY metres, near.id, stock.type
        """
    let market: String
    let latitude: Double
    let longitude: Double
    /// In metres.
    let radius: Double
    /// Empty for any type.
    let type: String
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, latitude, longitude, radius, type, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> RackRow { try RackRow(&row) }
}

/// Lists all racks of a market with their free bikes.
struct ListRacks: Statement {
    static let sql: SQL = """
        SELECT page.id, page.market, name, arabic_name, latitude, longitude, is_active, NULL::float8, stock.type,
            coalesce(stock.count, 0), coalesce(sums.stars, 0), coalesce(sums.count, 0)
        FROM (
            SELECT * FROM racks WHERE market = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3
        ) AS page
        LEFT JOIN LATERAL (
            SELECT type, count(*) AS count FROM bikes
            WHERE bikes.rack = page.id AND order_id IS NULL AND condition = 'good' GROUP BY type
        ) AS stock ON true
        LEFT JOIN rack_rating_sums AS sums ON sums.rack = page.id
        ORDER BY page.id, stock.type
        """
    let market: String
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> RackRow { try RackRow(&row) }
}

struct LockRack: Statement {
    static let sql: SQL = "SELECT FROM racks WHERE id = $1 AND market = $2 FOR UPDATE"
    let rack: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(rack, market) }
}
