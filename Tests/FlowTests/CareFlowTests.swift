import Contracts
import Foundation
import Phones
import TestKit
import Testing

/// One after the other, and each ends its orders, so that each can look at the whole ledger. Visits are at all hours, so that
/// one can be had at once whenever the tests run.
@Suite(
    "A visit of a care partner", .serialized,
    .platform(settings: [.openingHours: "always", .noShowWaitSeconds: "1"], in: .edencare), .timeLimit(.minutes(15)))
struct CareFlowTests {
    @Test("O7, W6, W1: held when ordered, sent by the desk, confirmed, begun, finished, and captured for the platform")
    func whole() async throws {
        let town = try await CareTown.ofSuite()
        let before = try await town.earned()
        let customer = try await town.customer("Ada", with: 5_000)
        let partner = try await town.partner("Paul")
        let order = try await town.ordered(customer)
        #expect(try await customer.phone.wallets().first { $0.currency == "CAD" }?.held == CareTown.price)
        try await town.confirm(order, partner)
        try await customer.stream.order(order, is: .accepted, within: .seconds(150))
        try await town.finish(order, customer, partner)
        try await town.settled(customer, has: 2_000)
        try await town.settled(partner, has: 0)
        try await town.booksAreEven(earned: before + CareTown.price)
    }

    @Test("O7: a visit for another day is not begun, nor paid for, before its time")
    func early() async throws {
        let town = try await CareTown.ofSuite()
        let customer = try await town.customer("Ada", with: 3_000)
        let partner = try await town.partner("Pia")
        let order = try await town.ordered(customer, at: try CareTown.noon())
        try await town.confirm(order, partner)
        let refusal = await #expect(throws: Refusal.self) { try await partner.phone.act("start", on: order) }
        #expect(refusal?.slug == "too-early")
        #expect(try await customer.phone.wallets().first { $0.currency == "CAD" }?.held == CareTown.price)
        try await customer.phone.act("cancel", on: order)
        try await town.settled(customer, has: 3_000)
        try await town.booksAreEven()
    }

    @Test("O7: refused at the desk, and the money is back; the audit log has it")
    func refused() async throws {
        let town = try await CareTown.ofSuite()
        let customer = try await town.customer("Ada", with: 3_000)
        let order = try await town.ordered(customer, at: try CareTown.noon())
        try await town.desk.phone.act("refusal", on: order, ["reason": "Nobody is there that day"])
        try await customer.stream.order(order, is: .refused, within: .seconds(150))
        try await town.settled(customer, has: 3_000)
        try await town.isLogged("refused", order)
        try await town.booksAreEven()
    }

    @Test("O7, P3a: refused at the door, or one of the two is not there: it is over, both are told, the money is back")
    func doors() async throws {
        let town = try await CareTown.ofSuite()
        let customer = try await town.customer("Ada")
        let partner = try await town.partner("Paul")
        func confirmed() async throws -> UUID {
            let order = try await town.ordered(customer)
            try await town.confirm(order, partner)
            return order
        }

        let door = try await confirmed()
        let refused = try await partner.phone.act("decline", on: door, ["reason": "Nobody lets me in"])
        #expect(refused.state == .refused)
        let told = try await customer.stream.order(door, is: .refused, within: .seconds(150))
        #expect(told.snapshot.reason == "Nobody lets me in")
        try await town.tells(customer, "Your order cannot be done")
        try await town.settled(customer, has: 10_000)

        let alone = try await confirmed()
        try await missed(alone, by: partner.phone, at: CareTown.home)
        try await town.tells(customer, "The visit was cancelled: you were not there")
        try await town.tells(partner, "The visit was cancelled: nobody was there")
        let waiting = try await confirmed()
        try await missed(waiting, by: customer.phone)
        try await town.tells(customer, "The order was cancelled")
        try await town.tells(partner, "The order was cancelled")
        for (order, reason) in [(alone, "customer-no-show"), (waiting, "no-show")] {
            for person in [customer, partner] {
                let end = try await person.stream.order(order, is: .cancelled, within: .seconds(150))
                #expect(end.snapshot.reason == reason && end.snapshot.fine == nil)
            }
        }
        try await town.settled(customer, has: 10_000)
        try await town.settled(partner, has: 0)
        try await town.booksAreEven()
    }

    /// One of the two has waited for the other as long as the market asks.
    ///
    /// - Parameter place: where the phone says that it is; who misses a customer has to be there.
    private func missed(_ order: UUID, by phone: Phone, at place: Coordinate? = nil) async throws {
        try await eventually("somebody has waited long enough", poll: .milliseconds(300)) {
            if let place { try await phone.post(position: place) }
            do {
                try await phone.act("no-show", on: order)
                return true
            } catch let refusal as Refusal where ["too-early", "not-at-place"].contains(refusal.slug) {
                return false
            }
        }
    }

    @Test("O5, O7: what was finished is past for both, and whom the partner has visited are his past clients")
    func past() async throws {
        let town = try await CareTown.ofSuite()
        let (ada, ben) = (try await town.customer("Ada"), try await town.customer("Ben"))
        let partner = try await town.partner("Paul")
        var orders: [UUID] = []
        for customer in [ada, ben, ada] {
            let order = try await town.ordered(customer)
            try await town.confirm(order, partner)
            try await town.finish(order, customer, partner)
            orders.append(order)
        }
        let past = try await partner.phone.orders(as: "provider", section: "past").items.map(\.id)
        #expect(past == [orders[2], orders[1], orders[0]])
        #expect(try await partner.phone.orders(as: "provider", section: "new").items.isEmpty)
        #expect(try await town.calendar(of: partner).isEmpty)
        let inactive = try await ada.phone.orders(as: "customer", section: "inactive").items.map(\.id)
        #expect(inactive == [orders[2], orders[0]])
        let clients = try await town.clients(of: partner.phone)
        #expect(clients.map(\.customer.account) == [ada.account, ben.account])
        #expect(clients.map(\.customer.name) == ["Ada", "Ben"] && clients.map(\.visits) == [2, 1])
        try await refuses(403) { try await town.clients(of: ada.phone) }
        try await town.settled(ada, has: 4_000)
        try await town.settled(ben, has: 7_000)
        try await town.settled(partner, has: 0)
        try await town.booksAreEven()
    }
}
