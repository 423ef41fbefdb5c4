import Contracts
import Foundation
import Phones

/// One visit of a care partner in Regina, step by step: ordered for a day, sent by the desk, done, paid out.
struct CareVisit {
    let town: Newcomer.Town
    let desk: AdminDesk

    private static let market = Market.edencare
    private static let home = Coordinate(latitude: 50.45, longitude: -104.6)

    private struct Wish: Encodable {
        var services = ["companionship"]
        var place = CareVisit.home
        /// Nil is at once.
        var time: String?
    }

    /// Visits are within the market's hours. When it is night in Regina the admin opens the market for this one.
    func walk() async throws {
        let hours = MarketSettings.Key.openingHours
        say("admin", "takes visits at all hours for a while")
        try await desk.change([hours: "always"], in: Self.market.id)
        try await visit()
        try await desk.change([hours: Self.market.defaults.text(of: hours)], in: Self.market.id)
    }

    private func visit() async throws {
        let market = Self.market.id
        let before = try await desk.ledger(of: Self.market.defaults.currency)
        say("customer", "Ada registers with her address, opens the link of the mail, and fills her wallet")
        let customer = try await Newcomer.byLink("Ada Fox", in: market, living: Self.home, of: town)
        try await customer.fill(5_000, in: market)
        say("partner", "the admin makes an account for Paul, who opens the invitation and chooses a password")
        let partner = try await Newcomer.invited(
            "Paul Hill", title: "care-partner", in: market, by: desk, of: town)
        let books = Books(
            customer: customer.phone, provider: partner.phone, providerName: "partner", desk: desk,
            currency: Self.market.defaults.currency, before: before)

        let wished: OrderView = try await customer.phone.send(
            try .post("/dispatch/v1/markets/\(market)/visits", Wish())
        ).decode()
        let (order, total) = (wished.id, wished.snapshot.total.amount)
        say("customer", "orders a visit at once, for \(text(wished.snapshot.total))")
        try await customer.pay(order)
        let seen = try await customer.stream.order(order, is: .requested)
        say("customer", "pays from the wallet: «\(seen.label ?? "")»")
        try await books.expect(customer: 5_000 - total, held: total, provider: 0, platform: 0)
        try await assign(order, partner)
        try await partner.phone.act("accept", on: order)
        try await customer.stream.order(order, is: .accepted)
        say("partner", "confirms")
        try await partner.phone.act("start", on: order)
        try await customer.stream.order(order, is: .inProgress)
        try await partner.phone.act("complete", on: order)
        try await partner.stream.order(order, "paid out", within: .seconds(20)) {
            $0.snapshot.payment.state == .captured
        }
        say("partner", "begins the visit, and ends it")
        let commission = total * Self.market.defaults.commissionBasisPoints / 10_000
        try await books.expect(customer: 5_000 - total, held: 0, provider: total - commission, platform: commission)
        await customer.stream.close()
        await partner.stream.close()
    }

    private func assign(_ order: UUID, _ partner: Newcomer) async throws {
        // Dispatch hears by a message that there is such a partner.
        try await desk.phone.until("dispatch knows the partner") {
            do {
                try await desk.phone.act("assignment", on: order, ["provider": partner.account.path])
                return true
            } catch let refusal as Refusal where refusal.status == 422 {
                return false
            }
        }
        try await partner.stream.order(order, is: .offered)
        say("admin", "sends Paul, who sees it on his stream")
    }
}
