import Foundation
import Postgres

/// Serializes one account's requests of a kind until the commit, so that a count of earlier ones is exact. The count
/// must be a later statement, since each statement sees what was committed when it begins.
struct SerializeCustomerRequests: Statement {
    /// The counted rows.
    enum Topic: String { case visits, hires, series, orders, photos }

    static let sql: SQL = "SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))"
    let topic: Topic
    let customer: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(topic.rawValue, customer.uuidString) }
}
