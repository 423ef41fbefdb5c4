import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

/// Two processes on one database, each round with people and an order of its own. As many as
/// `SERAI_RACE_ROUNDS`: a thousand in `make races`.
///
/// Each operation begins after a random wait of some milliseconds (``RaceDelay``), so that each side wins some rounds.
///
/// A round is little more than the race itself: people are made many at a time, an order comes to its start in one
/// transaction, several rounds run at once, and what came of all of them is read together at the end.
@Suite("O13: races over orders", .timeLimit(.minutes(15)), .seeded)
struct RaceTests {
    static let rounds = ProcessInfo.processInfo.environment["SERAI_RACE_ROUNDS"].flatMap { Int($0) } ?? 100
    static let lanes = 6

    /// Where one race is run.
    struct Round: Sendable {
        let first: OrderWorld
        let second: OrderWorld
        let customer: UUID
        let provider: UUID

        func order(in state: OrderState) async throws -> Order { try await first.order(in: state, customer, provider) }
    }

    enum Outcome: Equatable, Sendable {
        case done(OrderState)
        case refused(OrderRefusal)
        /// There is none for who asks, any more.
        case notFound

        /// What comes of it, after a short random wait.
        static func of(line: Int = #line, _ work: () async throws -> Order) async throws -> Outcome {
            try await RaceDelay.wait(line: line)
            do {
                return .done(try await work().state)
            } catch let refusal as OrderRefusal {
                return .refused(refusal)
            } catch is OrderNotFound {
                return .notFound
            }
        }
    }

    /// What has to have become of an order: where it stands, what others were told, and what it waits for.
    struct Ending: Sendable {
        let order: UUID
        let trace: OrderTrace

        init(_ order: Order, _ state: OrderState, _ events: String, waits: String? = nil) {
            self.order = order.id
            trace = OrderTrace(state: state.rawValue, events: events, deadlines: waits ?? "")
        }
    }

    /// Runs rounds in several lanes at once, each with the two processes, and looks at the end how their orders stand.
    ///
    /// - Parameters:
    ///   - firing: whether deadlines fire meanwhile, in both processes.
    ///   - market: where each round's provider is one of that title.
    ///   - check: what more has to be right at the end.
    static func race(
        firing: Bool = false, in market: String = "assef", title: String = "nurse",
        finally check: (OrderWorld) async throws -> Void = { _ in },
        _ round: @escaping @Sendable (Round) async throws -> [Ending]
    ) async throws {
        try await OrderWorld.with { first in
            try await first.withAnotherProcess { second in
                let pairs = try await first.addPairs(Self.rounds, in: market, title: title)
                func run() async throws {
                    let endings = try await withThrowingTaskGroup(of: [Ending].self) { group in
                        for lane in 0..<Self.lanes {
                            group.addTask {
                                var endings: [Ending] = []
                                for number in stride(from: lane, to: pairs.count, by: Self.lanes) {
                                    let (customer, provider) = pairs[number]
                                    let worlds = Round(
                                        first: first, second: second, customer: customer, provider: provider)
                                    endings += try await RaceDelay.$round.withValue(number) {
                                        try await round(worlds)
                                    }
                                }
                                return endings
                            }
                        }
                        return try await group.reduce(into: []) { $0 += $1 }
                    }
                    try await Self.expect(endings, in: first, eventually: firing)
                }
                if firing {
                    try await first.whileFiring { try await second.whileFiring { try await run() } }
                } else {
                    try await run()
                }
                try await first.expectConsistency()
                try await check(first)
            }
        }
    }

    /// - Parameter eventually: deadlines that are due may still have to fire.
    private static func expect(_ endings: [Ending], in world: OrderWorld, eventually isSlow: Bool) async throws {
        func wrong() async throws -> [String] {
            let traces = try await world.traces()
            return endings.compactMap { ending in
                traces[ending.order] == ending.trace
                    ? nil : "\(ending.trace), but \(traces[ending.order].map { "\($0)" } ?? "nothing")"
            }
        }
        if isSlow {
            try await eventually("every order ends as its round said", value: { try await wrong() }) { $0.isEmpty }
        } else {
            #expect(try await wrong() == [])
        }
        #expect(endings.count >= rounds)
    }

    @Test("O13: accept against cancel: the order ends cancelled, accepted before it or never")
    func acceptCancel() async throws {
        try await Self.race { round in
            let order = try await round.order(in: .requested)
            async let accepting = Outcome.of { try await round.first.accept(order) }
            async let cancelling = Outcome.of { try await round.second.cancel(order) }
            let (accepted, cancelled) = try await (accepting, cancelling)
            #expect(cancelled == .done(.cancelled))
            #expect(accepted == .done(.accepted) || accepted == .refused(.wrongState(.cancelled)))
            let isAccepted = accepted == .done(.accepted)
            return [
                Ending(order, .cancelled, isAccepted ? "requested accepted cancelled" : "requested cancelled")
            ]
        }
    }

    @Test("O13: accept against the end of its window: one wins, the other is told the state")
    func acceptExpiry() async throws {
        try await Self.race(firing: true) { round in
            // The window ends in some milliseconds.
            let start = Date.thisMillisecond.addingTimeInterval(-120 + RaceDelay.seconds(0.01...0.06))
            let order = try await round.first.request(round.customer, round.provider, at: start)
            let end = try #require(order.deadline)
            try await Task.sleep(for: .seconds(max(0, end.timeIntervalSinceNow + RaceDelay.seconds(-0.01...0.02))))
            let now = Date.thisMillisecond
            let accepted = try await Outcome.of { try await round.second.accept(order, at: now) }
            if accepted == .done(.accepted) {
                #expect(now < end)
                return [Ending(order, .accepted, "requested accepted", waits: "order.payment")]
            }
            // The deadline has fired, or it is due.
            #expect(accepted == .refused(.wrongState(.expired)) || accepted == .refused(.tooLate(.requested)))
            #expect(now >= end || accepted == .refused(.wrongState(.expired)))
            return [Ending(order, .expired, "requested expired")]
        }
    }

    @Test("O13: two orders accepted at once by one provider: one is, the other is refused as busy")
    func twoAccepts() async throws {
        try await Self.race { round in
            let one = try await round.order(in: .requested)
            let two = try await round.order(in: .requested)
            async let accepting = Outcome.of { try await round.first.accept(one) }
            async let acceptingToo = Outcome.of { try await round.second.accept(two) }
            let outcomes = try await [accepting, acceptingToo]
            #expect(outcomes.filter { $0 == .done(.accepted) }.count == 1)
            #expect(outcomes.filter { $0 == .refused(.providerBusy(.requested)) }.count == 1)
            return zip([one, two], outcomes).map { order, outcome in
                outcome == .done(.accepted)
                    ? Ending(order, .accepted, "requested accepted", waits: "order.payment")
                    : Ending(order, .requested, "requested", waits: "order.accept")
            }
        }
    }

    @Test("O13: one order accepted twice at once: once")
    func sameAccept() async throws {
        try await Self.race { round in
            let order = try await round.order(in: .requested)
            async let accepting = Outcome.of { try await round.first.accept(order) }
            async let again = Outcome.of { try await round.second.accept(order) }
            let outcomes = try await [accepting, again]
            #expect(outcomes.filter { $0 == .done(.accepted) }.count == 1)
            #expect(outcomes.filter { $0 == .refused(.wrongState(.accepted)) }.count == 1)
            return [Ending(order, .accepted, "requested accepted", waits: "order.payment")]
        }
    }

    @Test("O13: both parties confirm at once: the order is completed, once")
    func confirmations() async throws {
        try await Self.race { round in
            let order = try await round.order(in: .arrived)
            async let one = Outcome.of { try await round.first.confirm(order, by: order.customer.account) }
            async let two = Outcome.of { try await round.second.confirm(order, by: order.assignee) }
            let outcomes = try await [one, two]
            #expect(outcomes.filter { $0 == .done(.arrived) }.count == 1)
            #expect(outcomes.filter { $0 == .done(.completed) }.count == 1)
            return [Ending(order, .completed, "requested accepted en_route arrived confirmed completed")]
        }
    }

    @Test("O13: a payment held against the end of its window: on the way or expired, never both")
    func paymentExpiry() async throws {
        try await Self.race(firing: true) { round in
            let start = Date.thisMillisecond.addingTimeInterval(-600 + RaceDelay.seconds(0.01...0.06))
            let order = try await round.first.order(in: .accepted, round.customer, round.provider, at: start)
            let end = try #require(order.deadline)
            try await Task.sleep(for: .seconds(max(0, end.timeIntervalSinceNow + RaceDelay.seconds(-0.01...0.02))))
            try await round.second.pay(order.id)
            let state = try await round.first.state(order.id)
            if state == .enRoute {
                return [Ending(order, .enRoute, "requested accepted en_route", waits: "order.arrival")]
            }
            return [Ending(order, .expired, "requested accepted expired")]
        }
    }

    @Test("O13: cancel against a payment held: cancelled before the way or at its beginning, and free either way")
    func cancelPayment() async throws {
        try await Self.race { round in
            let order = try await round.order(in: .accepted)
            async let cancelling = Outcome.of { try await round.first.cancel(order) }
            async let paying: Void = RaceDelay.late { try await round.second.pay(order.id) }
            #expect(try await cancelling == .done(.cancelled))
            try await paying
            let isOnTheWay = try await round.first.details(order.id).order.payment.version > 0
            return [
                Ending(
                    order, .cancelled,
                    isOnTheWay ? "requested accepted en_route cancelled" : "requested accepted cancelled")
            ]
        }
    }

    @Test("O2, O13: cancel on the way against the arrival: cancelled with the fine, or arrived and refused")
    func cancelArrive() async throws {
        try await Self.race { round in
            let order = try await round.order(in: .enRoute)
            try await round.first.drive(order.id, metres: 4_000)
            async let cancelling = Outcome.of { try await round.first.cancel(order, accepting: 200) }
            async let arriving = Outcome.of { try await round.second.arrive(order) }
            let (cancelled, arrived) = try await (cancelling, arriving)
            if cancelled == .done(.cancelled) {
                #expect(arrived == .refused(.wrongState(.cancelled)))
                return [Ending(order, .cancelled, "requested accepted en_route cancelled")]
            }
            #expect(cancelled == .refused(.wrongState(.arrived)) && arrived == .done(.arrived))
            return [Ending(order, .arrived, "requested accepted en_route arrived", waits: "order.completion")]
        }
    }

    @Test("O3, O13: a report against the second word that the work is done: disputed or completed, never both")
    func reportComplete() async throws {
        try await Self.race { round in
            let arrived = try await round.order(in: .arrived)
            let order = try await round.first.confirm(arrived, by: arrived.assignee)
            async let completing = Outcome.of { try await round.first.confirm(order, by: order.customer.account) }
            async let reporting = Outcome.of {
                try await round.second.report(order, by: order.customer.account).order
            }
            let (completed, reported) = try await (completing, reporting)
            let way = "requested accepted en_route arrived confirmed"
            if reported == .done(.disputed) {
                #expect(completed == .refused(.wrongState(.disputed)))
                return [Ending(order, .disputed, "\(way) disputed opened", waits: "order.decision")]
            }
            #expect(completed == .done(.completed) && reported == .refused(.wrongState(.completed)))
            return [Ending(order, .completed, "\(way) completed")]
        }
    }

    @Test("O3, O13: both parties report at once: one report is decided about, the other is told the state")
    func twoReports() async throws {
        try await Self.race { round in
            let order = try await round.order(in: .enRoute)
            async let one = Outcome.of { try await round.first.report(order, by: order.customer.account).order }
            async let two = Outcome.of { try await round.second.report(order, by: order.assignee).order }
            let outcomes = try await [one, two]
            #expect(outcomes.filter { $0 == .done(.disputed) }.count == 1)
            #expect(outcomes.filter { $0 == .refused(.wrongState(.disputed)) }.count == 1)
            return [
                Ending(order, .disputed, "requested accepted en_route disputed opened", waits: "order.decision")
            ]
        }
    }

    @Test("O3, O13: two decisions at once: the order ends once, by one of them")
    func twoDecisions() async throws {
        try await Self.race { round in
            let order = try await round.order(in: .enRoute)
            let disputed = try await round.first.report(order, by: order.customer.account).order
            async let one: Void = RaceDelay.late { try await round.first.decide(disputed, .payProvider) }
            async let two: Void = RaceDelay.late { try await round.second.decide(disputed, .returnToCustomer) }
            _ = try await (one, two)
            let isPaid = try await round.first.state(order.id) == .completed
            return [
                Ending(
                    order, isPaid ? .completed : .cancelled,
                    "requested accepted en_route disputed opened \(isPaid ? "completed" : "cancelled")")
            ]
        }
    }
}
