import Contracts
import Foundation
import Phones

/// A customer with what is in the purse.
struct SimulatedCustomer: Sendable {
    let customer: CustomerPhone
    let card: UUID
    /// Declined, without funds, or of a bank that is down.
    let refusedCard: UUID
    let walletFilling: Int
}

/// Everybody who takes part, registered before it begins.
struct Cast: Sendable {
    let customers: [SimulatedCustomer]
    let providers: [(phone: ProviderPhone, place: Coordinate)]

    private static let prices = [
        Offering(service: "wound-care", price: 15_000), Offering(service: "injection", price: 5_001),
        Offering(service: "vital-signs", price: 7_333),
    ]
    private static let walletFilling = 100_000
    /// Hashing passwords keeps the cores busy; more at once would only wait longer.
    private static let atOnce = 8

    static func gather(
        customers: Int, providers: Int, places: [Coordinate], desk: AdminDesk, market: String, seed: UInt64,
        said: @escaping @Sendable (Int) -> Void
    ) async throws -> Cast {
        let hired = try await parallel(providers) { number in
            var generator = SplitMix(seed: seed, "home", number)
            let place = places.randomElement(using: &generator) ?? Coordinate(latitude: 0, longitude: 0)
            let prices = prices.map { Offering(service: $0.service, price: $0.price + 100 * Int.random(in: 0...30)) }
            let person = Person(
                "Provider \(number)", title: "nurse", gender: number.isMultiple(of: 2) ? "female" : "male",
                language: number.isMultiple(of: 3) ? "ar" : "en")
            let phone = try await desk.employ(person, in: market, offering: prices, at: place)
            said(1)
            return (phone: phone, place: place)
        }
        let registered = try await parallel(customers) { number in
            defer { said(1) }
            return try await register(number, market: market, desk: desk)
        }
        return Cast(customers: registered, providers: hired)
    }

    private static func register(_ number: Int, market: String, desk: AdminDesk) async throws -> SimulatedCustomer {
        let person = Person("Customer \(number)", language: number.isMultiple(of: 3) ? "ar" : "en")
        let customer = try await CustomerPhone.register(person, in: market, on: desk.phone.network)
        let good = try await customer.addCard()
        let refused: [TestCard] = [.declined, .insufficientFunds, .providerDown]
        let bad = try await customer.addCard(refused[number % refused.count])
        try await customer.fillWallet(with: walletFilling, from: good.card)
        return SimulatedCustomer(
            customer: customer, card: good.card, refusedCard: bad.card, walletFilling: walletFilling)
    }

    /// Nobody asks these providers any more: their phones are about to be gone, and another simulation may follow. Whoever
    /// cannot be told so is left as he is.
    func goHome() async {
        await withDiscardingTaskGroup { group in
            for provider in providers {
                // try?: of who has an order still, or where a process is away, the report has told already.
                group.addTask { try? await provider.phone.stopWork() }
            }
        }
    }

    /// The results in the order of the numbers.
    static func parallel<Value: Sendable>(
        _ count: Int, atOnce: Int = atOnce, _ make: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            var made: [(Int, Value)] = []
            var next = 0
            while made.count < count {
                while next < count, next - made.count < atOnce {
                    let number = next
                    group.addTask { (number, try await make(number)) }
                    next += 1
                }
                if let one = try await group.next() { made.append(one) }
            }
            return made.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    func close() async {
        await withDiscardingTaskGroup { group in
            for customer in customers { group.addTask { await customer.customer.stream.close() } }
            for provider in providers { group.addTask { await provider.phone.stream.close() } }
        }
    }
}
