import Contracts
import Foundation
import Messaging
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("Answers of orders, written without Foundation")
struct OrderAnswerTests {
    @Test("O1: an order that has all there is of a visit is written as Foundation writes it, to each reader")
    func whole() throws {
        let details = try full()
        for role in [OrderActor.customer, .provider, .admin, .merchant] {
            for language in ["en", "ar"] {
                try expectSame(OrderView(details, for: role, in: language))
                try expectSame(OrderView(details, for: role, in: language, isStranger: true))
                try expectSame(OrderView(details, for: role, in: language, isOnlySeen: true))
            }
        }
    }

    @Test("O1: no field of an order is missing in the test above")
    func fields() throws {
        // Of a visit there are never these; with them it is Foundation that writes.
        let others = ["parcel", "care", "ride", "food", "bike", "promo", "isTotalRough"]
        var missing = try Set(Mirror(reflecting: OrderView(full(), for: .customer, in: "en")).children.map(\.label))
        for view in [
            OrderView(try full(), for: .customer, in: "en", isOnlySeen: true),
            OrderView(try full(), for: .provider, in: "en"),
        ] {
            for (label, value) in Mirror(reflecting: view).children {
                let mirror = Mirror(reflecting: value)
                if mirror.displayStyle != .optional || mirror.children.count > 0 { missing.remove(label) }
            }
        }
        #expect(Set(missing.compactMap { $0 }) == Set(others))
    }

    @Test("O1: an order in each state of a visit is written as Foundation writes it", arguments: SampleOrder.states)
    func states(_ state: OrderState) throws {
        let details = OrderDetails(
            order: try SampleOrder.inState(state), customerStanding: .none, providerStanding: .none,
            isProviderVerified: true)
        for role in [OrderActor.customer, .provider, .admin] { try expectSame(OrderView(details, for: role, in: "en")) }
    }

    @Test(
        "O1: an order with words that need escapes, or that look like an id, is left to Foundation",
        arguments: [#"Anna "Nan" Smith"#, #"a\b"#, "two\nlines", "01890A0C-47B1-7C3A-9D52-3F6B8E1A2C4D"])
    func unusual(_ words: String) throws {
        var details = try full()
        details.order.companion = words
        let view = OrderView(details, for: .provider, in: "en")
        #expect(view.usualBody == nil)
    }

    @Test("P3: a list of free providers is written as Foundation writes it, with and without stars")
    func providers() throws {
        let market = try #require(Market.named("assef"))
        let ids = SequentialIDs()
        func provider(
            _ name: String, title: String?, gender: String?, stars: Int, ratings: Int
        ) -> FindFreeProviders.FreeProvider {
            FindFreeProviders.FreeProvider(
                candidate: FilterFreeProviders.Candidate(
                    account: ids.next(), name: name, title: title, gender: gender, stars: stars, ratings: ratings,
                    offerings: [Offering(service: "wound-care", price: 12_000)]),
                way: TravelEstimate(metres: 1_250, seconds: 180))
        }
        let list = FreeProviderListView(
            [
                provider("نورة", title: market.titles.first?.id, gender: "female", stars: 14, ratings: 3),
                provider("Sami", title: nil, gender: nil, stars: 0, ratings: 0),
            ], services: ["wound-care", "injection"], market, currency: "SAR", .english)
        try expectSame(list)
        try expectSame(FreeProviderListView([], services: [], market, currency: "SAR", .english))
    }

    @Test(
        "the lines of a stored order are read as Foundation reads them, as they were written and as the database has them"
    )
    func lines() throws {
        let lines = [
            Order.Line(service: "wound-care", names: ["en": "Wound care", "ar": "العناية بالجروح"], price: 12_000),
            Order.Line(service: "injection", names: [:], price: 0),
            Order.Line(service: "x", names: ["en": #"a "b" \ c"#], price: 7),
        ]
        #expect(try Order.Line.all(stored: [UInt8](JSONEncoder().encode(lines))) == lines)
        let plain = Array(lines.dropLast())
        #expect(try Order.Line.usual([UInt8](JSONEncoder().encode(plain))) == plain)
        let stored = #"[{"names": {"ar": "حقنة", "en": "Injection"}, "price": 5000, "service": "injection"}]"#
        #expect(
            Order.Line.usual(Array(stored.utf8))
                == [Order.Line(service: "injection", names: ["ar": "حقنة", "en": "Injection"], price: 5_000)])
        #expect(throws: (any Error).self) { try Order.Line.all(stored: Array(#"[{"price": 1}]"#.utf8)) }
    }

    // MARK: Samples

    private func full() throws -> OrderDetails {
        let at = SampleOrder.start.addingTimeInterval(0.125)
        var order = try SampleOrder.inState(.disputed)
        order.state = .completed
        order.payment = Order.Payment(method: "card", state: .captured, version: 4)
        order.ending = Order.Ending(
            by: .admin, at: at, fine: LateCancellationFee(metres: 12_345, amount: 600),
            verdict: SampleOrder.verdict(.split))
        order.destination = Order.Place(latitude: 24.713_55, longitude: 46.675_3, description: "Door 4")
        order.scheduledAt = at
        order.proposedAt = SampleOrder.later
        order.deposit = Order.Deposit(amount: 500, state: .locked, orderVersion: 3)
        order.deadline = at
        order.companion = "Huda Salem"
        order.arrivedAt = at
        order.reason = "not-done"
        let rating = OrderDetails.Rating(stars: 5, serviceStars: 4, comment: "على الوقت", at: at)
        return OrderDetails(
            order: order, customerStanding: .init(stars: 9, count: 2), providerStanding: .init(stars: 14, count: 3),
            ratingByCustomer: rating, ratingByProvider: rating, ratingByMerchant: rating, vehicle: "car",
            metresAway: 950,
            isProviderVerified: true)
    }

    // MARK: Against Foundation

    private func expectSame(_ value: some UsuallyWritten) throws {
        let byHand = try #require(value.usualBody)
        #expect(try object(byHand) == object([UInt8](JSONEncoder.service.encode(value))))
    }

    private func object(_ body: [UInt8]) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(body)) as? NSDictionary)
    }
}
