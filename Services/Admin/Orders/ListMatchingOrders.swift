import Postgres

/// Lists a page of a market's orders, newest first, with the statement that reads the fewest rows.
struct ListMatchingOrders: Sendable {
    let pool: PostgresPool

    func callAsFunction(_ filter: OrderFilter, before: ListPosition, limit: Int) async throws -> [OrderRow] {
        if let customer = filter.customer {
            return try await pool.query(
                ListOrdersOfCustomer(filter: filter, customer: customer, before: before, limit: limit))
        }
        if let provider = filter.provider {
            return try await pool.query(
                ListOrdersOfProvider(filter: filter, provider: provider, before: before, limit: limit))
        }
        if let state = filter.state {
            return try await pool.query(ListOrdersInState(filter: filter, state: state, before: before, limit: limit))
        }
        return try await pool.query(ListOrders(filter: filter, before: before, limit: limit))
    }
}
