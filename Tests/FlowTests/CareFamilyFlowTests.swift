import Contracts
import Foundation
import Phones
import SeraiJSON
import TestKit
import Testing

/// Visits that somebody orders for somebody else.
extension CareFlowTests {
    private struct Family: Encodable {
        let email: String
        var kind = "family"
        var market = CareTown.market
        var scopes = ["order", "see"]
    }

    private struct LinkState: Decodable, Sendable {
        let link: UUID
        let state: String
    }

    private static let own = "/identity/v1/accounts/me/links"
    private static let ofMarket = "/identity/v1/markets/\(CareTown.market)/links"

    /// The orders of somebody that a relative sees.
    private static func seen(_ person: Newcomer, of relative: Newcomer) async throws -> [UUID] {
        let query: [(String, String?)] = [("relative", relative.account.path)]
        return try await person.phone.send(.get("/dispatch/v1/orders", query: query))
            .decode(Items<OrderView>.self).items.map(\.id)
    }

    @Test("I9, O7: two agree to be a family, an admin approves, and one orders for the other until the link ends")
    func relatives() async throws {
        let town = try await CareTown.ofSuite()
        let daughter = try await town.customer("Dora")
        let mother = try await town.customer("Edith", with: 0)
        let partner = try await town.partner("Paul")
        let wish = CareTown.Wish(time: try CareTown.noon().formatted(.iso8601), relative: mother.account)
        let asked: LinkState = try await daughter.phone.send(
            try .post(Self.own, Family(email: mother.person.email))
        ).decode()
        #expect(asked.state == "asked")
        let link = asked.link.path
        let agreed: LinkState = try await mother.phone.send(try .post("\(Self.own)/\(link)/agreement")).decode()
        #expect(agreed.state == "agreed")
        // Both have agreed, and the admins have not looked at it.
        try await refuses(422) { try await town.ask(wish, by: daughter.phone) }
        let approved: LinkState = try await town.desk.phone.send(
            try .post("\(Self.ofMarket)/\(link)/approval")
        ).decode()
        #expect(approved.state == "confirmed")

        let order = try await town.ordered(daughter, for: mother)
        // And each sees what the other has ordered, and does nothing with it.
        #expect(try await mother.phone.order(order).snapshot.customer.account == daughter.account)
        #expect(try await Self.seen(mother, of: daughter) == [order])
        try await refuses(404) { try await mother.phone.act("cancel", on: order) }
        #expect(try await daughter.phone.order(order).care?.relative?.account == mother.account)
        try await town.confirm(order, partner)
        let visit = try #require(try await town.calendar(of: partner).first)
        #expect(visit.id == order && visit.care?.relative?.name == "Edith")
        try await town.finish(order, daughter, partner)
        let labels = try await daughter.phone.orders(as: "customer", section: "inactive").items.map(\.label)
        #expect(labels == ["Finished"])

        try await mother.phone.send(.delete("\(Self.own)/\(link)"))
        try await eventually("the link has ended for dispatch", poll: .milliseconds(200)) {
            do {
                let early = try await town.ask(wish, by: daughter.phone)
                try await daughter.phone.act("cancel", on: early.id)
                return false
            } catch let refusal as Refusal where refusal.fields.map(\.code) == ["not-linked"] {
                return true
            }
        }
        try await refuses(404) { try await mother.phone.order(order) }
        try await refuses(404) { try await Self.seen(mother, of: daughter) }
        try await town.settled(daughter, has: 7_000)
        try await town.settled(mother, has: 0)
        try await town.settled(partner, has: 0)
        try await town.booksAreEven()
    }

    @Test("O7, P9: an admin orders for a caller, who has longer to pay; what he wants no more is cancelled for him")
    func callers() async throws {
        let town = try await CareTown.ofSuite()
        let caller = try await town.customer("Carl")
        let partner = try await town.partner("Paul")
        let called = try await town.order(CareTown.Wish(customer: caller.account), by: town.desk.phone)
        #expect(called.state == .pending && called.snapshot.by == .admin && called.care?.isByPhone == true)
        #expect(called.snapshot.customer.account == caller.account)
        // Others have a quarter of an hour.
        let deadline = try #require(called.snapshot.deadline)
        #expect(deadline.timeIntervalSince(called.snapshot.requestedAt) > 86_400)
        try await caller.stream.order(called.id, is: .pending, within: .seconds(150))
        try await town.tells(caller, "Your order waits for its payment")
        try await town.pay(called.id, caller)
        try await town.confirm(called.id, partner)
        try await town.finish(called.id, caller, partner)
        try await town.settled(caller, has: 7_000)

        let wish = CareTown.Wish(time: try CareTown.noon().formatted(.iso8601), customer: caller.account)
        let other = try await town.order(wish, by: town.desk.phone)
        try await town.pay(other.id, caller)
        try await town.confirm(other.id, partner)
        let cancelled = try await town.desk.phone.act("cancellation", on: other.id, ["reason": "He called"])
        #expect(cancelled.state == .cancelled && cancelled.snapshot.by == .admin)
        for person in [caller, partner] {
            try await person.stream.order(other.id, is: .cancelled, within: .seconds(150))
        }
        try await town.isLogged("ordered", other.id)
        try await town.isLogged("cancelled", other.id)
        try await town.settled(caller, has: 7_000)
        try await town.settled(partner, has: 0)
        try await town.booksAreEven()
    }
}
