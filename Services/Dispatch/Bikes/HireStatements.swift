import Foundation
import Postgres

/// Finds a rack of a market.
struct FindRack: Statement {
    static let sql: SQL = """
        SELECT name, arabic_name, latitude, longitude, is_active FROM racks WHERE id = $1 AND market = $2
        """
    let rack: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(rack, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Rack.Card {
        Rack.Card(
            name: try row.next(), arabicName: try row.next(), latitude: try row.next(), longitude: try row.next(),
            isActive: try row.next())
    }
}

/// Counts a customer's bikes: open orders of both kinds, and completed orders whose bike is not back in a rack.
struct CountHires: Statement {
    static let sql: SQL = """
        SELECT (SELECT count(*) FROM orders
                WHERE customer = $1 AND NOT is_final AND kind IN ('bikePickUp', 'bikeDropOff'))
            + (SELECT count(*) FROM orders JOIN bikes ON bikes.order_id = orders.id AND bikes.rack IS NULL
                WHERE customer = $1 AND state = 'completed' AND kind IN ('bikePickUp', 'bikeDropOff'))
        """
    let customer: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(customer) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Finds the order of a rack's code, used or unused.
struct FindCodeOrder: Statement {
    struct Row: Sendable {
        let order: UUID
        let usedAt: Date?
        /// The bike, if it is out with this order.
        let bike: UUID?
    }

    static let sql: SQL = """
        SELECT codes.order_id, codes.used_at, bikes.id FROM unlock_codes AS codes
        LEFT JOIN bikes ON bikes.order_id = codes.order_id AND bikes.rack IS NULL
        WHERE codes.rack = $1 AND codes.hash = $2
        ORDER BY codes.used_at IS NULL DESC, codes.used_at DESC LIMIT 1
        """
    let rack: UUID
    let hash: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(rack, hash) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(order: try row.next(), usedAt: try row.next(), bike: try row.next())
    }
}

/// Finds the rack of a market's bike and the order that has it.
struct FindBike: Statement {
    static let sql: SQL = "SELECT rack, order_id, condition = 'lost' FROM bikes WHERE id = $1 AND market = $2"
    let bike: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(bike, market) }
    static func decode(
        _ row: inout RowReader
    ) throws(PostgresError) -> (rack: UUID?, order: UUID?, isLost: Bool) {
        (try row.next(), try row.next(), try row.next())
    }
}

/// Lists the bikes of a market that are out, the earliest first, and those that are broken or lost.
struct ListBikesOut: Statement {
    struct Row: Sendable {
        let bike: UUID
        let type: String
        let order: UUID?
        let kind: String?
        let customer: Order.Party?
        let since: Date?
        let state: OrderState?
        let condition: BikeCondition
        /// The words of an admin or the rider about the condition.
        let note: String?
        /// The ratings by riders.
        let standing: OrderDetails.Standing

        /// Whether the longest hire is over and the bike is not back.
        ///
        /// - Parameter longest: the market's longest hire, in seconds.
        func isOverdue(at now: Date, longest: Int) -> Bool {
            guard order != nil else { return false }
            guard kind == Workflow.bikeDropOff.kind, let since else { return state != .inProgress }
            return now >= since.addingTimeInterval(Double(longest))
        }
    }

    static let sql: SQL = """
        SELECT bikes.id, bikes.type, bikes.order_id, orders.kind, orders.customer,
            coalesce(people.name, orders.customer_name), orders.arrived_at, orders.state, bikes.condition, bikes.note, coalesce(sums.stars, 0),
            coalesce(sums.count, 0)
        FROM bikes LEFT JOIN orders ON orders.id = bikes.order_id
        LEFT JOIN people ON people.account = orders.customer
        LEFT JOIN bike_rating_sums AS sums ON sums.bike = bikes.id
        WHERE bikes.market = $1 AND (bikes.rack IS NULL OR bikes.condition <> 'good') ORDER BY orders.arrived_at, bikes.id LIMIT $2
        """
    let market: String
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        let (bike, type, order): (UUID, String, UUID?) = (try row.next(), try row.next(), try row.next())
        let (kind, customer, name): (String?, UUID?, String?) = (try row.next(), try row.next(), try row.next())
        let (since, state): (Date?, String?) = (try row.next(), try row.next())
        return Row(
            bike: bike, type: type, order: order, kind: kind,
            customer: customer.map { Order.Party(account: $0, name: name ?? "") }, since: since,
            state: state.flatMap(OrderState.init), condition: BikeCondition(rawValue: try row.next()) ?? .good,
            note: try row.next(),
            standing: OrderDetails.Standing(stars: try row.next(), count: try row.next()))
    }
}
