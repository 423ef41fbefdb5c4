import AsyncHTTPClient
import Contracts
import Foundation
import JWTKit
import LiveMarkets
import Messaging
import NIOCore
import NIOHTTP1
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("The whole service, on a broker", .timeLimit(.minutes(15)))
struct OrderServiceTests {
    private struct HandledCount: Statement {
        static let sql: SQL = "SELECT count(*) FROM inbox"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
    }

    /// The wallet and others who hear.
    private struct Outside: Sendable {
        let host: VirtualHost

        func publish<M: Message>(_ message: M, id: UUID = .timeOrdered()) async throws {
            let body = try JSON.wire.text(message)
            let properties = MessageProperties(
                messageID: id.text, type: M.name.text, appID: M.name.service, contentType: "application/json")
            try await eventually("the message is routed") {
                try await host.publish(
                    body, exchange: M.name.service, routingKey: M.name.text, properties: properties)
            }
        }

        func payment(
            _ order: Order, _ version: Int, _ state: PaymentSnapshot.State, _ method: PaymentSnapshot.Method = .card
        ) -> PaymentSnapshot {
            PaymentSnapshot(
                payment: .timeOrdered(), order: order.id, market: order.market, version: version, state: state,
                method: method, customer: order.customer.account, provider: order.assignee,
                amount: Money(amount: order.total, currency: order.currency))
        }
    }

    private func withService(
        _ body: (OrderWorld, Outside, OrderProcess, AccessTokenSigner) async throws -> Void
    ) async throws {
        let signer = await AccessTokenSigner(key: try EdDSA.PrivateKey(), keyID: "key-1")
        try await TestBroker.withVirtualHost { host in
            try await OrderWorld.with { world in
                let process = try await OrderProcess(database: world.database, broker: host, signer: signer)
                try await body(world, Outside(host: host), process, signer)
            }
        }
    }

    @Test("X9, Q7: of each kind of things that paths name the service knows whether they are a key's")
    func keyOwners() async throws {
        try await withService { _, _, process, _ in
            try await process.whileRunning { _ in
                let owners = try DispatchService.features(process.parts).flatMap(\.keyOwners.keys)
                #expect(Set(owners) == [.order, .quote, .series])
            }
        }
    }

    @Test("W6, O1: every message of the wallet twice: the order goes on its way once, and is paid once")
    func messages() async throws {
        try await withService { world, outside, process, _ in
            try await process.whileRunning { _ in
                let order = try await world.order(in: .accepted)
                let held = PaymentHeld(payment: outside.payment(order, 2, .held), at: Date())
                let id = UUID.timeOrdered()
                // The same message again, and the same news as another message.
                for id in [id, id, .timeOrdered()] { try await outside.publish(held, id: id) }
                try await eventually("it is on the way") { try await world.state(order.id) == .enRoute }
                try await eventually("all are handled") { try await world.pool.first(HandledCount()) == 2 }
                let arrived = try await world.arrive(order)
                _ = try await world.confirm(arrived, by: order.customer.account)
                _ = try await world.confirm(arrived, by: order.assignee)
                let share = Money(amount: 0, currency: "SAR")
                let captured = PaymentCaptured(
                    payment: outside.payment(order, 3, .captured), providerShare: share, platformShare: share,
                    at: Date())
                for id in [id, UUID.timeOrdered(), .timeOrdered()] { try await outside.publish(captured, id: id) }
                try await eventually("it is paid out") {
                    try await world.details(order.id).order.payment.state == .captured
                }
                try await eventually("all are handled") { try await world.pool.first(HandledCount()) == 4 }
                #expect(
                    try await world.events(order.id) == [
                        "requested", "accepted", "en_route", "arrived", "confirmed", "completed", "payment_changed",
                    ])
                try await world.expectConsistency()
            }
        }
    }

    @Test("O1: what is held for an order that ended meanwhile is ignored, and its release is shown")
    func released() async throws {
        try await withService { world, outside, process, _ in
            try await process.whileRunning { _ in
                let order = try await world.cancel(try await world.order(in: .accepted))
                try await outside.publish(PaymentHeld(payment: outside.payment(order, 2, .held), at: Date()))
                try await outside.publish(PaymentReleased(payment: outside.payment(order, 3, .released), at: Date()))
                try await eventually("it is released") {
                    try await world.details(order.id).order.payment.state == .released
                }
                #expect(try await world.state(order.id) == .cancelled)
                try await world.expectConsistency()
            }
        }
    }

    @Test("O2: a block by wallet's word keeps from ordering until its end is heard, with repeats and late words")
    func blocks() async throws {
        try await withService { world, outside, process, _ in
            try await process.whileRunning { _ in
                let (customer, provider) = (try await world.addCustomer(), try await world.addProvider())
                func blocked(_ version: Int) -> AccountBlocked {
                    AccountBlocked(
                        account: customer, market: "assef", owed: Money(amount: 1_000, currency: "SAR"),
                        version: version, at: Date())
                }
                let id = UUID.timeOrdered()
                for id in [id, id, .timeOrdered()] { try await outside.publish(blocked(1), id: id) }
                try await eventually("all are handled") { try await world.pool.first(HandledCount()) == 2 }
                await #expect(throws: CustomerRefusal.blocked) {
                    _ = try await world.request(customer, provider)
                }
                // Paid, blocked and paid again; the second block is heard of last.
                for version in [2, 4] {
                    try await outside.publish(
                        AccountUnblocked(account: customer, market: "assef", version: version, at: Date()))
                }
                try await eventually("the ends are handled") { try await world.pool.first(HandledCount()) == 4 }
                try await outside.publish(blocked(3))
                try await eventually("all are handled") { try await world.pool.first(HandledCount()) == 5 }
                _ = try await world.request(customer, provider)
                try await world.expectConsistency()
            }
        }
    }

    @Test("P2: an admin's setting holds for the next order; a deadline set by one process is fired by the next")
    func settingsAndRestart() async throws {
        try await withService { world, outside, process, signer in
            var order: Order?
            try await process.whileRunning { url in
                try await outside.publish(
                    SettingChanged(
                        market: "assef", key: "acceptWindowSeconds", value: "2", version: 1, by: .timeOrdered(),
                        at: Date()))
                try await eventually("the setting holds") {
                    process.parts.markets.settings(of: "assef")?.acceptWindowSeconds == 2
                }
                let customer = try await world.addCustomer()
                let provider = try await world.addProvider()
                let id = try await Self.post(url, customer, provider, signer)
                let requested = try await world.details(id).order
                #expect(requested.deadline?.timeIntervalSince(requested.requestedAt).rounded() == 2)
                order = requested
            }
            // That process is gone before the window ends.
            let id = try #require(order?.id)
            #expect(try await world.state(id) == .requested)
            let next = try await OrderProcess(database: world.database, broker: outside.host, signer: signer)
            try await next.whileRunning { _ in
                try await eventually("it expired") { try await world.state(id) == .expired }
            }
            #expect(try await world.events(id) == ["requested", "expired"])
            try await world.expectConsistency()
        }
    }

    /// - Returns: the new order's id.
    private static func post(
        _ url: String, _ customer: UUID, _ provider: UUID, _ signer: AccessTokenSigner
    ) async throws -> UUID {
        let now = Date().timeIntervalSince1970
        let token = try await signer.sign(
            AccessTokenClaims(
                sub: customer.text, iss: OrderServer.issuer, aud: OrderServer.audience, exp: now + 600, iat: now,
                roles: [MarketRole(market: "assef", role: "customer")], sid: nil))
        var request = HTTPClientRequest(url: url + OrderServer.orders)
        request.method = .POST
        request.headers.add(name: "authorization", value: "Bearer \(token)")
        request.headers.add(name: "content-type", value: "application/json")
        request.headers.add(name: "idempotency-key", value: UUID().uuidString)
        request.body = .bytes(ByteBuffer(string: OrderServer.body(provider)))
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
        let body = try await answer.body.collect(upTo: 100_000)
        #expect(answer.status == .created, "\(String(buffer: body))")
        let json = try JSONValue(parsing: body.readableBytesView)
        return try #require(json["order"]?.text.flatMap(UUID.init(uuidString:)))
    }
}
