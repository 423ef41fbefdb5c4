import Contracts
import Foundation
import Phones

/// One ride in Perth, step by step: quoted, paid, offered by the platform, driven, confirmed, paid out.
struct Ride {
    let town: Newcomer.Town
    let desk: AdminDesk
    let people: Acquaintances
    let tell: @Sendable (String) -> Void

    func walk() async throws {
        let market = Market.btnc
        let journal = try await Journal(of: market, desk: desk, people: people, tell: tell)
        let perth = RideTown(town: town, desk: desk)
        let rider = try await perth.rider("Ruby Shaw", with: 10_000)
        journal.meet("rider", rider.phone, rider.person)
        try await journal.step(
            "rider", "Ruby registers, opens the link of the mail, and fills her wallet",
            moving: [.outside: -10_000, .wallet("rider"): 10_000])
        let driver = try await perth.driver("Dan Hill", at: RideTown.perth)
        journal.meet("driver", driver.phone, driver.person)
        try await journal.step(
            "driver", "Dan registers with his papers, an admin verifies each, and he waits for work")

        let quote = try await perth.quote(rider)
        let price = quote.price.amount
        try await journal.step(
            "rider", "asks what it costs: \(text(quote.price)) for \(quote.metres) m in \(quote.seconds / 60) min")
        let order = try await perth.ride(rider, by: quote)
        try await rider.pay(order.id)
        try await driver.stream.order(order.id, is: .offered, within: .seconds(30))
        let seen = try await rider.phone.order(order.id)
        try await journal.step(
            "rider", "orders it and pays from the wallet: «\(seen.label ?? "")»",
            moving: [.wallet("rider"): -price, .held: price])
        try await driver.phone.act("accept", on: order.id)
        try await journal.step("driver", "is offered it, and accepts")
        let found = try await rider.stream.order(order.id, is: .accepted)
        try await journal.step(
            "rider", "sees who comes: \(found.snapshot.provider?.name ?? ""), «\(found.label ?? "")»")
        try await rider.phone.act("met", on: order.id)
        try await driver.phone.act("arrive", on: order.id)
        try await driver.phone.act("start", on: order.id)
        try await rider.phone.act("met", on: order.id)
        try await driver.phone.act("complete", on: order.id)
        try await rider.stream.order(order.id, "the driver says it is done") { $0.snapshot.confirmedBy == [.provider] }
        try await journal.step("driver", "arrives, picks her up, brings her there")
        try await rider.phone.act("complete", on: order.id)
        try await driver.stream.order(order.id, "paid out", within: .seconds(20)) {
            $0.snapshot.payment.state == .captured
        }
        let commission = (price * market.defaults.commissionBasisPoints + 5_000) / 10_000
        try await journal.step(
            "rider", "confirms; the driver is paid",
            moving: [.held: -price, .wallet("driver"): price - commission, .platform: commission])
        let why = try await perth.matching(order.id)
        try await journal.step(
            "admin", "sees why: \(why.rounds.last?.weighedCount ?? 0) driver(s) weighed, \(why.offers.count) asked")
        // Who stays on would be asked first when the next one is walked.
        try await driver.phone.setAvailable(false, in: market.id)
        await rider.stream.close()
        await driver.stream.close()
    }
}
