import Contracts
import Foundation
import Phones

/// Every market at once, on one deployment.
struct MixedSimulation: Sendable {
    let scene: Scene
    let pace: Simulation.Pace
    let wishes: Int
    /// Is called when everybody is there, before the first wish.
    let gathered: @Sendable () throws -> Void
    let progress = Progress()

    /// Runs it, with the markets' settings changed for as long.
    func run() async throws -> MixedReport {
        let changes: [(market: String, settings: [MarketSettings.Key: String])] = [
            (Market.assef.id, AssefTroupe.settings(scene)), (Market.btnc.id, PerthTroupe.settings),
            (Market.carrepsa.id, GothenburgTroupe.settings), (Market.edencare.id, ReginaTroupe.settings),
        ]
        var earlier: [(market: String, settings: [MarketSettings.Key: String])] = []
        do {
            for change in changes {
                earlier.append((change.market, try await scene.desk.change(change.settings, in: change.market)))
            }
            let report = try await simulate()
            for change in earlier { try await scene.desk.change(change.settings, in: change.market) }
            return report
        } catch {
            // The failure is the one to tell.
            for change in earlier { _ = try? await scene.desk.change(change.settings, in: change.market) }
            throw error
        }
    }

    private func simulate() async throws -> MixedReport {
        progress.write("people of five markets register", end: "\n")
        // One market after the other: each has its own number of hands at work, and passwords keep the cores busy.
        let assef = try await AssefTroupe(scene)
        let perth = try await PerthTroupe(scene)
        let gothenburg = try await GothenburgTroupe(scene)
        let regina = try await ReginaTroupe(scene)
        let makkah = try await MakkahTroupe(scene)
        let troupes: [any Troupe] = [assef, perth, gothenburg, regina, makkah]
        progress.write("everybody is there", end: "\n")
        try gathered()
        let start = ContinuousClock.now
        let counts = await drive(troupes)
        let seconds = (ContinuousClock.now - start).inSeconds
        var report = MixedReport(seed: scene.seed, wishes: counts)
        for troupe in troupes {
            let part = try await troupe.audit()
            report.add(part)
        }
        report.end(seconds: seconds, traffic: scene.network.traffic.counts)
        for troupe in troupes { await troupe.close() }
        return report
    }

    /// - Returns: how many there were of each wish.
    private func drive(_ troupes: [any Troupe]) async -> [String: Int] {
        let work = Task(executorPreference: scene.network.thread) {
            await withDiscardingTaskGroup { group in
                for troupe in troupes { group.addTask { await troupe.work() } }
            }
        }
        // Not on the phones' thread: a terminal may hold up who writes to it.
        let telling = Task { await follow(troupes) }
        var counts: [String: Int] = [:]
        await withDiscardingTaskGroup { group in
            let start = ContinuousClock.now
            for number in 0..<wishes {
                // try?: cancelled, the rest is asked for at once and ends at once.
                try? await Task.sleep(until: start + due(number))
                let wish = Wish.of(number, seed: scene.seed)
                counts[wish.rawValue, default: 0] += 1
                guard let troupe = troupes.first(where: { type(of: $0).wishes.contains(wish) }) else { continue }
                group.addTask { await troupe.play(wish, number) }
            }
        }
        // What the providers still do after their customers' last word.
        try? await Task.sleep(for: .seconds(1))
        work.cancel()
        telling.cancel()
        await work.value
        await telling.value
        return counts
    }

    private func due(_ number: Int) -> Duration {
        switch pace {
        case .rate(let perSecond): return .seconds(Double(number) / perSecond)
        case .speed(let factor):
            guard let first = scene.pickups.first, let pickup = scene.pickups.around(number) else { return .zero }
            return .seconds(pickup.at.timeIntervalSince(first.at) / factor)
        }
    }

    private func follow(_ troupes: [any Troupe]) async {
        let start = ContinuousClock.now
        while !Task.isCancelled {
            let seen = troupes.map(\.observations.now)
            let asked = seen.map { $0.orders.count + $0.shares }.reduce(0, +)
            let ended = seen.map(\.ended).reduce(0, +)
            let surprises = seen.map(\.surpriseCount).reduce(0, +)
            progress.write(
                "\(Int((ContinuousClock.now - start).inSeconds)) s: \(asked)/\(wishes) asked, \(ended) ended, "
                    + "\(surprises) surprises", end: "\n")
            // try?: cancelled ends the loop.
            try? await Task.sleep(for: .seconds(10))
        }
    }
}
