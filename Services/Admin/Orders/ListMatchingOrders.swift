import Foundation
import Postgres

/// Lists a page of a market's orders, newest first, with the statement that reads the fewest rows.
struct ListMatchingOrders: Sendable {
    /// Up to so many people of a name their own orders are read. Of more the market's orders are gone through, of which a
    /// page is soon full then.
    static let fewPeople = 100

    let pool: PostgresPool

    func callAsFunction(_ filter: OrderFilter, before: ListPosition, limit: Int) async throws -> [OrderRow] {
        let part = OrderPart(filter: filter, before: before, limit: limit)
        if filter.number != nil { return try await pool.query(ListNumberedOrders(part: part)) }
        if filter.customer != nil { return try await pool.query(ListOrdersOfCustomer(part: part)) }
        if filter.provider != nil { return try await pool.query(ListOrdersOfProvider(part: part)) }
        if let account = filter.account {
            return try await pool.query(ListOrdersOfPeople(part: part, people: [account]))
        }
        if let name = filter.name {
            let people = try await pool.query(
                FindNamedPeople(market: filter.market, name: name, limit: FindNamedPeople.many + 1))
            var rest = filter
            rest.name = nil
            let part = OrderPart(filter: rest, before: before, limit: limit)
            if people.count <= Self.fewPeople {
                return try await pool.query(ListOrdersOfPeople(part: part, people: people))
            }
            if people.count <= FindNamedPeople.many {
                return try await pool.query(ListOrdersOfMany(part: part, people: people))
            }
        }
        if filter.kind != nil { return try await pool.query(ListOrdersOfKind(part: part)) }
        if filter.state != nil { return try await pool.query(ListOrdersInState(part: part)) }
        return try await pool.query(ListOrders(part: part))
    }
}
