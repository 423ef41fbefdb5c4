import Foundation
import Postgres

/// The undecoded columns of an order's ending.
struct OrderEndingColumns: Sendable {
    let by: String?
    let at: Date?
    let fine: Int?
    let fineMetres: Int?
    let decision: String?
    let toCustomer: Int?
    let note: String?

    init(_ row: inout RowReader) throws(PostgresError) {
        by = try row.next()
        at = try row.next()
        fine = try row.next()
        fineMetres = try row.next()
        decision = try row.next()
        toCustomer = try row.next()
        note = try row.next()
    }

    /// Ending of the order; nil for an open order, and for an order that ended before these columns existed.
    ///
    /// - Throws: ``StoredOrderError``
    func ending(of order: UUID) throws(StoredOrderError) -> Order.Ending? {
        guard let by, let at else { return nil }
        guard let actor = OrderActor(rawValue: by) else { throw StoredOrderError(order: order, column: "ended_by") }
        var ending = Order.Ending(by: actor, at: at)
        if let fine, let fineMetres { ending.fine = LateCancellationFee(metres: fineMetres, amount: fine) }
        if let decision {
            guard let known = Order.Verdict.Decision(rawValue: decision), let toCustomer, let note else {
                throw StoredOrderError(order: order, column: "decision")
            }
            ending.verdict = Order.Verdict(decision: known, toCustomer: toCustomer, reason: note)
        }
        return ending
    }
}
