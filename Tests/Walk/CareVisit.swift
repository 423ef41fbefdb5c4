import Contracts
import Foundation
import Phones

/// One visit of a care partner in Regina, step by step: ordered for a day, sent by the desk, done, paid out.
struct CareVisit {
    let town: Newcomer.Town
    let desk: AdminDesk
    let people: Acquaintances
    let tell: @Sendable (String) -> Void

    private static let market = Market.edencare
    private static let home = Coordinate(latitude: 50.45, longitude: -104.6)

    private struct Wish: Encodable {
        var services = ["companionship"]
        var place = CareVisit.home
        /// Nil is at once.
        var time: String?
        /// What the list of services says.
        var total = Money(
            amount: CareVisit.market.defaults.servicePrices["companionship"] ?? 0,
            currency: CareVisit.market.defaults.currency)
    }

    /// Visits are within the market's hours. When it is night in Regina the admin opens the market for this one.
    func walk() async throws {
        let hours = MarketSettings.Key.openingHours
        tell(line("admin", "takes visits at all hours for a while"))
        try await desk.change([hours: "always"], in: Self.market.id)
        try await visit(try await Journal(of: Self.market, desk: desk, people: people, tell: tell))
        try await desk.change([hours: Self.market.defaults.text(of: hours)], in: Self.market.id)
    }

    private func visit(_ journal: Journal) async throws {
        let market = Self.market.id
        let customer = try await Newcomer.byLink("Ada Fox", in: market, living: Self.home, of: town)
        journal.meet("customer", customer.phone, customer.person)
        try await customer.fill(5_000, in: market)
        try await journal.step(
            "customer", "Ada registers with her address, opens the link of the mail, and fills her wallet",
            moving: [.outside: -5_000, .wallet("customer"): 5_000])
        let partner = try await Newcomer.invited(
            "Paul Hill", title: "care-partner", in: market, by: desk, of: town)
        journal.meet("partner", partner.phone, partner.person)
        try await journal.step(
            "partner", "the admin makes an account for Paul, who opens the invitation and chooses a password")

        let wished: OrderView = try await customer.phone.send(
            try .post("/dispatch/v1/markets/\(market)/visits", Wish())
        ).decode()
        let (order, total) = (wished.id, wished.snapshot.total.amount)
        try await journal.step("customer", "orders a visit at once, for \(text(wished.snapshot.total))")
        try await customer.pay(order)
        let seen = try await customer.stream.order(order, is: .requested)
        try await journal.step(
            "customer", "pays from the wallet: «\(seen.label ?? "")»",
            moving: [.wallet("customer"): -total, .held: total])
        try await assign(order, partner)
        try await journal.step("admin", "sends Paul, who sees it on his stream")
        try await partner.phone.act("accept", on: order)
        try await customer.stream.order(order, is: .accepted)
        try await journal.step("partner", "confirms")
        try await customer.phone.act("met", on: order)
        try await partner.phone.act("start", on: order)
        try await customer.stream.order(order, is: .inProgress)
        try await journal.step("partner", "begins the visit")
        try await partner.phone.act("complete", on: order)
        try await partner.stream.order(order, "paid out", within: .seconds(20)) {
            $0.snapshot.payment.state == .captured
        }
        let commission = total * Self.market.defaults.commissionBasisPoints / 10_000
        try await journal.step(
            "partner", "ends it, and the fee is Eden Care's, who pays Paul his wages",
            moving: [.held: -total, .wallet("partner"): total - commission, .platform: commission])
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
    }
}
