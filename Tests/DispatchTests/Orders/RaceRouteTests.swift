import Foundation
import HTTPTypes
import Messaging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

/// The races of orders through the routes of two processes on one database: what who comes too late is answered. A
/// twentieth of ``RaceTests/rounds`` each, one after the other.
@Suite("O13: races over orders, as phones see them", .timeLimit(.minutes(15)), .seeded)
struct RaceRouteTests {
    static let rounds = max(10, RaceTests.rounds / 20)

    /// Where one race is run, and by whom.
    struct Round: Sendable {
        let first: OrderServer
        let second: OrderServer
        let customer: OrderServer.Person
        let provider: OrderServer.Person
        let other: OrderServer.Person

        func order(in state: OrderState, at now: Date = .thisMillisecond) async throws -> Order {
            try await first.world.order(in: state, customer.account, provider.account, at: now)
        }

        /// Until a moment around the end of what an order waits for.
        func wait(for end: Date?) async throws {
            let seconds = try #require(end).timeIntervalSinceNow + RaceDelay.seconds(-0.01...0.02)
            try await Task.sleep(for: .seconds(max(0, seconds)))
        }
    }

    private static func race(
        in market: String = "assef", title: String = "nurse",
        _ round: @escaping @Sendable (Round) async throws -> Void
    ) async throws {
        try await OrderServer.with { first in
            try await first.withAnotherProcess { second in
                try await first.world.whileFiring {
                    try await run(first, second, in: market, title: title, round)
                }
                try await first.world.expectConsistency()
            }
        }
    }

    private static func run(
        _ first: OrderServer, _ second: OrderServer, in market: String, title: String,
        _ round: @escaping @Sendable (Round) async throws -> Void
    ) async throws {
        let pairs = try await first.world.addPairs(rounds * 2, in: market, title: title)
        for number in 0..<rounds {
            let (customer, provider) = pairs[number]
            let other = pairs[rounds + number].provider
            let worlds = Round(
                first: first, second: second,
                customer: try await first.person(customer, roles: ["customer"], in: market),
                provider: try await first.person(provider, roles: ["provider"], in: market),
                other: try await first.person(other, roles: ["provider"], in: market))
            try await RaceDelay.$round.withValue(number) { try await round(worlds) }
        }
    }

    private static func path(_ order: Order, _ act: String) -> String {
        "\(OrderServer.orders)/\(order.id.text)/\(act)"
    }

    /// A problem that names the state that stood in the way.
    private static func expectRefused(
        _ answer: Answer, _ problem: String, _ states: String..., at place: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == 409, "\(answer.json)", sourceLocation: place)
        #expect(answer.headers[.contentType] == "application/problem+json", sourceLocation: place)
        #expect(answer.problem == problem, "\(answer.json)", sourceLocation: place)
        #expect(states.contains(answer["state"]?.text ?? ""), "\(answer.json)", sourceLocation: place)
    }

    @Test("O13: accept against cancel: the provider who comes too late is told that it is cancelled")
    func acceptCancel() async throws {
        try await Self.race { round in
            let order = try await round.order(in: .requested)
            let (accept, cancel) = (Self.path(order, "accept"), Self.path(order, "cancel"))
            async let accepting = RaceDelay.late { try await round.first.post(accept, as: round.provider) }
            async let cancelling = RaceDelay.late { try await round.second.post(cancel, as: round.customer) }
            let (accepted, cancelled) = try await (accepting, cancelling)
            #expect(cancelled.status == 200 && cancelled["state"]?.text == "cancelled")
            if accepted.status != 200 { Self.expectRefused(accepted, "order-state", "cancelled") }
            let late = try await round.second.post(accept, as: round.provider)
            Self.expectRefused(late, "order-state", "cancelled")
        }
    }

    @Test("O13: accept against the end of its window: the provider who comes too late is told so, and the state")
    func acceptExpiry() async throws {
        try await Self.race { round in
            // The window ends in some milliseconds.
            let start = Date.thisMillisecond.addingTimeInterval(-120 + RaceDelay.seconds(0.01...0.06))
            let order = try await round.order(in: .requested, at: start)
            try await round.wait(for: order.deadline)
            let accepted = try await round.second.post(Self.path(order, "accept"), as: round.provider)
            if accepted.status == 200 {
                #expect(accepted["state"]?.text == "accepted")
            } else if accepted.problem == "order-window-over" {
                // The deadline is due, and has not fired.
                Self.expectRefused(accepted, "order-window-over", "requested")
            } else {
                Self.expectRefused(accepted, "order-state", "expired")
            }
        }
    }

    @Test("O13: two orders accepted at once by one provider: of one the answer is that he or she is busy")
    func twoAccepts() async throws {
        try await Self.race { round in
            let paths = [
                Self.path(try await round.order(in: .requested), "accept"),
                Self.path(try await round.order(in: .requested), "accept"),
            ]
            async let accepting = RaceDelay.late { try await round.first.post(paths[0], as: round.provider) }
            async let acceptingToo = RaceDelay.late { try await round.second.post(paths[1], as: round.provider) }
            let answers = try await [accepting, acceptingToo]
            #expect(answers.count { $0.status == 200 } == 1)
            for answer in answers where answer.status != 200 {
                Self.expectRefused(answer, "provider-busy", "requested")
            }
        }
    }

    @Test("O11, O13: two carriers take one parcel at once, in two processes: the other is told that it is accepted")
    func twoCarriers() async throws {
        try await Self.race(in: "carrepsa", title: "carrier") { round in
            let take = Self.path(try await round.first.world.parcel(round.customer.account), "take")
            async let taking = RaceDelay.late { try await round.first.post(take, as: round.provider) }
            async let takingToo = RaceDelay.late { try await round.second.post(take, as: round.other) }
            let answers = try await [taking, takingToo]
            #expect(answers.count { $0.status == 200 } == 1)
            for answer in answers where answer.status != 200 {
                Self.expectRefused(answer, "order-state", "accepted")
            }
        }
    }

    @Test("O13: both parties complete at once, and one of them twice: one word too many is told the state")
    func confirmations() async throws {
        try await Self.race { round in
            let complete = Self.path(try await round.order(in: .arrived), "complete")
            async let one = RaceDelay.late { try await round.first.post(complete, as: round.customer) }
            async let two = RaceDelay.late { try await round.second.post(complete, as: round.provider) }
            async let three = RaceDelay.late { try await round.second.post(complete, as: round.customer) }
            let answers = try await [one, two, three]
            let done = answers.filter { $0.status == 200 }.compactMap { $0["state"]?.text }
            #expect(done.sorted() == ["arrived", "completed"])
            for answer in answers where answer.status != 200 {
                Self.expectRefused(answer, "order-state", "arrived", "completed")
            }
        }
    }

    @Test("O13: a payment held against the end of its window: who arrives at what has expired is told so")
    func paymentExpiry() async throws {
        try await Self.race { round in
            let start = Date.thisMillisecond.addingTimeInterval(-600 + RaceDelay.seconds(0.01...0.06))
            let order = try await round.order(in: .accepted, at: start)
            try await round.wait(for: order.deadline)
            try await round.second.world.pay(order.id)
            let arrive = Self.path(order, "arrive")
            if try await round.first.world.state(order.id) == .enRoute {
                #expect(try await round.first.post(arrive, as: round.provider).status == 200)
                return
            }
            try await eventually("it is expired") { try await round.first.world.state(order.id) == .expired }
            Self.expectRefused(try await round.first.post(arrive, as: round.provider), "order-state", "expired")
        }
    }
}
