import Foundation
import Postgres

/// A page of the stored reasonings about an order, oldest first.
struct ListExplanations: Statement {
    struct Row: Sendable {
        let id: Int
        let at: Date
        let reasoning: PostgresJSON
    }

    static let sql: SQL = """
        SELECT id, at, reasoning FROM round_explanations WHERE order_id = $1 AND id > $2 ORDER BY id LIMIT $3
        """
    let order: UUID
    /// Last row of the previous page; 0 for the first page.
    let after: Int
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(order, after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(id: try row.next(), at: try row.next(), reasoning: try row.next())
    }
}

/// Lists the offers of an order, at most 500.
struct ListOffers: Statement {
    struct Row: Sendable {
        let provider: UUID
        let offeredAt: Date
        let outcome: String?
        let endedAt: Date?
    }

    static let sql: SQL = """
        SELECT provider, offered_at, outcome, ended_at FROM offers WHERE order_id = $1 ORDER BY offered_at, provider
        LIMIT 500
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            provider: try row.next(), offeredAt: try row.next(), outcome: try row.next(), endedAt: try row.next())
    }
}
