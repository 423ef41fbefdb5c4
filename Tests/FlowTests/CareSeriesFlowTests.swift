import Contracts
import Foundation
import Phones
import SeraiJSON
import TestKit
import Testing

/// Visits that come again.
extension CareFlowTests {
    private struct Wish: Encodable {
        /// On the market's clock.
        let firstDay: String
        var payment = "card"
        var card: UUID?
        var consent: Bool? = true
        var market = CareTown.market
        var services = ["companionship"]
        var latitude = CareTown.home.latitude
        var longitude = CareTown.home.longitude
        var rule = "FREQ=DAILY;INTERVAL=3;COUNT=4"
        var time = "12:00"
    }

    private struct Series: Decodable, Sendable {
        let series: UUID
        let state: String
    }

    private struct Visit: Decodable, Sendable {
        let day: String
        let startsAt: Date
        let state: String
        let moved: Bool
        let order: UUID?
    }

    private struct Moment: Encodable {
        let day, time: String
    }

    /// The day in Regina.
    private static func day(_ date: Date) -> String { String(date.formatted(.iso8601).prefix(10)) }

    private func visits(_ series: UUID, of customer: Newcomer) async throws -> [Visit] {
        try await customer.phone.send(.get("/dispatch/v1/series/\(series.path)/visits"))
            .decode(Items<Visit>.self).items
    }

    /// Has a card that may be charged for what comes again, and is known to dispatch: who is not has her visits ordered a
    /// minute later.
    private func customer(
        _ town: CareTown, with amount: Int = 0, _ card: TestCard = .good
    ) async throws -> (Newcomer, card: UUID) {
        let customer = try await town.customer("Ada", with: amount)
        let card = try await customer.phone.add(card, holder: customer.person.name).card
        let other = try await town.order(CareTown.Wish(), by: customer.phone)
        try await customer.phone.act("cancel", on: other.id)
        return (customer, card)
    }

    /// Dispatch hears of a new card a moment later.
    private func begin(_ wish: Wish, _ customer: Newcomer) async throws -> Series {
        let made = try await eventually("dispatch knows the card") { () async throws -> Series? in
            do {
                return try await customer.phone.send(try .post("/dispatch/v1/series", wish)).decode()
            } catch let refusal as Refusal where refusal.fields.map(\.code) == ["no-such-card"] {
                return nil
            }
        } satisfies: {
            $0 != nil
        }
        return try #require(made)
    }

    private func move(_ day: String, of series: UUID, to moment: Moment, _ customer: Newcomer) async throws -> Visit {
        var call = try Call.put("/dispatch/v1/series/\(series.path)/visits/\(day)", moment)
        call.idempotencyKey = UUID().uuidString.lowercased()
        return try await customer.phone.send(call).decode()
    }

    private func skip(_ day: String, of series: UUID, _ customer: Newcomer) async throws -> Visit {
        try await customer.phone.send(
            try .post("/dispatch/v1/series/\(series.path)/visits/\(day)/skip")
        ).decode()
    }

    /// Paid from the card, which nobody was asked for.
    private func isPaidByConsent(_ order: UUID, _ customer: Newcomer) async throws {
        try await customer.stream.order(order, is: .requested, within: .seconds(150))
        let payment = try await customer.phone.payment(of: order)
        #expect(payment.state == "held" && payment.method == "card")
        #expect(payment.amount == Money(amount: CareTown.price, currency: "CAD"))
    }

    @Test("O7, W3: a series is paid by consent and sent by the desk; what was moved or left out stays so; it ends")
    func series() async throws {
        let town = try await CareTown.ofSuite()
        let before = try await OutsideMoney.now(town.platform)
        let (customer, card) = try await customer(town)
        let partner = try await town.partner("Paul")
        let made = try await begin(Wish(firstDay: Self.day(try CareTown.noon(in: 1)), card: card), customer)
        #expect(made.state == "active")
        var visits = try await visits(made.series, of: customer)
        // Two are less than six days away.
        #expect(visits.map(\.state) == ["requested", "requested", "planned", "planned"])
        let days = visits.map(\.day)
        let orders = visits.compactMap(\.order)
        try #require(days.count == 4 && orders.count == 2)
        for order in orders { try await isPaidByConsent(order, customer) }

        // One is left out, and the last one is sooner: the day after the second, in the afternoon.
        #expect(try await skip(days[2], of: made.series, customer).state == "skipped")
        let sooner = visits[1].startsAt.addingTimeInterval(27 * 3_600)
        let moved = try await move(
            days[3], of: made.series, to: Moment(day: Self.day(sooner), time: "15:00"), customer)
        #expect(moved.moved && moved.startsAt == sooner && moved.day == days[3])
        try await eventually("the visit that was moved is ordered", poll: .milliseconds(50)) {
            visits = try await self.visits(made.series, of: customer)
            return visits.map(\.state) == ["requested", "requested", "skipped", "requested"]
        }
        #expect(visits.map(\.day) == days && visits.last?.startsAt == sooner && visits.last?.moved == true)
        let last = try #require(visits.last?.order)
        try await isPaidByConsent(last, customer)
        #expect(try await customer.phone.order(last).snapshot.scheduledAt == sooner)
        try await refuses(409) { try await self.skip(days[3], of: made.series, customer) }

        // The first is had today, so that it can be finished here.
        try await town.move(orders[0], to: Date(timeIntervalSinceNow: 600))
        for order in [orders[0], orders[1]] { try await town.confirm(order, partner) }
        try await town.finish(orders[0], customer, partner)

        let ended: Series = try await customer.phone.send(
            try .post("/dispatch/v1/series/\(made.series.path)/end")
        ).decode()
        #expect(ended.state == "ended")
        visits = try await self.visits(made.series, of: customer)
        #expect(visits.map(\.state) == ["requested", "requested", "skipped", "requested"])
        try await refuses(409) { try await self.skip(days[2], of: made.series, customer) }
        // Orders that were made stay, until they are cancelled as orders.
        #expect(try await town.calendar(of: partner).map(\.id) == [orders[1]])
        for order in [orders[1], last] {
            try await customer.phone.act("cancel", on: order)
            try await eventually("the card is let go", poll: .milliseconds(50)) {
                try await customer.phone.payment(of: order).state == "released"
            }
        }
        try await town.settled(customer, has: 0)
        try await town.settled(partner, has: 0)
        try await town.booksAreEven()
        // At the payment provider one visit was taken, once, and no other is held.
        try await eventually("the cards are charged for one visit") {
            let outside = try await OutsideMoney.now(town.platform)
            return outside.captured - before.captured == CareTown.price && outside.held == before.held
        }
    }

    @Test("O7, W3: a visit whose bank wants its owner is told, can be paid by hand, and then comes to the desk")
    func byHand() async throws {
        let town = try await CareTown.ofSuite()
        let (customer, card) = try await customer(town, with: CareTown.price, .asks)
        let day = Self.day(try CareTown.noon(in: 4))
        let made = try await begin(Wish(firstDay: day, card: card, rule: "FREQ=DAILY;COUNT=1"), customer)
        let order = try #require(try await visits(made.series, of: customer).first?.order)
        try await town.tells(customer, "Please pay for your order")
        // It is not over: three days are left to pay it.
        let waiting = try await customer.phone.order(order).snapshot
        #expect(waiting.state == .pending)
        #expect(waiting.deadline == waiting.scheduledAt?.addingTimeInterval(-86_400))
        _ = try await customer.phone.pay(order, by: "wallet")
        try await customer.stream.order(order, is: .requested, within: .seconds(60))
        #expect(try await customer.phone.payment(of: order).state == "held")
        try await customer.phone.act("cancel", on: order)
        try await town.settled(customer, has: CareTown.price)
    }

    @Test("O7, W3: a series by wallet is held from it without a word, and one that holds too little is told")
    func byWallet() async throws {
        let town = try await CareTown.ofSuite()
        let (customer, _) = try await customer(town, with: CareTown.price)
        let day = Self.day(try CareTown.noon(in: 3))
        let made: Series = try await customer.phone.send(
            try .post(
                "/dispatch/v1/series",
                Wish(firstDay: day, payment: "wallet", consent: nil, rule: "FREQ=DAILY;COUNT=2"))
        ).decode()
        let orders = try await visits(made.series, of: customer).compactMap(\.order)
        try #require(orders.count == 2)
        try await town.tells(customer, "Your order is not paid yet")
        try await eventually("one of two is held") {
            var states: [String] = []
            for order in orders { states.append(try await customer.phone.payment(of: order).state) }
            return states.sorted() == ["due", "held"]
        }
        for order in orders { try await customer.phone.act("cancel", on: order) }
        try await town.settled(customer, has: CareTown.price)
    }
}
