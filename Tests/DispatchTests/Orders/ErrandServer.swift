import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

struct InsertRoleRow: Statement {
    static let sql: SQL = """
        WITH person AS (
                INSERT INTO people (account, version, name, search_name, language) VALUES ($2, 1, $3, lower($3), 'en')),
            provider AS (INSERT INTO providers (account) VALUES ($2))
        INSERT INTO provider_roles (market, account, title, verified, available) VALUES ($1, $2, $4, true, false)
        """
    let market: String
    let account: UUID
    let name: String
    let title: String?
    func bind(_ bindings: inout Bindings) { bindings.append(market, account, name, title) }
}

/// People and orders of the markets that are paid first.
extension OrderServer {
    func owner(_ name: String = "Olof", in market: String = "carrepsa") async throws -> Person {
        let account = try await world.addCustomer(name)
        try await world.pool.execute(StoreCustomerRoles(account: account, markets: [market]))
        return try await person(account, roles: ["customer"], in: market)
    }

    func carrier(_ name: String = "Karin") async throws -> Person {
        try await worker(name, in: "carrepsa", title: "carrier")
    }

    func partner(_ name: String = "Paul") async throws -> Person {
        try await worker(name, in: "edencare", title: "care-partner")
    }

    private func worker(_ name: String, in market: String, title: String?) async throws -> Person {
        let account = UUID.timeOrdered()
        // Waits for foreign keys at the statement's end.
        try await world.pool.execute(InsertRoleRow(market: market, account: account, name: name, title: title))
        return try await person(account, roles: ["provider"], in: market)
    }

    static func parcel(
        payment: Int = 5_000, deposit: Int = 0, grams: Int = 900, isFragile: Bool = false, north: Double = 0,
        way: Double = 0.01, photo: String? = nil
    ) -> String {
        let more = photo.map { #", "photo": "\#($0)""# } ?? ""
        return """
            {"name": "A lamp", "origin": {"latitude": \(57.70 + north), "longitude": 11.97},
             "destination": {"latitude": \(57.70 + north + way), "longitude": 11.97, "description": "Blue door"},
             "payment": \(payment), "deposit": \(deposit), "grams": \(grams), "fragile": \(isFragile)\(more)}
            """
    }

    static let parcels = "/dispatch/v1/markets/carrepsa/parcels"
    static let board = "/dispatch/v1/markets/carrepsa/board?latitude=57.7&longitude=11.97"

    /// A posted parcel's id.
    func post(_ owner: Person, _ body: String = OrderServer.parcel()) async throws -> UUID {
        let answer = try await post(Self.parcels, as: owner, body)
        #expect(answer.status == 201, "\(answer.json)")
        return try #require(answer["order"]?.text.flatMap(UUID.init(uuidString:)))
    }

    /// One that is paid, and so on the board.
    func posted(_ owner: Person, _ body: String = OrderServer.parcel()) async throws -> UUID {
        let order = try await post(owner, body)
        try await world.pay(order, SampleOrder.held(2, method: "wallet"))
        return order
    }

    /// As the wallet's event does.
    func deposit(_ trigger: OrderTrigger, of order: UUID, from provider: UUID? = nil) async throws {
        try await world.pool.withTransaction { transaction in
            try await world.operations.recordDeposit(
                trigger, of: order, from: provider, at: .thisMillisecond, in: transaction)
        }
    }

    func path(_ order: UUID, _ action: String? = nil) -> String {
        "\(Self.orders)/\(order.text)" + (action.map { "/\($0)" } ?? "")
    }

    /// - Parameter isThere: see ``post(_:as:_:key:language:isThere:)``
    func act(
        _ action: String, _ order: UUID, as person: Person?, _ body: String? = nil, isThere: Bool = true
    ) async throws -> Answer {
        try await post(path(order, action), as: person, body, isThere: isThere)
    }

    /// Where a path is a provider's word about being somewhere, the phone says so, too, and has for a while.
    func stand(_ person: Person?, for path: String) async throws {
        let parts = path.split(separator: "/")
        guard let person, parts.count > 1, ["arrive", "start", "complete"].contains(parts[parts.count - 1]),
            let id = UUID(uuidString: String(parts[parts.count - 2])),
            let order = try await world.pool.first(FindOrder(order: id))?.details().order,
            order.provider?.account == person.account
        else { return }
        try await world.stand(person.account, at: order.meetingPlace)
    }
}
