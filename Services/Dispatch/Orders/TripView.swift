import Contracts
import Foundation
import Matching
import Postgres
import SeraiJSON

/// Parts of an order's page beside the order itself: the driver's car, and the trip as it really was (BTNC 13).
struct OrderPageExtras: Sendable {
    let car: CarView?
    let trip: TripView?

    static let none = OrderPageExtras(car: nil, trip: nil)

    /// - Parameters:
    ///   - isStranger: whether the reader is a provider who does not hold the order; such a reader gets nothing.
    ///   - isOnlySeen: whether the reader is a relative of the customer.
    static func read(
        _ details: OrderDetails, for role: OrderActor, in language: String, isStranger: Bool, isOnlySeen: Bool,
        _ pool: PostgresPool
    ) async throws -> OrderPageExtras {
        let order = details.order
        guard !isStranger, order.ride != nil || order.food != nil || order.bike != nil else { return .none }
        let isDriven = order.provider != nil && !order.isAsking && order.isTaken
        let car = isDriven ? try await pool.first(FindCar(order: order)) ?? nil : nil
        let shown = car.map { CarView($0, for: role, in: language) }
        guard role != .merchant else { return OrderPageExtras(car: shown, trip: nil) }
        let mayReadQuote = role == .customer || role == .admin
        let quote = mayReadQuote ? try await fare(order.particulars?.quote, pool) : nil
        let trip = try await pool.first(FindTrip(order: order.id))
        return OrderPageExtras(
            car: shown, trip: trip.map { TripView($0, of: order, quote, isOnlySeen: isOnlySeen) })
    }

    private static func fare(_ id: UUID?, _ pool: PostgresPool) async throws -> Quote? {
        guard let id else { return nil }
        return try await pool.first(FindQuote(quote: id))?.quote()
    }
}

/// The car that a rider or a restaurant looks for.
struct CarView: Encodable, Sendable {
    let plate: String
    let maker: String?
    let model: String?
    /// An id of ``VehicleColour``, and its name in the reader's language.
    let colour: String?
    let colourName: String?

    init(_ car: AccountSnapshot.Car, for role: OrderActor, in language: String) {
        plate = car.plate
        maker = car.maker
        model = role == .merchant ? nil : car.model
        colour = car.colour
        colourName = car.colour.flatMap(VehicleColour.init)?.name.text(in: language)
    }
}

/// The trip of an order: real times, the measured way, the tip.
struct TripView: Encodable, Sendable {
    /// The parts of the quoted price in minor units.
    struct Fare: Encodable, Sendable {
        let base: Int
        let distance: Int
        let time: Int
        let toMinimum: Int
        let surge: Int
    }

    let acceptedAt: Date?
    /// When the provider was there: at the rider, the restaurant or the rack.
    let arrivedAt: Date?
    let startedAt: Date?
    let endedAt: Date?
    /// From the start to the end.
    let seconds: Int?
    /// From the provider's arrival to the start.
    let waitedSeconds: Int?
    /// The measured way from the start on.
    let metres: Int?
    let tip: Money?
    let fare: Fare?

    init(_ row: FindTrip.Row, of order: Order, _ quote: Quote?, isOnlySeen: Bool) {
        acceptedAt = row.acceptedAt
        arrivedAt = row.reachedAt
        startedAt = row.startedAt
        endedAt = order.ending?.at
        seconds = row.startedAt.flatMap { start in order.ending.map { Self.seconds(from: start, to: $0.at) } }
        waitedSeconds = row.startedAt.flatMap { start in
            row.reachedAt.map { Self.seconds(from: $0, to: start) }
        }
        metres = order.state == .completed ? row.metres.map { Int($0.rounded()) } : nil
        tip = isOnlySeen ? nil : row.tip.map { Money(amount: $0, currency: order.currency) }
        let delivered = order.lines.filter { $0.service != OrderSnapshot.Service.meal }.reduce(0) { $0 + $1.price }
        // A ride that ended early costs something else than its quote.
        fare = quote.flatMap { quote in
            guard quote.total == (order.food == nil ? order.total : delivered) else { return nil }
            let fare = quote.terms.fare
            return Fare(
                base: fare.base, distance: fare.distance, time: fare.time, toMinimum: fare.toMinimum,
                surge: fare.surge)
        }
    }

    private static func seconds(from start: Date, to end: Date) -> Int {
        max(0, Int(end.timeIntervalSince(start).rounded()))
    }
}

/// Finds the times, the measured way and the tip of an order.
struct FindTrip: Statement {
    struct Row: Sendable {
        let acceptedAt: Date?
        let reachedAt: Date?
        let startedAt: Date?
        /// Minor units.
        let tip: Int?
        /// Of the trip alone.
        let metres: Double?
    }

    static let sql: SQL = """
        SELECT orders.accepted_at, orders.reached_at, orders.started_at, orders.tip,
            greatest(0, meter.metres - coalesce(orders.approach_metres, 0))
        FROM orders LEFT JOIN order_odometers AS meter ON meter.order_id = orders.id WHERE orders.id = $1
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            acceptedAt: try row.next(), reachedAt: try row.next(), startedAt: try row.next(), tip: try row.next(),
            metres: try row.next())
    }
}

/// Finds the car of an order: the one that its driver had at the acceptance. For an order that an earlier version has
/// accepted it is the driver's present one. A row with nil where none is known.
struct FindCar: Statement {
    static let sql: SQL = """
        SELECT coalesce(
            (SELECT car FROM order_cars WHERE order_id = $1),
            (SELECT car FROM provider_roles WHERE market = $2 AND account = $3 AND NOT sells))::text
        """
    let order: Order
    func bind(_ bindings: inout Bindings) { bindings.append(order.id, order.market, order.provider?.account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> AccountSnapshot.Car? {
        // try?: a car that another version has written is not shown.
        try row.next(String?.self).flatMap { try? JSON.stored.decode(AccountSnapshot.Car.self, $0.utf8) }
    }
}

/// Keeps the car that the order's driver has now.
struct KeepCar: Statement {
    static let sql: SQL = """
        INSERT INTO order_cars (order_id, car)
        SELECT $1, car FROM provider_roles WHERE market = $2 AND account = $3 AND car IS NOT NULL LIMIT 1
        ON CONFLICT (order_id) DO UPDATE SET car = excluded.car
        """
    let order: Order
    func bind(_ bindings: inout Bindings) { bindings.append(order.id, order.market, order.provider?.account) }
}

/// Forgets the car of a driver who has lost the order.
struct ForgetCar: Statement {
    static let sql: SQL = "DELETE FROM order_cars WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}
