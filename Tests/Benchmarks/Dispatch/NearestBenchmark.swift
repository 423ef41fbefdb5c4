import BenchResults
import Foundation
import Matching
import Synchronization

/// How soon the nearest free providers are found while positions come in, and how many positions a process takes.
enum NearestBenchmark {
    private static let queries = 20_000
    private static let arrivingPerSecond = 20_000
    private static let wanted = 20

    /// The index as a process shares it: one lock.
    private final class SharedIndex: Sendable {
        private let places: Mutex<PlaceIndex>
        private let busy: Set<UUID>

        init(_ town: Town) {
            var index = PlaceIndex()
            for (id, place) in zip(town.ids, town.places) { index.put(id, Fix(place: place, at: Town.start)) }
            places = Mutex(index)
            busy = town.busy
        }

        func put(_ batch: [(UUID, Fix)]) {
            places.withLock { places in
                for (id, fix) in batch { places.put(id, fix) }
            }
        }

        func nearest(_ place: GeoPoint) -> Int {
            places.withLock {
                $0.nearest(wanted, to: place, within: 50_000, since: Town.start) { !busy.contains($0) }.count
            }
        }
    }

    static func measure(rounds: Int, into results: inout Results) async throws {
        var p99: [Double] = []
        var p50: [Double] = []
        var arrived: [Double] = []
        var ingested: [Double] = []
        for _ in 0..<rounds {
            let index = SharedIndex(Town())
            let (latencies, rate) = try await latencies(index)
            p99.append(latencies.percentile(99))
            p50.append(latencies.percentile(50))
            arrived.append(rate)
            ingested.append(ingestion(index))
        }
        let conditions = "µs, nearest 20 free of 100 000, \(Int(arrived.median)) positions/s arriving"
        results.add("nearest_us_p99", p99, conditions)
        results.add("nearest_us_p50", p50, conditions)
        results.add("positions_per_s", ingested, "positions taken by one index, batches of 100")
    }

    /// - Returns: microseconds of each query, and positions a second that came in meanwhile.
    private static func latencies(_ index: SharedIndex) async throws -> ([Double], Double) {
        let writer = Task.detached { try await arrive(index) }
        let reader = Task.detached {
            var town = Town()
            return (0..<queries).map { _ in
                let place = town.point()
                let clock = ContinuousClock()
                return clock.measure { _ = index.nearest(place) }.microseconds
            }
        }
        let latencies = await reader.value
        writer.cancel()
        return (latencies, try await writer.value)
    }

    /// A batch every five milliseconds until cancelled; what was late is made up for.
    private static func arrive(_ index: SharedIndex) async throws -> Double {
        var town = Town()
        let clock = ContinuousClock()
        let start = clock.now
        let batch = arrivingPerSecond / 200
        var count = 0
        while !Task.isCancelled {
            let at = Town.start + 1 + Double(count)
            index.put(
                (0..<batch).map { _ in
                    let provider = Int.random(in: 0..<Town.providers, using: &town.random)
                    return (town.ids[provider], Fix(place: town.step(provider), at: at))
                })
            count += batch
            let next = start + .microseconds(count * 1_000_000 / arrivingPerSecond)
            // Cancelled while it sleeps, it is done.
            if next > clock.now { try? await clock.sleep(until: next) }
        }
        return Double(count) / (start.duration(to: clock.now).microseconds / 1e6)
    }

    private static func ingestion(_ index: SharedIndex) -> Double {
        var town = Town()
        let batches = (0..<2_000).map { number in
            (0..<100).map { _ in
                let provider = Int.random(in: 0..<Town.providers, using: &town.random)
                return (town.ids[provider], Fix(place: town.step(provider), at: Town.start + 1e9 + Double(number)))
            }
        }
        let took = ContinuousClock().measure { for batch in batches { index.put(batch) } }
        return 200_000 / (took.microseconds / 1e6)
    }
}
