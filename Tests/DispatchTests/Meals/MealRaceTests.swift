import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch

/// Two processes on one database. As many rounds as ``RaceTests/rounds`` says, each with a restaurant of its own.
@Suite("O13: races over a restaurant's answer", .timeLimit(.minutes(15)), .seeded)
struct MealRaceTests {
    private func race(
        firing: Bool = false,
        _ round: @escaping @Sendable (_ first: MealWorld, _ second: MealWorld) async throws -> RaceTests.Ending
    ) async throws {
        try await RaceTests.race(firing: firing, finally: Self.check) { worlds in
            let first = try await MealWorld(worlds.first)
            return [try await round(first, first.by(RideWorld(worlds.second)))]
        }
    }

    private static func check(_ world: OrderWorld) async throws {
        #expect(try await world.pool.query(FindTripInconsistencies(limit: ClaimCouriers.limit)) == [])
    }

    @Test("O9, O13: a restaurant's yes against cancel: it cooks and the customer is told so, or it never begins")
    func acceptCancel() async throws {
        try await race { first, second in
            let order = try await first.requested()
            async let accepting = RaceTests.Outcome.of { try await first.accept(order) }
            async let cancelling = RaceTests.Outcome.of { try await second.orders.cancel(order) }
            let (accepted, cancelled) = try await (accepting, cancelling)
            if accepted == .done(.preparing) {
                #expect(cancelled == .refused(.wrongState(.preparing)))
                return RaceTests.Ending(order, .preparing, "pending requested preparing", waits: "order.search")
            }
            #expect(accepted == .refused(.wrongState(.cancelled)) && cancelled == .done(.cancelled))
            return RaceTests.Ending(order, .cancelled, "pending requested cancelled")
        }
    }

    @Test("O9, O12, O13: a restaurant's yes against the end of its window: one wins, and who comes late is told so")
    func acceptExpiry() async throws {
        try await race(firing: true) { first, second in
            // The window ends in some milliseconds.
            let start = Date.thisMillisecond.addingTimeInterval(-120 + RaceDelay.seconds(0.03...0.1))
            let order = try await first.requested(at: start)
            let end = try #require(order.deadline)
            try await Task.sleep(for: .seconds(max(0, end.timeIntervalSinceNow + RaceDelay.seconds(-0.01...0.02))))
            let now = Date.thisMillisecond
            let accepted = try await RaceTests.Outcome.of { try await second.accept(order, at: now) }
            if accepted == .done(.preparing) {
                #expect(now < end)
                return RaceTests.Ending(order, .preparing, "pending requested preparing", waits: "order.search")
            }
            // The deadline has fired, or it is due.
            #expect(accepted == .refused(.wrongState(.expired)) || accepted == .refused(.tooLate(.requested)))
            return RaceTests.Ending(order, .expired, "pending requested expired")
        }
    }
}
