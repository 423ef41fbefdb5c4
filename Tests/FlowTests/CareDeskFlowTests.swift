import Contracts
import Foundation
import Phones
import TestKit
import Testing

/// What the desk and its partners agree about.
extension CareFlowTests {
    @Test("O7, P4: the preferred partner is first on the list and says no; another is sent, and is busy then")
    func partners() async throws {
        let town = try await CareTown.ofSuite()
        let customer = try await town.customer("Ada")
        let (pia, paul) = (try await town.partner("Pia"), try await town.partner("Paul"))
        let noon = try CareTown.noon()
        let first = try await town.ordered(customer, at: noon, preferring: pia)
        // Begins when the other one, of an hour, is half over.
        let second = try await town.ordered(customer, at: noon.addingTimeInterval(1_800))
        let atDesk = try await town.waiting(in: "requested").filter { [first, second].contains($0.id) }
        #expect(atDesk.map(\.id) == [first, second])
        #expect(atDesk.first?.care?.preferred == pia.account)
        let listed = try #require(try await town.partners(for: first).first)
        #expect(listed.account == pia.account && listed.isPreferred && listed.isFree)

        try await town.send(pia, to: first)
        #expect(try await town.calendar(of: pia).map(\.id) == [first])
        // The order is nothing of hers any more, so there is no order in the answer.
        try await pia.phone.send(try .post("/dispatch/v1/orders/\(first.path)/decline", ["reason": "I am away"]))
        try await customer.stream.order(first, "open again", within: .seconds(150)) {
            $0.event == "dispatch.order.reopened.v1" && $0.state == .requested
        }
        #expect(try await town.calendar(of: pia).isEmpty)
        try await refuses(404) { try await pia.phone.order(first) }
        try await town.confirm(first, paul)
        let accepted = try await customer.stream.order(first, is: .accepted, within: .seconds(150))
        #expect(accepted.snapshot.provider?.account == paul.account)

        #expect(try await town.partners(for: second).first { $0.account == paul.account }?.isFree == false)
        try await conflicts {
            try await town.desk.phone.act("assignment", on: second, ["provider": paul.account.path])
        }
        // Right after it is no conflict.
        let after = noon.addingTimeInterval(3_600)
        let third = try await town.ordered(customer, at: after)
        try await town.send(paul, to: third)
        try await conflicts { try await town.move(third, to: noon.addingTimeInterval(600)) }
        #expect(try await town.calendar(of: paul).map(\.id) == [first, third])
        #expect(try await town.calendar(of: paul, from: noon, to: after).map(\.id) == [first])
        try await town.takeBack(third)
        try await town.tells(paul, "The order is yours no more")
        #expect(try await town.calendar(of: paul).map(\.id) == [first])

        for order in [first, third] { try await customer.phone.act("cancel", on: order) }
        try await town.desk.phone.act("refusal", on: second)
        for (act, order) in [("assigned", first), ("unassigned", third), ("refused", second)] {
            try await town.isLogged(act, order)
        }
        try await town.settled(customer, has: 10_000)
        try await town.booksAreEven()
    }

    private func conflicts(_ body: () async throws -> some Any) async throws {
        do {
            _ = try await body()
            Issue.record("a partner is to be at two places at once")
        } catch let refusal as Refusal {
            #expect(refusal.status == 409 && refusal.slug == "calendar-conflict", "\(refusal)")
        }
    }

    @Test("O7: a partner asks for another time, the desk sets it, both are told; a yes to the time before is refused")
    func anotherTime() async throws {
        let town = try await CareTown.ofSuite()
        let customer = try await town.customer("Ada")
        let partner = try await town.partner("Paul")
        let noon = try CareTown.noon()
        let later = noon.addingTimeInterval(7_200)
        let order = try await town.ordered(customer, at: noon)
        try await town.send(partner, to: order)
        let seen = try await partner.phone.order(order)
        let asked = try await partner.phone.act("time", on: order, ["time": later.formatted(.iso8601)])
        #expect(asked.proposedAt == later && asked.snapshot.scheduledAt == noon)
        try await town.tells(customer, "Paul asks for another time")
        #expect(try await town.waiting(in: "offered").first { $0.id == order }?.proposedAt == later)

        let moved = try await town.move(order, to: later)
        #expect(moved.snapshot.scheduledAt == later && moved.proposedAt == nil)
        for person in [customer, partner] {
            try await person.stream.order(order, "at another time", within: .seconds(150)) {
                $0.snapshot.scheduledAt == later
            }
            try await town.tells(person, "The time was changed")
        }
        #expect(try await town.calendar(of: partner, from: noon, to: later).isEmpty)
        #expect(try await town.calendar(of: partner, from: later).map(\.id) == [order])
        func accept(_ version: Int) async throws {
            try await partner.phone.send(try .post("/dispatch/v1/orders/\(order.path)/accept", ["version": version]))
        }
        let outdated = await #expect(throws: Refusal.self) { try await accept(seen.version) }
        #expect(outdated?.status == 409 && outdated?.slug == "order-changed")
        try await accept(moved.version)
        let accepted = try await customer.stream.order(order, is: .accepted, within: .seconds(150))
        #expect(accepted.snapshot.scheduledAt == later)
        try await customer.phone.act("cancel", on: order)
        try await town.settled(customer, has: 10_000)
        try await town.booksAreEven()
    }
}
