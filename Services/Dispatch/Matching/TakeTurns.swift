import Foundation
import Postgres

/// Lets one customer's requests of a kind take turns until the commit, so that a count of those before holds. The count is a
/// statement after it: each sees what was committed when it begins.
struct TakeTurns: Statement {
    /// What is counted.
    enum Topic: String { case visits, hires, series, orders }

    static let sql: SQL = "SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))"
    let topic: Topic
    let customer: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(topic.rawValue, customer.uuidString) }
}
