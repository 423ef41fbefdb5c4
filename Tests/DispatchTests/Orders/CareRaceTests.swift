import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

/// Two processes on one database. As many rounds as ``RaceTests/rounds`` says.
@Suite("O13: races over visits of care partners", .timeLimit(.minutes(15)), .seeded)
struct CareRaceTests {
    private func race(
        firing: Bool = false, _ round: @escaping @Sendable (RaceTests.Round) async throws -> [RaceTests.Ending]
    ) async throws {
        try await RaceTests.race(firing: firing, in: "edencare", title: "care-partner", round)
    }

    private static let asked = "pending requested offered managed"

    private static func accept(
        _ order: Order, _ round: RaceTests.Round, at now: Date = .thisMillisecond
    ) async throws -> RaceTests.Outcome {
        try await RaceTests.Outcome.of { try await round.second.accept(order, by: round.provider, at: now) }
    }

    @Test("O7, O12, O13: a partner's yes against the end of its window: the visit is confirmed, or at the desk again")
    func acceptExpiry() async throws {
        try await race(firing: true) { round in
            // The window ends soon after the visit was ordered and the partner was asked.
            let start = Date.thisMillisecond.addingTimeInterval(-3_600 + RaceDelay.seconds(0.15...0.25))
            let visit = try await round.first.visit(round.customer, at: start)
            let order = try await round.first.manage(.assign(round.provider), visit, at: start)
            let end = try #require(order.deadline)
            try await Task.sleep(for: .seconds(max(0, end.timeIntervalSinceNow + RaceDelay.seconds(-0.04...0.02))))
            let now = Date.thisMillisecond
            let accepted = try await Self.accept(order, round, at: now)
            if accepted == .done(.accepted) {
                #expect(now < end)
                return [.init(order, .accepted, "\(Self.asked) accepted", waits: "order.appointment order.arrival")]
            }
            // The deadline has fired, or it is due.
            #expect(accepted == .refused(.wrongState(.requested)) || accepted == .refused(.tooLate(.offered)))
            return [.init(order, .requested, "\(Self.asked) reopened", waits: "order.desk order.desk-warning")]
        }
    }

    @Test("O7, O13: a partner's yes against the admin who takes the visit back: at the desk, confirmed before or never")
    func acceptUnassign() async throws {
        try await race { round in
            let visit = try await round.first.visit(round.customer)
            let order = try await round.first.manage(.assign(round.provider), visit)
            async let accepting = Self.accept(order, round)
            async let unassigning = RaceDelay.late { try await round.first.manage(.unassign(reason: nil), order) }
            let (accepted, unassigned) = try await (accepting, unassigning)
            #expect(unassigned.state == .requested && unassigned.provider == nil)
            #expect(accepted == .done(.accepted) || accepted == .refused(.wrongState(.requested)))
            let way = accepted == .done(.accepted) ? "\(Self.asked) accepted" : Self.asked
            return [.init(order, .requested, "\(way) reopened managed", waits: "order.desk order.desk-warning")]
        }
    }

    @Test("O7, O13: two admins send one partner to two visits at one time: to one, and the other admin is told so")
    func twoAssignments() async throws {
        try await race { round in
            let one = try await round.first.visit(round.customer)
            // It begins while the first one lasts.
            let two = try await round.first.visit(round.customer, minutes: 30)
            async let sending = RaceDelay.late { try await Self.assign(one, round.provider, by: round.first) }
            async let sendingToo = RaceDelay.late { try await Self.assign(two, round.provider, by: round.second) }
            let sent = try await [sending, sendingToo]
            #expect(sent.count { $0 } == 1)
            return zip([one, two], sent).map { order, isSent in
                isSent
                    ? .init(order, .offered, Self.asked, waits: "order.assignment")
                    : .init(order, .requested, "pending requested", waits: "order.desk order.desk-warning")
            }
        }
    }

    /// - Returns: whether the partner is asked; not when he or she has another visit at that time.
    private static func assign(_ order: Order, _ partner: UUID, by world: OrderWorld) async throws -> Bool {
        do {
            return try await world.manage(.assign(partner), order).state == .offered
        } catch ManageOrder.Refusal.calendarConflict {
            return false
        }
    }
}

extension OrderWorld {
    /// A paid visit of an hour at noon, in some days; brought to the desk in one transaction.
    fileprivate func visit(
        _ customer: UUID, minutes: Int = 0, at now: Date = .thisMillisecond
    ) async throws -> Order {
        let input = OrderCare.Input(
            market: .edencare, customer: customer, services: ["companionship"],
            place: Order.Place(latitude: 50.45, longitude: -104.6, description: nil),
            scheduledAt: try CareTests.noon(minutes: minutes), relative: nil, admin: nil)
        return try await pool.withTransaction { transaction in
            let order = try await operations.orderCare(input, at: now, in: transaction).order.id
            try await operations.recordPayment(SampleOrder.held(), of: order, at: now, in: transaction)
            return try #require(try await transaction.first(FindOrder(order: order))?.details()).order
        }
    }

    /// As an admin of the market.
    fileprivate func manage(
        _ act: ManageOrder.Act, _ order: Order, at now: Date = .thisMillisecond
    ) async throws -> Order {
        try await pool.withTransaction { transaction in
            try await operations.manage(
                act, of: order.id, by: .timeOrdered(), isAdmin: { _ in true }, at: now, in: transaction
            ).order
        }
    }
}
