import Foundation
import Postgres

/// The reasonings about an order, the oldest first; the newest of very many.
struct ListExplanations: Statement {
    struct Row: Sendable {
        let at: Date
        let reasoning: PostgresJSON
    }

    static let sql: StaticString = """
        SELECT at, reasoning FROM (
            SELECT id, at, reasoning FROM round_explanations WHERE order_id = $1 ORDER BY id DESC LIMIT 200
        ) AS newest ORDER BY id
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(at: try row.next(), reasoning: try row.next())
    }
}

/// Who was asked for an order.
struct ListOffers: Statement {
    struct Row: Sendable {
        let provider: UUID
        let offeredAt: Date
        let outcome: String?
        let endedAt: Date?
    }

    static let sql: StaticString = """
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
