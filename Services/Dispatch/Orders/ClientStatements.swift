import Foundation
import Postgres

/// A client whom a provider has visited: the customer, or the relative for whom the visit was ordered.
struct Client: Sendable, Hashable {
    let account: UUID
    let name: String
    /// Number of completed visits.
    let visits: Int
    /// Time at which the last visit began, or its scheduled time.
    let lastVisitAt: Date
}

/// A page of a provider's past clients in a market, newest visit first. Reads all completed orders of the provider,
/// through the index of a provider's ended orders.
struct ListClients: Statement {
    static let sql: SQL = """
        SELECT customer, coalesce((SELECT people.name FROM people WHERE people.account = customer), ''), visits,
            last_visit_at
        FROM (
            SELECT visited AS customer, count(*) AS visits,
                max(coalesce(arrived_at, scheduled_at, requested_at)) AS last_visit_at
            FROM (
                SELECT id, arrived_at, scheduled_at, requested_at,
                    coalesce((particulars #>> '{homeCare,relative,account}')::uuid, customer) AS visited
                FROM orders
                WHERE provider = $1 AND is_final AND market = $2 AND state = 'completed'
            ) AS visits
            GROUP BY visited
        ) AS clients
        WHERE $3::timestamptz IS NULL OR (last_visit_at, customer) < ($3, $4::uuid)
        ORDER BY last_visit_at DESC, customer DESC LIMIT $5
        """
    let provider: UUID
    let market: String
    /// Last client of the previous page; nil for the first page.
    let after: (at: Date, id: UUID)?
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(provider, market, after?.at, after?.id, limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Client {
        Client(
            account: try row.next(), name: try row.next(), visits: try row.next(), lastVisitAt: try row.next())
    }
}
