import Contracts
import Foundation
import Phones
import TestKit
import Testing

@Suite("Promo codes from an admin's making to the statement", .platform(), .serialized, .timeLimit(.minutes(15)))
struct PromoFlowTests {
    private struct Terms: Encodable {
        let code: String
        var basisPoints: Int?
        var amount: Int?
        var maximum: Int?
        var minimumPrice: Int?
        var limit = 10
        var limitPerAccount = 10
    }

    private struct Line: Decodable {
        let kind: String
        let amount: Int
        let state: String
        let order: UUID?
    }

    private static func make(_ terms: Terms, _ desk: AdminDesk) async throws {
        try await desk.phone.send(try .post("/wallet/v1/markets/\(RideTown.market)/promo-codes", terms))
    }

    /// A quote with a code, as soon as it says of the code what is waited for.
    private static func quote(
        _ rider: Newcomer, _ code: String, _ town: RideTown, problem: String? = nil
    ) async throws -> RideTown.Quote {
        var found: RideTown.Quote?
        // Not often: a code that is not known yet is one that is guessed.
        try await eventually("the quote knows how \(code) stands", poll: .seconds(1)) {
            let quote = try await town.quote(rider, promo: code)
            guard quote.promotion?.problem == problem else { return false }
            found = quote
            return true
        }
        return try #require(found)
    }

    private static func payment(of order: UUID, _ rider: Newcomer) async throws -> Line? {
        try await rider.phone.send(.get("/wallet/v1/statement")).decode(Items<Line>.self).items.first {
            $0.order == order && $0.kind == "payment"
        }
    }

    @Test(
        "C7: a code that an admin makes is on the quote, is paid by without being typed again, and is in the statement")
    func counted() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let town = RideTown(town: platform.town, desk: desk)
        let rider = try await town.rider("Ruby")
        let unknown = try await town.quote(rider, promo: "QUARTER")
        #expect(unknown.promotion?.problem == "unknown" && unknown.toPay == unknown.price)
        try await Self.make(Terms(code: "QUARTER", basisPoints: 2_500, maximum: 5_000), desk)
        let quote = try await Self.quote(rider, "quarter", town)
        let discount = quote.price.amount / 4
        #expect(quote.discount.amount == discount && quote.toPay.amount == quote.price.amount - discount)
        let ride = try await town.ride(rider, by: quote)
        // The price binds as it was before the discount.
        #expect(ride.snapshot.total == quote.price && ride.snapshot.promo?.discount == discount)
        try await rider.pay(ride.id)
        try await rider.sees(ride.id, .requested)
        let held = try await rider.phone.wallets().first { $0.currency == "AUD" }?.held
        #expect(held == quote.toPay.amount)
        let line = try await Self.payment(of: ride.id, rider)
        #expect(line?.amount == -quote.toPay.amount && line?.state == "waiting")
        try await rider.phone.act("cancel", on: ride.id)
        try await rider.has(10_000, in: "AUD")
        try await desk.settled("AUD")
    }

    @Test("C7: who was quoted with the last use that another took pays nothing, and the order ends with that reason")
    func lastUse() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let town = RideTown(town: platform.town, desk: desk)
        let riders = [try await town.rider("Rita"), try await town.rider("Rob")]
        try await Self.make(Terms(code: "LAST-ONE", amount: 100, minimumPrice: 200, limit: 1), desk)
        var rides: [UUID] = []
        for rider in riders {
            rides.append(try await town.ride(rider, by: try await Self.quote(rider, "LAST-ONE", town)).id)
        }
        try await riders[0].pay(rides[0])
        try await riders[0].sees(rides[0], .requested)
        let refusal = try await Self.refusedToPay(rides[1], riders[1])
        #expect(refusal?.slug == "promo-code-lost")
        let ended = try await riders[1].sees(rides[1], .cancelled)
        #expect(ended.snapshot.reason == "promo-code-lost" && ended.snapshot.by == .system)
        try await riders[1].has(10_000, in: "AUD")
        // Quotes know it by now; and when the use is given back they say so, too.
        _ = try await Self.quote(riders[1], "LAST-ONE", town, problem: "used-up")
        try await riders[0].phone.act("cancel", on: rides[0])
        _ = try await Self.quote(riders[1], "LAST-ONE", town)
        try await desk.settled("AUD")
    }

    /// What the wallet says once it knows of the order.
    private static func refusedToPay(_ order: UUID, _ rider: Newcomer) async throws -> Refusal? {
        var found: Refusal?
        try await rider.phone.until("the wallet refuses the payment") {
            do {
                try await rider.phone.pay(order, by: "wallet")
            } catch let refusal as Refusal where refusal.slug == "promo-code-lost" {
                found = refusal
            } catch let refusal as Refusal where [404, 409].contains(refusal.status) {
                return false
            }
            return true
        }
        return found
    }
}
