import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("I14: places without names", .timeLimit(.minutes(15)))
struct NamelessPlaceTests {
    /// Columns of names in tables that have coordinates.
    private struct ListNamesBesidePlaces: Statement {
        static let sql: SQL = """
            SELECT names.table_name || '.' || names.column_name FROM information_schema.columns AS names
            JOIN information_schema.tables AS home
                ON home.table_schema = names.table_schema AND home.table_name = names.table_name
                AND home.table_type = 'BASE TABLE'
            WHERE names.table_schema = current_schema()
                AND (names.column_name LIKE '%name' OR names.column_name = 'companion')
                AND EXISTS (
                    SELECT FROM information_schema.columns AS places
                    WHERE places.table_schema = names.table_schema AND places.table_name = names.table_name
                        AND (places.column_name LIKE '%latitude' OR places.udt_name IN ('geography', 'geometry')))
            """
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    private struct DumpOrders: Statement {
        static let sql: SQL = "SELECT coalesce(string_agg(to_jsonb(orders)::text, ' '), '') FROM orders"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    /// As the version before wrote them.
    private struct WriteNames: Statement {
        static let sql: SQL = """
            UPDATE orders SET customer_name = 'Salem Old', provider_name = 'Noura Old', companion = 'Huda Old'
            WHERE id = $1
            """
        let order: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(order) }
    }

    @Test("I14: no table has a column of names beside coordinates, but what is public, and two that nothing fills")
    func columns() async throws {
        try await OrderWorld.with { world in
            let found = Set(try await world.pool.query(ListNamesBesidePlaces()))
            // Where a restaurant and a rack are is public. The columns of orders go with a later version.
            let publicly: Set = [
                "restaurants.name", "restaurants.arabic_name", "restaurants.search_name", "racks.name",
                "racks.arabic_name",
            ]
            let leaving: Set = ["orders.customer_name", "orders.provider_name", "orders.companion"]
            #expect(found.subtracting(publicly) == leaving)
        }
    }

    @Test("I14, O1: an order's row has nobody's name; its page has all of them, as they are now")
    func visit() async throws {
        try await OrderWorld.with { world in
            let customer = try await world.addCustomer("Salem Saleh")
            let provider = try await world.addProvider("Noura Ali")
            let order = try await world.request(customer, provider)
            _ = try await world.pool.withTransaction { transaction in
                try await world.operations.accept(
                    order.id, by: provider, AcceptOrder.Input(companion: "Huda Salem"), at: .thisMillisecond,
                    in: transaction)
            }
            let dump = try #require(try await world.pool.first(DumpOrders()))
            for name in ["Salem Saleh", "Noura Ali", "Huda Salem"] { #expect(!dump.contains(name), "\(name)") }
            let read = try await world.details(order.id).order
            #expect(read.customer.name == "Salem Saleh" && read.provider?.name == "Noura Ali")
            #expect(read.companion == "Huda Salem")
        }
    }

    @Test("I14, I9: nor has the row of a visit for a relative, nor its particulars")
    func relative() async throws {
        try await OrderServer.with { server in
            let (world, customer) = (server.world, try await server.owner("Ada Fox", in: "edencare"))
            let mother = try await world.addCustomer("Edith Fox")
            try await world.pool.execute(
                StoreLink(
                    link: .timeOrdered(), market: "edencare", from: mother, to: customer.account,
                    scopes: ["order", "see"]))
            let body = CareTests.body(try CareTests.noon(), more: #", "relative": "\#(mother.text)""#)
            let order = try await CareTests.ordered(server, customer, body)
            try await world.pay(order)
            let dump = try #require(try await world.pool.first(DumpOrders()))
            #expect(!dump.contains("Edith") && !dump.contains("Ada"), "\(dump)")
            #expect(try await world.details(order).order.homeCare?.relative?.name == "Edith Fox")
            let page = try await server.get(server.path(order), as: customer)
            #expect("\(page.json)".contains("Edith Fox"), "\(page.json)")
        }
    }

    @Test("I14, Q9: names that the version before wrote are emptied, and still read")
    func old() async throws {
        try await OrderWorld.with { world in
            let (customer, provider) = (try await world.addCustomer("Salem"), try await world.addProvider("Noura"))
            let order = try await world.request(customer, provider)
            try await world.pool.execute(WriteNames(order: order.id))
            let before = try await world.details(order.id).order
            #expect(before.customer.name == "Salem" && before.companion == "Huda Old")
            try await RetentionPass(
                pool: world.pool, markets: world.markets, clock: { .thisMillisecond }, logger: TestThreads.logger
            )
            .pass(at: .thisMillisecond)
            #expect(try await world.pool.first(DumpOrders())?.contains("Old") == false)
            let after = try await world.details(order.id).order
            #expect(after == before)
            // With the provider, who comes along is gone, too.
            try await world.pool.withTransaction { transaction in
                try await AccountDeletionHandlers.forget(
                    AccountDeleted(account: provider, version: 6, at: .thisMillisecond), by: { .thisMillisecond },
                    transaction)
            }
            let gone = try await world.details(order.id).order
            #expect(gone.companion == nil && gone.provider?.name == AccountSnapshot.goneName)
        }
    }
}
