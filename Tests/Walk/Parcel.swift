import Contracts
import Foundation
import Phones

/// One parcel in Gothenburg, step by step: posted, paid, taken from the board with a deposit, carried, paid out.
struct Parcel {
    let town: Newcomer.Town
    let desk: AdminDesk
    let people: Acquaintances
    let tell: @Sendable (String) -> Void

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
        struct Item: Decodable, Sendable {
            struct Order: Decodable, Sendable {
                struct Place: Decodable, Sendable { let latitude: Double }
                struct Customer: Decodable, Sendable { let account: UUID? }
                let order: UUID
                let place: Place
                let customer: Customer
            }
            let order: Order
        }
        let items: [Item]
    }

    func walk() async throws {
        let market = Self.market.id
        let journal = try await Journal(of: Self.market, desk: desk, people: people, tell: tell)
        let owner = try await Newcomer.byCode("Olof Berg", as: "customer", in: market, of: town)
        journal.meet("owner", owner.phone, owner.person)
        try await owner.fill(Self.payment, in: market)
        try await journal.step(
            "owner", "Olof registers, shows the code of the SMS, and fills his wallet",
            moving: [.outside: -Self.payment, .wallet("owner"): Self.payment])
        let carrier = try await Newcomer.byCode("Karin Lund", as: "provider", in: market, of: town)
        journal.meet("carrier", carrier.phone, carrier.person)
        let filled = Self.deposit + 1_000
        try await carrier.fill(filled, in: market)
        try await journal.step(
            "carrier", "so does Karin, who carries things",
            moving: [.outside: -filled, .wallet("carrier"): filled])

        let order = try await post(owner, journal)
        try await take(order, owner, carrier)
        try await journal.step(
            "carrier", "finds it on the board and takes it; her deposit is locked",
            moving: [.wallet("carrier"): -Self.deposit, .deposit: Self.deposit])
        try await owner.phone.act("start", on: order)
        let seen = try await carrier.stream.order(order, is: .inProgress)
        try await journal.step("owner", "gives it to her: «\(seen.label ?? "")»")
        try await owner.phone.act("complete", on: order)
        try await carrier.stream.order(order, "paid out", within: .seconds(20)) {
            $0.snapshot.payment.state == .captured
        }
        let commission = Self.payment * Self.market.defaults.commissionBasisPoints / 10_000
        let paid = Self.payment - commission
        try await journal.step(
            "owner",
            "says that it has come; the deposit goes back, and the whole pay with it, since the market takes no commission",
            moving: [
                .held: -Self.payment, .deposit: -Self.deposit, .wallet("carrier"): Self.deposit + paid,
                .platform: commission,
            ])
        await owner.stream.close()
        await carrier.stream.close()
    }

    private func post(_ owner: Newcomer, _ journal: Journal) async throws -> UUID {
        let order: OrderView = try await owner.phone.send(
            try .post("/dispatch/v1/markets/\(Self.market.id)/parcels", Post())
        ).decode()
        try await journal.step("owner", "posts a lamp: «\(order.label ?? "")»")
        try await owner.pay(order.id)
        let seen = try await owner.stream.order(order.id, is: .requested)
        try await journal.step(
            "owner", "pays from the wallet: «\(seen.label ?? "")», it is on the board",
            moving: [.wallet("owner"): -Self.payment, .held: Self.payment])
        return order.id
    }

    private func take(_ order: UUID, _ owner: Newcomer, _ carrier: Newcomer) async throws {
        let path = "/dispatch/v1/markets/\(Self.market.id)/board?latitude=57.7&longitude=11.97"
        let board = try await carrier.phone.send(.get(path)).decode(Board.self)
        guard let listed = board.items.first(where: { $0.order.order == order })?.order else {
            throw NotAsItMustBe(description: "the parcel is not on the board")
        }
        guard listed.customer.account == nil else {
            throw NotAsItMustBe(description: "a stranger reads the owner's account on the board")
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
    }
}
