import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

/// Two processes on one database. As many rounds as ``RaceTests/rounds`` says; of the crowd, which is two hundred takers in
/// each round, as many as `SERAI_CROWD_ROUNDS`.
@Suite("O13: races over parcels", .timeLimit(.minutes(30)), .seeded)
struct BoardRaceTests {
    static let crowds = ProcessInfo.processInfo.environment["SERAI_CROWD_ROUNDS"].flatMap { Int($0) } ?? 5

    private func race(
        firing: Bool = false, _ round: @escaping @Sendable (RaceTests.Round) async throws -> [RaceTests.Ending]
    ) async throws {
        try await RaceTests.race(firing: firing, in: "carrepsa", title: "carrier", finally: Self.check, round)
    }

    private static func check(_ world: OrderWorld) async throws {
        #expect(try await world.pool.query(FindBoardInconsistencies()) == [])
    }

    /// Until a moment around the end of what an order waits for.
    private static func wait(for end: Date) async throws {
        try await Task.sleep(for: .seconds(max(0, end.timeIntervalSinceNow + RaceDelay.seconds(-0.01...0.02))))
    }

    @Test(
        "O11, O13: of two hundred carriers who take one parcel at once, in two processes, one has it, and the others are told so"
    )
    func crowd() async throws {
        try await OrderWorld.with { first in
            try await first.withAnotherProcess { second in
                let pairs = try await first.addPairs(200, in: "carrepsa", title: "carrier")
                for _ in 0..<Self.crowds {
                    let order = try await first.parcel(pairs[0].customer)
                    let outcomes = try await withThrowingTaskGroup(of: RaceTests.Outcome.self) { group in
                        for (number, pair) in pairs.enumerated() {
                            let world = number.isMultiple(of: 2) ? first : second
                            group.addTask {
                                try await RaceTests.Outcome.of { try await world.take(order, by: pair.provider) }
                            }
                        }
                        return try await group.reduce(into: [RaceTests.Outcome]()) { $0.append($1) }
                    }
                    #expect(outcomes.count { $0 == .done(.accepted) } == 1)
                    #expect(outcomes.count { $0 == .refused(.wrongState(.accepted)) } == 199)
                    #expect(try await first.details(order.id).order.version == 3)
                }
                try await first.expectConsistency()
                try await Self.check(first)
            }
        }
    }

    @Test("O11, O13: take against cancel: a carrier has it and the owner is told so, or nobody has it any more")
    func takeCancel() async throws {
        try await race { round in
            let order = try await round.first.parcel(round.customer)
            async let taking = RaceTests.Outcome.of { try await round.first.take(order, by: round.provider) }
            async let cancelling = RaceTests.Outcome.of { try await round.second.cancel(order) }
            let (taken, cancelled) = try await (taking, cancelling)
            if taken == .done(.accepted) {
                #expect(cancelled == .refused(.wrongState(.accepted)))
                return [.init(order, .accepted, "pending requested accepted", waits: "order.arrival")]
            }
            #expect(taken == .notFound && cancelled == .done(.cancelled))
            return [.init(order, .cancelled, "pending requested cancelled")]
        }
    }

    @Test("O11, O12, O13: take against the end of the search: one wins, and a carrier who comes late is told so")
    func takeExpiry() async throws {
        try await race(firing: true) { round in
            // The window ends in some milliseconds.
            let start = Date.thisMillisecond.addingTimeInterval(-604_800 + RaceDelay.seconds(0.02...0.08))
            let order = try await round.first.parcel(round.customer, at: start)
            let end = try #require(order.deadline)
            try await Self.wait(for: end)
            let now = Date.thisMillisecond
            let taken = try await RaceTests.Outcome.of {
                try await round.second.take(order, by: round.provider, at: now)
            }
            if taken == .done(.accepted) {
                #expect(now < end)
                return [.init(order, .accepted, "pending requested accepted", waits: "order.arrival")]
            }
            // The deadline has fired, or it is due.
            #expect(taken == .notFound || taken == .refused(.tooLate(.requested)))
            return [.init(order, .expired, "pending requested expired")]
        }
    }

    @Test("O11, O12, O13: a deposit locked against its window: the carrier has it, or it is on the board again")
    func depositExpiry() async throws {
        try await race(firing: true) { round in
            let start = Date.thisMillisecond.addingTimeInterval(-60 + RaceDelay.seconds(0.03...0.1))
            let posted = try await round.first.parcel(round.customer, deposit: 9_000, at: start)
            let order = try await round.first.take(posted, by: round.provider, at: start)
            let end = try #require(order.deadline)
            try await Self.wait(for: end)
            try await round.second.lockDeposit(of: order)
            let now = try await round.first.details(order.id).order
            if now.state == .accepted {
                #expect(now.deposit?.state == .locked && now.provider?.account == round.provider)
                return [.init(order, .accepted, "pending requested accepted deposited", waits: "order.arrival")]
            }
            #expect(now.deposit?.state != .locked && now.provider == nil)
            return [.init(order, .requested, "pending requested accepted reopened", waits: "order.search")]
        }
    }
}

extension OrderWorld {
    /// One that is paid, and so on the board; brought there in one transaction.
    func parcel(
        _ owner: UUID, deposit: Int = 0, at now: Date = .thisMillisecond
    ) async throws -> Order {
        let input = PostParcel.Input(
            market: .carrepsa, owner: owner, name: "A lamp", description: nil,
            origin: Order.Place(latitude: 57.70, longitude: 11.97, description: nil),
            destination: Order.Place(latitude: 57.71, longitude: 11.97, description: "Blue door"), payment: 5_000,
            deposit: deposit, grams: 900, isFragile: false)
        return try await pool.withTransaction { transaction in
            let order = try await operations.postParcel(input, at: now, in: transaction).order.id
            try await operations.recordPayment(SampleOrder.held(), of: order, at: now, in: transaction)
            return try #require(try await transaction.first(FindOrder(order: order))?.details()).order
        }
    }

    fileprivate func take(_ order: Order, by carrier: UUID, at now: Date = .thisMillisecond) async throws -> Order {
        try await pool.withTransaction { transaction in
            try await operations.take(order.id, by: carrier, at: now, in: transaction).order
        }
    }

    /// As the wallet's event does, for this acceptance.
    fileprivate func lockDeposit(of order: Order) async throws {
        try await pool.withTransaction { transaction in
            try await operations.recordDeposit(
                .depositLocked(orderVersion: order.version), of: order.id, at: .thisMillisecond, in: transaction)
        }
    }
}

/// Parcels that are on the board and cannot be taken, or the other way round.
private struct FindBoardInconsistencies: Statement {
    static let sql: SQL = """
        SELECT orders.id::text || ' ' || orders.state FROM orders LEFT JOIN board ON board.order_id = orders.id
        WHERE orders.kind = 'parcel' AND (board.order_id IS NOT NULL) <> (orders.state = 'requested')
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
