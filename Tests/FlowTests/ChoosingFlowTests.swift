import Contracts
import Foundation
import Phones
import TestKit
import Testing

@Suite("Choosing who comes", .platform(), .serialized, .timeLimit(.minutes(15)))
struct ChoosingFlowTests {
    /// Some ten kilometres from the customer.
    private static let suburb = Coordinate(latitude: 24.8000, longitude: 46.7000)

    /// Those of them that are listed, in the list's order.
    private func listed(
        _ own: [ProviderPhone], to customer: CustomerPhone, gender: String? = nil, name: String? = nil
    ) async throws -> [ProviderListing] {
        let accounts = own.map(\.account)
        return try await customer.phone.providers(
            in: Pair.market.id, for: Pair.services, near: Pair.home, gender: gender, name: name, limit: 100
        ).filter { accounts.contains($0.provider) }
    }

    @Test("C3, O6: providers by distance, by gender and by name; the chosen one is seen on the map while one waits")
    func chosen() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let near = try await desk.employ(
            Person("Zahra Saleh", title: "nurse", gender: "female"), in: Pair.market.id, offering: Pair.prices,
            at: Pair.clinic)
        let cheap = Pair.services.map { Offering(service: $0, price: 4_000) }
        let far = try await desk.employ(
            Person("Faisal Omar", title: "nurse", gender: "male"), in: Pair.market.id, offering: cheap,
            at: Self.suburb)
        let customer = try await CustomerPhone.register(Person("Laila"), in: Pair.market.id, on: platform.network)
        let all = try await eventually("both are listed, the nearest first") {
            try await listed([near, far], to: customer)
        } satisfies: {
            $0.map(\.provider) == [near.account, far.account]
        }
        #expect(all.map(\.total.amount) == [Pair.total, 8_000] && all.map(\.title) == ["nurse", "nurse"])
        #expect(all.map(\.gender) == ["female", "male"])
        #expect(try await listed([near, far], to: customer, gender: "male").map(\.name) == ["Faisal Omar"])
        #expect(try await listed([near, far], to: customer, gender: "female").map(\.name) == ["Zahra Saleh"])
        #expect(try await listed([near, far], to: customer, name: "saLEH").map(\.name) == ["Zahra Saleh"])
        #expect(try await listed([near, far], to: customer, gender: "male", name: "Zahra").isEmpty)

        let order = try await customer.request(near.account, services: Pair.services, at: Pair.home)
        try await near.stream.order(order.id, is: .requested, within: .seconds(150))
        let seen = try await eventually("where she is") {
            try await customer.phone.tracking(order.id)
        } satisfies: {
            $0.position != nil
        }
        // Roughly, as long as she has not said yes.
        let place = try #require(seen.position)
        #expect(abs(place.latitude - Pair.clinic.latitude) < 0.01)
        #expect(abs(place.longitude - Pair.clinic.longitude) < 0.01)
        #expect(seen.metresLeft != nil && seen.secondsLeft != nil)
        try await near.phone.act("decline", on: order.id)
        try await customer.stream.order(order.id, is: .refused, within: .seconds(150))
        try await refuses(409, state: "refused") { try await customer.phone.tracking(order.id) }
        for provider in [near, far] { try await provider.stopWork() }
    }

    @Test("C8: where the market asks for a subscription, who has none is not listed nor asked, and is once it is paid")
    func subscribed() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        // As Assef begins, without any change of its settings.
        let nurse = try await desk.employ(
            Person("Huda", title: "nurse", gender: "female"), in: Pair.market.id, offering: Pair.prices,
            at: Pair.clinic, isSubscribed: false)
        let customer = try await CustomerPhone.register(Person("Laila"), in: Pair.market.id, on: platform.network)
        func isListed() async throws -> Bool { try await !listed([nurse], to: customer).isEmpty }
        let refusal = try await refuses(409) {
            try await customer.request(nurse.account, services: Pair.services, at: Pair.home)
        }
        #expect(refusal?.slug == "provider-unavailable")
        #expect(try await !isListed())
        let without = try await nurse.phone.subscription(in: Pair.market.id)
        #expect(without.state == "none" && without.isRequired)

        let plan = try await desk.phone.makePlan(price: 5_000, in: Pair.market.id)
        let poor = try await refuses(409) { try await nurse.phone.subscribe(to: plan, in: Pair.market.id) }
        #expect(poor?.slug == "insufficient-funds")
        try await nurse.fillWallet(with: 10_000)
        let earned = try await desk.ledger(of: "SAR")?.balance(of: "platform") ?? 0
        let paid = try await nurse.phone.subscribe(to: plan, in: Pair.market.id)
        #expect(paid.state == "active")
        try await eventually("she is listed") { try await isListed() }
        let order = try await customer.request(nurse.account, services: Pair.services, at: Pair.home)
        try await nurse.stream.order(order.id, is: .requested, within: .seconds(150))
        try await customer.phone.act("cancel", on: order.id)
        #expect(try await nurse.phone.balance(in: "SAR") == 5_000)
        let ledger = try #require(try await desk.ledger(of: "SAR"))
        #expect(ledger.sum == 0 && ledger.balance(of: "platform") - earned == 5_000)
        try await nurse.stopWork()
    }
}
