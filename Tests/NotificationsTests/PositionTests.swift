import Contracts
import Foundation
import Messaging
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("Positions", .timeLimit(.minutes(15)))
struct PositionTests {
    static func position(
        _ sample: Sample, latitude: Double, at: Date, tracked: Bool = true
    ) -> ProviderPositions {
        let tracking = ProviderPositions.Tracking(
            order: sample.order, customer: sample.customer, metresLeft: 900, secondsLeft: 108)
        return ProviderPositions(positions: [
            .init(
                provider: sample.provider, market: "assef", place: Coordinate(latitude: latitude, longitude: 46.7),
                at: at, tracking: tracked ? tracking : nil)
        ])
    }

    @Test("O6: the order's parties, and nobody else, see the provider move, on every process; the newest wins")
    func parties() async throws {
        try await World.run { world in
            try await world.withProcess { first in
                try await world.withProcess { second in
                    let sample = Sample()
                    let customer = try await first.stream(sample.customer)
                    let provider = try await second.stream(sample.provider)
                    let stranger = try await first.stream(.timeOrdered())
                    let now = Date()
                    // The queues of the processes may not be bound yet.
                    try await eventually("both parties have seen one") {
                        try await world.publish(Self.position(sample, latitude: 24.7, at: now))
                        return !customer.events("position").isEmpty && !provider.events("position").isEmpty
                    }
                    try await world.publish(Self.position(sample, latitude: 1, at: now.addingTimeInterval(-5)))
                    try await world.publish(Self.position(sample, latitude: 2, at: now, tracked: false))
                    try await world.publish(Self.position(sample, latitude: 24.8, at: now.addingTimeInterval(5)))
                    for stream in [customer, provider] {
                        try await eventually("the newest has come") {
                            stream.events("position").last?.json["latitude"] as? Double == 24.8
                        }
                        let seen = Set(stream.events("position").compactMap { $0.json["latitude"] as? Double })
                        #expect(seen == [24.7, 24.8])
                        #expect(stream.events("position").allSatisfy { $0.id == nil })
                    }
                    let last = try #require(customer.events("position").last)
                    #expect(last.text("order") == sample.order.text)
                    #expect(last.number("metresLeft") == 900 && last.number("secondsLeft") == 108)
                    #expect(stranger.events("position").isEmpty)
                }
            }
        }
    }

    @Test("O6: what is no position harms nobody")
    func nonsense() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                let customer = try await process.stream(sample.customer)
                try await eventually("a position has come") {
                    try await world.publishPositions("{\"positions\":[{}]}")
                    try await world.publish(Self.position(sample, latitude: 24.7, at: Date()))
                    return !customer.events("position").isEmpty
                }
            }
        }
    }

    @Test("O6: of waiting positions the newest of each order is kept, and orders are few")
    func newestWins() {
        var positions = LatestPositions()
        let (one, other) = (UUID.timeOrdered(), UUID.timeOrdered())
        let now = Date(timeIntervalSince1970: 1_000)
        var taken = [
            positions.put(order: one, at: now, text: "a"),
            positions.put(order: one, at: now.addingTimeInterval(1), text: "b"),
            positions.put(order: one, at: now, text: "c"),
            positions.put(order: other, at: now, text: "d"),
        ]
        let waiting = positions.take()
        #expect(Set(waiting) == ["b", "d"])
        #expect(positions.isEmpty)
        taken.append(positions.put(order: one, at: now, text: "e"))
        #expect(taken == [true, true, false, true, false])
        for index in 0..<50 {
            _ = positions.put(order: .timeOrdered(), at: now.addingTimeInterval(Double(index)), text: "x")
        }
        let rest = positions.take()
        #expect(rest.count <= LatestPositions.orderLimit)
    }
}
