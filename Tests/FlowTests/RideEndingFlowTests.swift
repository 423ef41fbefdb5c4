import Contracts
import Foundation
import Phones
import TestKit
import Testing

@Suite("How rides end otherwise", .platform(), .serialized, .timeLimit(.minutes(15)))
struct RideEndingFlowTests {
    private static let market = RideTown.market
    /// Each further from the others than anybody is searched for.
    private static let north = Coordinate(latitude: -31.7500, longitude: 115.8000)
    private static let south = Coordinate(latitude: -32.1000, longitude: 115.8613)
    /// Beyond Mandurah.
    private static let outside = Coordinate(latitude: -33.0000, longitude: 115.8000)

    @Test("O8, C7, P3a: use case 10: an invalid place; cancelled while a driver is looked for; nobody found: all free")
    func nobody() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let town = RideTown(town: platform.town, desk: desk)
        let rider = try await town.rider("Ruby")
        let refusal = try await refuses(422) { try await town.quote(rider, from: Self.outside) }
        #expect(refusal?.fields.map(\.field) == ["/from", "/to"])
        #expect(refusal?.fields.map(\.code) == ["outside-service-area", "outside-service-area"])

        let quote = try await town.quote(rider, from: Self.north)
        #expect(quote.metres > 4_000 && quote.seconds > 0 && quote.price.amount >= 650)
        // Nobody is free.
        #expect(quote.waitSeconds == nil)
        let ride = try await town.ride(rider, by: quote)
        #expect(ride.snapshot.total == quote.price)
        try await rider.pay(ride.id)
        try await rider.sees(ride.id, .requested)
        #expect(try await rider.phone.cancellation(of: ride.id).isFree)
        #expect(try await rider.phone.act("cancel", on: ride.id).state == .cancelled)
        try await rider.has(10_000, in: "AUD")

        let before = try await desk.change([.searchWindowSeconds: "2"], in: Self.market)
        let lost = try await town.ride(rider, by: try await town.quote(rider, from: Self.north))
        try await rider.pay(lost.id)
        let told = try await rider.sees(lost.id, .expired)
        #expect(told.snapshot.reason == "nobody-found" && told.label == "Expired")
        try await rider.has(10_000, in: "AUD")
        try await desk.settled("AUD")
        _ = try await desk.change(before, in: Self.market)
    }

    @Test("O8, O2: use case 10: a driver gives up and the next is asked; a rider who cancels then pays the fee")
    func givenUp() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let town = RideTown(town: platform.town, desk: desk)
        let rider = try await town.rider("Ruby")
        let first = try await town.driver("Ida", at: RideTown.perth)
        let ride = try await town.ride(rider)
        try await rider.pay(ride.id)
        try await first.sees(ride.id, .offered)
        try await first.phone.act("accept", on: ride.id)
        try await rider.sees(ride.id, .accepted)
        let second = try await town.driver("Ole", at: RideTown.perth)
        try await first.phone.giveUp(ride.id)
        try await rider.hears("dispatch.order.reopened.v1", of: ride.id)
        try await refuses(404) { try await first.phone.order(ride.id) }
        try await second.sees(ride.id, .offered)
        try await second.phone.act("accept", on: ride.id)
        try await rider.stream.order(ride.id, "the second one comes", within: .seconds(150)) {
            $0.state == .accepted && $0.snapshot.provider?.account == second.account
        }

        let refusal = try await refuses(409) { try await rider.phone.act("cancel", on: ride.id) }
        #expect(refusal?.slug == "fine-not-accepted")
        let shown = try await rider.phone.cancellation(of: ride.id)
        // She has stayed where she was, so it is the fee alone.
        #expect(!shown.isFree && shown.fine == Money(amount: 500, currency: "AUD"))
        #expect(try await rider.phone.cancel(ride.id, for: shown).state == .cancelled)
        let told = try await second.sees(ride.id, .cancelled)
        #expect(told.snapshot.fine == shown.fine)
        // The platform's part of a fine is 15 %.
        try await second.has(425, in: "AUD")
        try await rider.has(9_500, in: "AUD")
        try await first.has(0, in: "AUD")
        try await desk.settled("AUD")
        for driver in [first, second] {
            try await driver.phone.setAvailable(false, in: Self.market)
        }
    }

    @Test("O8, C7: use case 14: only a large car is asked for XL; a ride that ends early costs what was driven")
    func endedEarly() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let town = RideTown(town: platform.town, desk: desk)
        let rider = try await town.rider("Ruby")
        let small = try await town.driver("Sam", at: Self.south)
        let large = try await town.driver("Lara", at: Self.south, vehicle: "xl")
        let regular = try await town.quote(rider, from: Self.south)
        let quote = try await town.quote(rider, from: Self.south, size: "xl")
        #expect(quote.price.amount > regular.price.amount && quote.price.amount > 950)
        let ride = try await town.ride(rider, by: quote)
        #expect(ride.ride?.size == "xl" && ride.snapshot.total == quote.price)
        try await rider.pay(ride.id)
        try await large.sees(ride.id, .offered)
        #expect(try await small.phone.orders(as: "provider", section: "new").items.isEmpty)
        try await large.phone.act("accept", on: ride.id)
        try await rider.phone.act("met", on: ride.id)
        try await large.phone.act("arrive", on: ride.id)
        let early = try await refuses(409, state: "arrived") {
            try await large.phone.act("end-early", on: ride.id)
        }
        #expect(early?.slug == "order-state")
        try await large.phone.act("start", on: ride.id)
        try await rider.sees(ride.id, .inProgress)

        let ended = try await large.phone.act("end-early", on: ride.id)
        // She has not moved yet: the least that a large car costs, instead of what was quoted.
        let cost = Money(amount: 950, currency: "AUD")
        #expect(ended.state == .inProgress && ended.snapshot.total == cost)
        try await rider.stream.order(ride.id, "it ends here, and costs less", within: .seconds(150)) {
            $0.snapshot.confirmedBy == [.provider] && $0.snapshot.total == cost
        }
        try await rider.phone.act("complete", on: ride.id)
        for person in [rider, large] { try await person.seesPayout(of: ride.id) }
        // A fifth is the platform's, and the rest of what was held is back.
        try await large.has(760, in: "AUD")
        try await rider.has(9_050, in: "AUD")
        try await small.has(0, in: "AUD")
        let past = try await large.phone.orders(as: "provider", section: "past").items
        #expect(past.map(\.id) == [ride.id] && past.map(\.snapshot.total) == [cost])
        try await desk.settled("AUD")
        for driver in [small, large] {
            try await driver.phone.setAvailable(false, in: Self.market)
        }
    }

    @Test("O3, C7: a ride that ended early and is reported then is decided about at what it costs")
    func reported() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let town = RideTown(town: platform.town, desk: desk)
        let rider = try await town.rider("Ruby")
        let driver = try await town.driver("Lara", at: Self.north, vehicle: "xl")
        let ride = try await town.ride(rider, by: try await town.quote(rider, from: Self.north, size: "xl"))
        try await rider.pay(ride.id)
        try await driver.sees(ride.id, .offered)
        try await driver.phone.act("accept", on: ride.id)
        try await rider.phone.act("met", on: ride.id)
        for act in ["arrive", "start"] { try await driver.phone.act(act, on: ride.id) }
        let cost = Money(amount: 950, currency: "AUD")
        #expect(try await driver.phone.act("end-early", on: ride.id).snapshot.total == cost)
        try await driver.phone.report(ride.id, "unsafe", cancels: true)
        try await rider.sees(ride.id, .disputed)
        let report = try #require(try await driver.phone.order(ride.id).snapshot.report)
        try await desk.phone.until("the report is on the desk") {
            try await desk.phone.openReports(in: Self.market).items.contains { $0.order == ride.id }
        }
        try await desk.phone.decide(report, .payProvider, reason: "He was rude")
        for person in [rider, driver] { try await person.seesPayout(of: ride.id) }
        try await driver.has(760, in: "AUD")
        try await rider.has(9_050, in: "AUD")
        try await desk.settled("AUD")
        try await driver.phone.setAvailable(false, in: Self.market)
    }
}
