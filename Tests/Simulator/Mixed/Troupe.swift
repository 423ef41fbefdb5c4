import Contracts
import Foundation
import Phones

/// The people of one market in the mixed simulation.
protocol Troupe: Sendable {
    /// What they wish.
    static var wishes: Set<Wish> { get }

    /// One more wish of a customer. Returns when it has come to its end, or when nobody goes on with it.
    func play(_ wish: Wish, _ number: Int) async
    /// What providers do until it is cancelled.
    func work() async
    /// Looks at everything when the last wish has ended.
    func audit() async throws -> Report
    func close() async

    var observations: Observations { get }
}

/// How many play, and where.
struct Scene: Sendable {
    let network: PhoneNetwork
    let desk: AdminDesk
    let sandboxURL: String
    let seed: UInt64
    let patience: Duration
    let pickups: [Pickup]
    let meals: [MealRecord]
    let customers: Int
    let providers: Int
    /// By how much clocks of processes differ, by intention.
    let skew: Duration

    func stage(of market: Market) -> Stage {
        Stage(
            town: Newcomer.Town(network, sandboxURL: sandboxURL), desk: desk, market: market, seed: seed,
            patience: patience)
    }
}
