import Foundation
import Postgres
import SeraiJSON

/// The undecoded optional columns of an order, which not every kind uses.
struct OptionalOrderColumns: Sendable {
    let destination: Order.Place?
    let scheduledAt: Date?
    let proposedAt: Date?
    let deposit: Int?
    let depositState: String?
    let depositVersion: Int?
    let shares: PostgresJSON?
    let particulars: PostgresJSON?
    let searchEnd: Date?

    init(_ row: inout RowReader) throws(PostgresError) {
        let (latitude, longitude): (Double?, Double?) = (try row.next(), try row.next())
        let description: String? = try row.next()
        if let latitude, let longitude {
            destination = Order.Place(latitude: latitude, longitude: longitude, description: description)
        } else {
            destination = nil
        }
        scheduledAt = try row.next()
        proposedAt = try row.next()
        deposit = try row.next()
        depositState = try row.next()
        depositVersion = try row.next()
        shares = try row.next()
        particulars = try row.next()
        searchEnd = try row.next()
    }

    /// - Throws: ``StoredOrderError``
    func deposit(of order: UUID) throws(StoredOrderError) -> Order.Deposit? {
        guard let deposit else { return nil }
        guard let state = depositState.flatMap(Order.Deposit.State.init) else {
            throw StoredOrderError(order: order, column: "deposit_state")
        }
        return Order.Deposit(amount: deposit, state: state, orderVersion: depositVersion)
    }

    func decodedShares() throws -> [Order.Share]? {
        try shares.map { try JSON.stored.decode([Order.Share].self, $0.text) }
    }

    func decodedParticulars() throws -> Order.Particulars? {
        try particulars.map { try JSON.stored.decode(Order.Particulars.self, $0.text) }
    }
}

extension PostgresJSON {
    /// - Throws: errors of the encoder.
    static func encoding(_ value: some Encodable) throws -> PostgresJSON {
        PostgresJSON(try JSON.stored.encode(value))
    }
}
