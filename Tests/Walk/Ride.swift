import Contracts
import Foundation
import Phones

/// One ride in Perth, step by step: quoted, paid, offered by the platform, driven, confirmed, paid out.
struct Ride {
    let town: Newcomer.Town
    let desk: AdminDesk

    func walk() async throws {
        let market = Market.btnc
        let before = try await desk.ledger(of: market.defaults.currency)
        let people = RideTown(town: town, desk: desk)
        say("rider", "Ruby registers, opens the link of the mail, and fills her wallet")
        let rider = try await people.rider("Ruby Shaw", with: 10_000)
        say("driver", "Dan registers with his papers, an admin verifies each, and he waits for work")
        let driver = try await people.driver("Dan Hill", at: RideTown.perth)
        let books = Books(
            customer: rider.phone, provider: driver.phone, providerName: "driver", desk: desk,
            currency: market.defaults.currency, before: before)
        try await books.tell()

        let quote = try await people.quote(rider)
        let price = quote.price.amount
        say("rider", "asks what it costs: \(text(quote.price)) for \(quote.metres) m in \(quote.seconds / 60) min")
        let order = try await people.ride(rider, by: quote)
        try await rider.pay(order.id)
        try await driver.stream.order(order.id, is: .offered, within: .seconds(30))
        let seen = try await rider.phone.order(order.id)
        say("rider", "orders it and pays from the wallet: «\(seen.label ?? "")»")
        try await books.expect(customer: 10_000 - price, held: price, provider: 0, platform: 0)
        say("driver", "is offered it, and accepts")
        try await driver.phone.act("accept", on: order.id)
        let found = try await rider.stream.order(order.id, is: .accepted)
        say("rider", "sees who comes: \(found.snapshot.provider?.name ?? ""), «\(found.label ?? "")»")
        try await driver.phone.act("arrive", on: order.id)
        try await driver.phone.act("start", on: order.id)
        try await driver.phone.act("complete", on: order.id)
        try await rider.stream.order(order.id, "the driver says it is done") { $0.snapshot.confirmedBy == [.provider] }
        say("driver", "arrives, picks her up, brings her there")
        try await rider.phone.act("complete", on: order.id)
        try await driver.stream.order(order.id, "paid out", within: .seconds(20)) {
            $0.snapshot.payment.state == .captured
        }
        say("rider", "confirms; the driver is paid")
        let commission = (price * market.defaults.commissionBasisPoints + 5_000) / 10_000
        try await books.expect(customer: 10_000 - price, held: 0, provider: price - commission, platform: commission)
        let why = try await people.matching(order.id)
        say("admin", "sees why: \(why.rounds.last?.weighedCount ?? 0) driver(s) weighed, \(why.offers.count) asked")
        await rider.stream.close()
        await driver.stream.close()
    }
}
