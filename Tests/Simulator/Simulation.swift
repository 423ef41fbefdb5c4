import Contracts
import Foundation
import Phones

/// Customers and providers of one market for a while.
struct Simulation: Sendable {
    enum Pace: Sendable {
        /// The data's times, so many times as fast.
        case speed(Double)
        /// So many orders a second.
        case rate(Double)
    }

    let network: PhoneNetwork
    let desk: AdminDesk
    let market: Market
    let pickups: [Pickup]
    let pace: Pace
    let customers: Int
    let providers: Int
    let seed: UInt64
    let windows = Windows()
    let progress = Progress()

    /// Runs it, with the market's settings changed for as long.
    func run() async throws -> Report {
        guard let area = BoundingBox(pickups.map(\.place)) else { throw Pickups.Unreadable(description: "No pickups.") }
        let earlier = try await desk.change(windows.settings(area: area), in: market.id)
        do {
            let report = try await simulate()
            try await desk.change(earlier, in: market.id)
            return report
        } catch {
            // The failure is the one to tell.
            _ = try? await desk.change(earlier, in: market.id)
            throw error
        }
    }

    private func simulate() async throws -> Report {
        let cast = try await Cast.gather(
            customers: customers, providers: providers, places: pickups.map(\.place), desk: desk, market: market.id,
            seed: seed
        ) { progress.gathered($0, of: customers + providers) }
        // The platform has the prices of the providers' subscriptions by now.
        let before = try await desk.ledger(of: market.defaults.currency)
        let observations = Observations()
        let start = ContinuousClock.now
        try await drive(cast, observations)
        let seconds = (ContinuousClock.now - start).inSeconds
        let audit = Audit(
            network: network, desk: desk, market: market, cast: cast, observations: observations, windows: windows,
            before: before)
        var report = try await audit.report()
        report.seed = seed
        report.seconds = (seconds * 10).rounded() / 10
        report.ordersPerSecond = (Double(report.orders) / max(seconds, 0.001) * 10).rounded() / 10
        report.customers = customers
        report.providers = providers
        await cast.goHome()
        await cast.close()
        return report
    }

    private func drive(_ cast: Cast, _ observations: Observations) async throws {
        let scripts = cast.providers.enumerated().map { number, provider in
            ProviderScript(
                provider.phone, number: number, at: provider.place, seed: seed, windows: windows,
                observations: observations)
        }
        let work = Task(executorPreference: network.thread) {
            await withDiscardingTaskGroup { group in
                for script in scripts { group.addTask { await script.run() } }
            }
        }
        // Not on the phones' thread: a terminal may hold up who writes to it.
        let telling = Task { await progress.follow(observations, network.traffic, orders: pickups.count) }
        await withDiscardingTaskGroup { group in
            let pool = Pool(cast.customers)
            let start = ContinuousClock.now
            for (number, pickup) in pickups.enumerated() {
                // try?: cancelled, the rest is asked for at once and ends at once.
                try? await Task.sleep(until: start + due(number, pickup))
                let customer = await pool.take()
                group.addTask {
                    await CustomerScript(
                        customer: customer, behaviour: CustomerBehaviour(seed: seed, order: number),
                        place: pickup.place, seed: seed, number: number, windows: windows, observations: observations
                    ).run()
                    await pool.giveBack(customer)
                }
            }
        }
        // What the providers still do after their customers' last word: the other's rating, the last look.
        try await Task.sleep(for: .seconds(1))
        work.cancel()
        telling.cancel()
        await work.value
        await telling.value
    }

    private func due(_ number: Int, _ pickup: Pickup) -> Duration {
        switch pace {
        case .rate(let perSecond): .seconds(Double(number) / perSecond)
        case .speed(let factor): .seconds(pickup.at.timeIntervalSince(pickups[0].at) / factor)
        }
    }
}
