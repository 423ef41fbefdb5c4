import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch

/// Two processes on one database, each round with an order of its own. `SERAI_RACE_ROUNDS` makes it more.
@Suite("O13: races over orders", .timeLimit(.minutes(5)))
struct RaceTests {
    static let rounds = ProcessInfo.processInfo.environment["SERAI_RACE_ROUNDS"].flatMap { Int($0) } ?? 200
    static let lanes = 6

    enum Outcome: Equatable, Sendable {
        case done(OrderState)
        case refused(OrderRefusal)

        static func of(_ work: () async throws -> Order) async throws -> Outcome {
            do {
                return .done(try await work().state)
            } catch let refusal as OrderRefusal {
                return .refused(refusal)
            }
        }
    }

    /// Runs rounds in several lanes at once, each with the two processes.
    private func race(
        firing: Bool = false, _ round: @escaping @Sendable (OrderWorld, OrderWorld) async throws -> Void
    ) async throws {
        try await OrderWorld.with { first in
            try await first.withAnotherProcess { second in
                func run() async throws {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for lane in 0..<Self.lanes {
                            group.addTask {
                                for _ in stride(from: lane, to: Self.rounds, by: Self.lanes) {
                                    try await round(first, second)
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                if firing {
                    try await first.whileFiring { try await second.whileFiring { try await run() } }
                } else {
                    try await run()
                }
                try await first.expectConsistency()
            }
        }
    }

    @Test("O13: accept against cancel: the order ends cancelled, accepted before it or never")
    func acceptCancel() async throws {
        try await race { first, second in
            let order = try await first.order(in: .requested)
            async let accepting = Outcome.of { try await first.accept(order) }
            async let cancelling = Outcome.of { try await second.cancel(order) }
            let (accepted, cancelled) = try await (accepting, cancelling)
            #expect(cancelled == .done(.cancelled))
            #expect(accepted == .done(.accepted) || accepted == .refused(.wrongState(.cancelled)))
            let events = try await first.events(order.id)
            let isAccepted = accepted == .done(.accepted)
            #expect(events == (isAccepted ? ["requested", "accepted", "cancelled"] : ["requested", "cancelled"]))
        }
    }

    @Test("O13: accept against the end of its window: one wins, the other is told the state")
    func acceptExpiry() async throws {
        try await race(firing: true) { first, second in
            // The window ends in some milliseconds.
            let start = Date.thisMillisecond.addingTimeInterval(-120 + Double.random(in: 0.01...0.06))
            let order = try await first.request(first.addCustomer(), first.addProvider(), at: start)
            let end = try #require(order.deadline)
            try await Task.sleep(for: .seconds(max(0, end.timeIntervalSinceNow + Double.random(in: -0.01...0.02))))
            let accepted = try await Outcome.of { try await second.accept(order) }
            if accepted == .done(.accepted) {
                try await eventually("the accept window's deadline is gone") {
                    try await first.deadlines(order.id) == ["order.payment"]
                }
                #expect(try await first.state(order.id) == .accepted)
                #expect(try await first.events(order.id) == ["requested", "accepted"])
            } else {
                #expect(accepted == .refused(.wrongState(.expired)))
                #expect(try await first.events(order.id) == ["requested", "expired"])
            }
        }
    }

    @Test("O13: two orders accepted at once by one provider: one is, the other is refused as busy")
    func twoAccepts() async throws {
        try await race { first, second in
            let provider = try await first.addProvider()
            let one = try await first.order(in: .requested, nil, provider)
            let two = try await first.order(in: .requested, nil, provider)
            async let accepting = Outcome.of { try await first.accept(one) }
            async let acceptingToo = Outcome.of { try await second.accept(two) }
            let outcomes = try await [accepting, acceptingToo]
            #expect(outcomes.filter { $0 == .done(.accepted) }.count == 1)
            #expect(outcomes.filter { $0 == .refused(.providerBusy(.requested)) }.count == 1)
        }
    }

    @Test("O13: one order accepted twice at once: once")
    func sameAccept() async throws {
        try await race { first, second in
            let order = try await first.order(in: .requested)
            async let accepting = Outcome.of { try await first.accept(order) }
            async let again = Outcome.of { try await second.accept(order) }
            let outcomes = try await [accepting, again]
            #expect(outcomes.filter { $0 == .done(.accepted) }.count == 1)
            #expect(outcomes.filter { $0 == .refused(.wrongState(.accepted)) }.count == 1)
        }
    }

    @Test("O13: both parties confirm at once: the order is completed, once")
    func confirmations() async throws {
        try await race { first, second in
            let order = try await first.order(in: .arrived)
            async let one = Outcome.of { try await first.confirm(order, by: order.customer.account) }
            async let two = Outcome.of { try await second.confirm(order, by: order.provider.account) }
            let outcomes = try await [one, two]
            #expect(outcomes.filter { $0 == .done(.arrived) }.count == 1)
            #expect(outcomes.filter { $0 == .done(.completed) }.count == 1)
            #expect(try await first.events(order.id).suffix(2) == ["confirmed", "completed"])
        }
    }

    @Test("O13: a payment held against the end of its window: on the way or expired, never both")
    func paymentExpiry() async throws {
        try await race(firing: true) { first, second in
            let order = try await first.order(in: .requested)
            let start = Date.thisMillisecond.addingTimeInterval(-600 + Double.random(in: 0.01...0.06))
            let accepted = try await first.accept(order, at: start)
            let end = try #require(accepted.deadline)
            try await Task.sleep(for: .seconds(max(0, end.timeIntervalSinceNow + Double.random(in: -0.01...0.02))))
            try await second.pay(order.id)
            let state = try await first.state(order.id)
            let events = try await first.events(order.id)
            if state == .enRoute {
                #expect(events == ["requested", "accepted", "en_route"])
                try await eventually("the payment window's deadline is gone") {
                    try await first.deadlines(order.id) == ["order.arrival"]
                }
                #expect(try await first.state(order.id) == .enRoute)
            } else {
                #expect(state == .expired)
                #expect(events == ["requested", "accepted", "expired"])
            }
        }
    }

    @Test("O13: cancel against a payment held: on the way and refused, or cancelled, never both")
    func cancelPayment() async throws {
        try await race { first, second in
            let order = try await first.order(in: .accepted)
            async let cancelling = Outcome.of { try await first.cancel(order) }
            async let paying: Void = second.pay(order.id)
            let cancelled = try await cancelling
            try await paying
            let state = try await first.state(order.id)
            if cancelled == .done(.cancelled) {
                #expect(state == .cancelled)
            } else {
                #expect(cancelled == .refused(.wrongState(.enRoute)))
                #expect(state == .enRoute)
            }
        }
    }
}
