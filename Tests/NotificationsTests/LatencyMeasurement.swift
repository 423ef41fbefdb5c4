import Contracts
import Foundation
import Messaging
import Synchronization
import TestKit
import Testing

@testable import SeraiNotifications

/// How long it takes from an event's publication to the line in the reader's stream. Not run with the tests.
@Suite("Latency", .enabled(if: ProcessInfo.processInfo.environment["SERAI_MEASURE"] != nil), .timeLimit(.minutes(15)))
struct LatencyMeasurement {
    @Test("200 events a second, each to two streams, over two processes")
    func latency() async throws {
        let (rate, seconds, pairs) = (200, 20, 50)
        try await World.run { world in
            try await world.withProcess { first in
                try await world.withProcess { second in
                    let samples = (0..<pairs).map { _ in Sample() }
                    var streams: [StreamClient] = []
                    for (index, sample) in samples.enumerated() {
                        streams.append(try await (index.isMultiple(of: 2) ? first : second).stream(sample.customer))
                        streams.append(try await (index.isMultiple(of: 2) ? second : first).stream(sample.provider))
                    }
                    let published = try await Self.publish(rate * seconds, rate, samples, world)
                    try await eventually("all have come") {
                        streams.allSatisfy {
                            ($0.events("order").last?.number("version") ?? 0) >= rate * seconds / pairs
                        }
                    }
                    var milliseconds: [Double] = []
                    for stream in streams {
                        for event in stream.events("order") {
                            let key = "\(event.text("order") ?? "") \(event.number("version") ?? 0)"
                            guard let at = published[key] else { continue }
                            milliseconds.append((event.receivedAt - at) / .milliseconds(1))
                        }
                    }
                    milliseconds.sort()
                    func part(_ share: Double) -> Double { milliseconds[Int(Double(milliseconds.count - 1) * share)] }
                    print(
                        "events \(milliseconds.count) p50 \(part(0.5)) ms p90 \(part(0.9)) ms p99 \(part(0.99)) ms",
                        "max \(part(1)) ms")
                }
            }
        }
    }

    /// When each event was published.
    private final class Published: Sendable {
        private let times = Mutex<[String: ContinuousClock.Instant]>([:])
        func note(_ event: String) { times.withLock { $0[event] = .now } }
        subscript(event: String) -> ContinuousClock.Instant? { times.withLock { $0[event] } }
    }

    private static func publish(
        _ total: Int, _ rate: Int, _ samples: [Sample], _ world: World
    ) async throws -> Published {
        let published = Published()
        let begin = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<total {
                try await Task.sleep(until: begin + .seconds(1) * index / rate)
                let sample = samples[index % samples.count]
                let version = index / samples.count + 1
                group.addTask {
                    published.note("\(sample.order.text) \(version)")
                    try await world.publish(sample.changed(version: version))
                }
            }
            try await group.waitForAll()
        }
        return published
    }
}
