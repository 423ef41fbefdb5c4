import Foundation
import Postgres

/// Adds a hire's stars to its bike's sum, if the bike still exists.
struct AddBikeStars: Statement {
    static let sql: SQL = """
        INSERT INTO bike_rating_sums AS sums (bike, stars, count) SELECT id, $2, 1 FROM bikes WHERE id = $1
        ON CONFLICT (bike) DO UPDATE SET stars = sums.stars + excluded.stars, count = sums.count + 1
        """
    let bike: UUID
    let stars: Int
    func bind(_ bindings: inout Bindings) { bindings.append(bike, stars) }
}

/// Adds a hire's stars to the sums of its racks: where the bike was taken, and where it was brought back. The rows are taken
/// in one order.
struct AddRackStars: Statement {
    static let sql: SQL = """
        INSERT INTO rack_rating_sums AS sums (rack, stars, count)
        SELECT id, $3, 1 FROM racks WHERE id = $2 OR id = (SELECT returned_to FROM orders WHERE id = $1) ORDER BY id
        ON CONFLICT (rack) DO UPDATE SET stars = sums.stars + excluded.stars, count = sums.count + 1
        """
    let order: UUID
    let rack: UUID
    let stars: Int
    func bind(_ bindings: inout Bindings) { bindings.append(order, rack, stars) }
}

/// Records the rack at which an order's bike was brought back.
struct SetReturnRack: Statement {
    static let sql: SQL = "UPDATE orders SET returned_to = $2 WHERE id = $1"
    let order: UUID
    let rack: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order, rack) }
}
