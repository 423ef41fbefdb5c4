import Contracts
import Foundation
import Phones
import TestKit
import Testing

@Suite("A parcel", .platform(), .timeLimit(.minutes(15)))
struct ParcelFlowTests {
    private struct Place: Encodable {
        let latitude, longitude: Double
    }

    private struct Parcel: Encodable {
        var name = "A lamp"
        var origin = Place(latitude: 57.70, longitude: 11.97)
        var destination = Place(latitude: 57.72, longitude: 11.99)
        var payment = 5_000
        var deposit = 9_000
        var grams = 900
        var fragile = true
    }

    private struct Board: Decodable, Sendable {
        // A stranger reads no account of the owner.
        struct Item: Decodable, Sendable {
            struct Order: Decodable, Sendable { let order: UUID }
            let order: Order
        }
        let items: [Item]
    }

    private struct Earnings: Decodable, Sendable {
        struct Item: Decodable, Sendable {
            let orders: Int
            let amount: Money
        }
        let items: [Item]
    }

    private static let market = "carrepsa"

    private func board(_ phone: Phone) async throws -> [UUID] {
        try await phone.send(.get("/dispatch/v1/markets/carrepsa/board?latitude=57.7&longitude=11.97"))
            .decode(Board.self).items.map(\.order.order)
    }

    /// A parcel that is paid and on the board.
    private func posted(_ owner: Newcomer) async throws -> UUID {
        let order: OrderView = try await owner.phone.send(
            try .post("/dispatch/v1/markets/carrepsa/parcels", Parcel())
        ).decode()
        #expect(order.state == .pending && order.label == "Waiting for payment")
        try await owner.pay(order.id)
        try await owner.stream.order(order.id, is: .requested)
        return order.id
    }

    /// As soon as dispatch has heard that the carrier's number is confirmed.
    func take(_ order: UUID, _ carrier: Newcomer) async throws {
        try await carrier.phone.until("dispatch knows the carrier") {
            do {
                try await carrier.phone.act("take", on: order)
                return true
            } catch let refusal as Refusal where refusal.status == 403 {
                return false
            }
        }
    }

    @Test("O11, W6: from the post over board, deposit, pick-up and delivery to the payout")
    func whole() async throws {
        let platform = try Platform.ofSuite()
        let owner = try await Newcomer.byCode("Olof", as: "customer", in: Self.market, of: platform.town)
        let carrier = try await Newcomer.byCode("Karin", as: "provider", in: Self.market, of: platform.town)
        try await owner.fill(5_000, in: Self.market)
        try await carrier.fill(10_000, in: Self.market)
        let order = try await posted(owner)
        #expect(try await owner.phone.wallets().first { $0.currency == "SEK" }?.held == 5_000)
        #expect(try await board(carrier.phone).contains(order))
        try await take(order, carrier)
        try await owner.stream.order(order, "the deposit is there") { $0.event == "dispatch.order.deposited.v1" }
        #expect(try await !board(carrier.phone).contains(order))
        #expect(try await carrier.phone.balance(in: "SEK") == 1_000)
        try await refuses(409, state: "accepted") { try await owner.phone.act("cancel", on: order) }
        try await owner.phone.act("start", on: order)
        let travelling = try await carrier.stream.order(order, is: .inProgress)
        #expect(travelling.label == "Travelling")
        try await owner.phone.act("complete", on: order)
        for person in [owner, carrier] {
            try await person.stream.order(order, "paid out", within: .seconds(150)) {
                $0.snapshot.payment.state == .captured
            }
        }
        // The whole payment is the carrier's; the deposit is back.
        try await eventually("the carrier has the pay and the deposit") {
            try await carrier.phone.balance(in: "SEK") == 15_000
        }
        #expect(try await owner.phone.balance(in: "SEK") == 0)
        let earned = try await carrier.phone.send(.get("/dispatch/v1/markets/carrepsa/earnings")).decode(Earnings.self)
        #expect(earned.items.map(\.orders) == [1])
        #expect(earned.items.map(\.amount) == [Money(amount: 5_000, currency: "SEK")])
    }

    @Test(
        "O11: who cannot leave the deposit loses the parcel, which the next one takes; what is lost, an admin decides")
    func deposits() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let owner = try await Newcomer.byCode("Olof", as: "customer", in: Self.market, of: platform.town)
        let poor = try await Newcomer.byCode("Per", as: "provider", in: Self.market, of: platform.town)
        let carrier = try await Newcomer.byCode("Karin", as: "provider", in: Self.market, of: platform.town)
        try await owner.fill(5_000, in: Self.market)
        try await carrier.fill(9_000, in: Self.market)
        let order = try await posted(owner)
        try await take(order, poor)
        try await owner.stream.order(order, "it is open again") { $0.event == "dispatch.order.reopened.v1" }
        try await take(order, carrier)
        try await carrier.stream.order(order, "the deposit is there") { $0.event == "dispatch.order.deposited.v1" }
        try await owner.phone.act("start", on: order)
        let report = try await owner.phone.report(order, "not-delivered", cancels: true)
        try await carrier.stream.order(order, is: .disputed)
        try await desk.phone.until("the report is on the desk") {
            try await desk.phone.openReports(in: Self.market).items.contains { $0.report == report.report }
        }
        let decision = ["decision": "returnToCustomer", "deposit": "giveToCustomer", "reason": "It never came"]
        try await desk.phone.send(try .post("/admin/v1/reports/\(report.report.path)/decision", decision))
        try await carrier.stream.order(order, is: .cancelled)
        try await eventually("the owner has the payment and the deposit") {
            try await owner.phone.balance(in: "SEK") == 14_000
        }
        #expect(try await carrier.phone.balance(in: "SEK") == 0)
    }
}
