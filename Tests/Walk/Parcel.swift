import Contracts
import Foundation
import Phones

/// One parcel in Gothenburg, step by step: posted, paid, taken from the board with a deposit, carried, paid out.
struct Parcel {
    let town: Newcomer.Town
    let desk: AdminDesk

    private static let market = Market.carrepsa
    private static let (payment, deposit) = (5_000, 9_000)

    private struct Post: Encodable {
        var name = "A lamp"
        var origin = Coordinate(latitude: 57.70, longitude: 11.97)
        var destination = Coordinate(latitude: 57.72, longitude: 11.99)
        var payment = Parcel.payment
        var deposit = Parcel.deposit
        var grams = 900
        var fragile = true
    }

    private struct Board: Decodable, Sendable {
        struct Item: Decodable, Sendable { let order: OrderView }
        let items: [Item]
    }

    func walk() async throws {
        let market = Self.market.id
        let before = try await desk.ledger(of: Self.market.defaults.currency)
        say("owner", "Olof registers, shows the code of the SMS, and fills his wallet")
        let owner = try await Newcomer.byCode("Olof Berg", as: "customer", in: market, of: town)
        try await owner.fill(Self.payment, in: market)
        say("carrier", "so does Karin, who carries things")
        let carrier = try await Newcomer.byCode("Karin Lund", as: "provider", in: market, of: town)
        try await carrier.fill(Self.deposit + 1_000, in: market)
        let books = Books(
            customer: owner.phone, provider: carrier.phone, providerName: "carrier", desk: desk,
            currency: Self.market.defaults.currency, before: before)

        let order = try await post(owner)
        try await books.expect(customer: 0, held: Self.payment, provider: 10_000, platform: 0)
        try await take(order, owner, carrier)
        try await books.expect(customer: 0, held: Self.payment, provider: 1_000, platform: 0)
        try await owner.phone.act("start", on: order)
        let seen = try await carrier.stream.order(order, is: .inProgress)
        say("owner", "gives it to her: «\(seen.label ?? "")»")
        try await owner.phone.act("complete", on: order)
        try await carrier.stream.order(order, "paid out", within: .seconds(20)) {
            $0.snapshot.payment.state == .captured
        }
        say("owner", "says that it has come; the deposit goes back, and the pay with it")
        let commission = Self.payment * Self.market.defaults.commissionBasisPoints / 10_000
        try await books.expect(
            customer: 0, held: 0, provider: 10_000 + Self.payment - commission, platform: commission)
        await owner.stream.close()
        await carrier.stream.close()
    }

    private func post(_ owner: Newcomer) async throws -> UUID {
        let order: OrderView = try await owner.phone.send(
            try .post("/dispatch/v1/markets/\(Self.market.id)/parcels", Post())
        ).decode()
        say("owner", "posts a lamp: «\(order.label ?? "")»")
        try await owner.pay(order.id)
        let seen = try await owner.stream.order(order.id, is: .requested)
        say("owner", "pays from the wallet: «\(seen.label ?? "")», it is on the board")
        return order.id
    }

    private func take(_ order: UUID, _ owner: Newcomer, _ carrier: Newcomer) async throws {
        let path = "/dispatch/v1/markets/\(Self.market.id)/board?latitude=57.7&longitude=11.97"
        let board = try await carrier.phone.send(.get(path)).decode(Board.self)
        guard board.items.contains(where: { $0.order.id == order }) else {
            throw NotAsItMustBe(description: "the parcel is not on the board")
        }
        // Dispatch hears by a message that her number is confirmed.
        try await carrier.phone.until("dispatch knows the carrier") {
            do {
                try await carrier.phone.act("take", on: order)
                return true
            } catch let refusal as Refusal where refusal.status == 403 {
                return false
            }
        }
        try await owner.stream.order(order, "the deposit is there") { $0.event == "dispatch.order.deposited.v1" }
        say("carrier", "finds it on the board and takes it; her deposit is locked")
    }
}
