import Contracts
import Foundation
import Matching
import Messaging
import Postgres
import Testing

@testable import SeraiDispatch

@Suite("A place is believed when two places agree", .timeLimit(.minutes(15)))
struct StayTests {
    @Test(
        "O2: a place is proved by two that are near each other and were told ten seconds apart, whatever the phone says"
    )
    func proved() {
        let fix = MovementTests.fix
        let start = MovementTests.start
        func stay(_ places: (metres: Double, toldAt: Double)...) -> Stay {
            places.dropFirst().reduce(Stay(at: fix(places[0].metres, 0).place, toldAt: start + places[0].toldAt)) {
                $0.moved(to: fix($1.metres, 0).place, toldAt: start + $1.toldAt)
            }
        }
        #expect(!stay((0, 0)).isProved(by: fix(0, 0).place))
        #expect(!stay((0, 0), (20, 9)).isProved(by: fix(20, 0).place))
        #expect(stay((0, 0), (149, 10)).isProved(by: fix(149, 0).place))
        #expect(!stay((0, 0), (151, 10)).isProved(by: fix(151, 0).place))
        #expect(stay((0, 0), (151, 10), (140, 20)).isProved(by: fix(140, 0).place))
        // Two places that a phone measured an hour apart, as it says, and posts at once.
        let nurse = UUID.timeOrdered()
        let first = PositionReport(provider: nurse, fix: fix(0, -3_600), toldAt: start)
        let second = PositionReport(provider: nurse, fix: fix(0, 0), toldAt: start + 1)
        let whereabouts = ProviderPositionState(second, after: ProviderPositionState(first, after: nil))
        #expect(!whereabouts.stay.isProved(by: whereabouts.last.place))
    }

    @Test("O2: who posts old places in turn has no more time for a way than what went by, and half a minute")
    func backdated() {
        let fix = MovementTests.fix
        let nurse = UUID.timeOrdered()
        let now = MovementTests.start
        // Nine minutes old, as the phone says.
        let far = ProviderPositionState(
            PositionReport(provider: nurse, fix: fix(20_000, -540), toldAt: now), after: nil)
        let forged = PositionReport(provider: nurse, fix: fix(0, 1), toldAt: now + 1)
        #expect(!far.mayBeFollowedInOrder(by: forged))
        let honest = PositionReport(provider: nurse, fix: fix(18_000, 1), toldAt: now + 1)
        #expect(far.mayBeFollowedInOrder(by: honest))
        let later = PositionReport(provider: nurse, fix: fix(0, 240), toldAt: now + 240)
        #expect(far.mayBeFollowedInOrder(by: later))
        let older = PositionReport(provider: nurse, fix: fix(20_000, -541), toldAt: now + 10)
        #expect(!far.mayBeFollowedInOrder(by: older))
    }

    @Test("O2: who holds an order is not believed to be where nobody can have got to, however long he was silent")
    func silence() async throws {
        try await ProvidersGround.run { ground in
            let nurse = try await ground.free()
            let record = PositionTests.record(ground)
            let start = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)) - 3_600
            func report(_ metres: Double, _ seconds: Double) async throws -> Int {
                let fix = Fix(place: ProvidersGround.north(metres), at: start + seconds)
                return try await record([PositionReport(provider: nurse, fix: fix)]).droppedCount
            }
            #expect(try await report(20_000, 0) == 0)
            _ = try await ground.order(state: "arrived", provider: nurse)
            #expect(try await report(0, 130) == 1)
            #expect(try await PositionTests.stored(nurse, ground)?.place == ProvidersGround.north(20_000))
            #expect(try await report(0, 300) == 0)
            // And then it is one place alone, until a second one agrees.
            func isProved() async throws -> Bool? {
                try await ground.pool.first(FindProviderPositionState(provider: nurse)).map {
                    $0.stay.isProved(by: $0.last.place)
                }
            }
            #expect(try await isProved() == false)
            #expect(try await report(10, 305) == 0)
            #expect(try await isProved() == false)
            #expect(try await report(20, 311) == 0)
            #expect(try await isProved() == true)
            #expect(try await report(400, 330) == 0)
            #expect(try await isProved() == false)
        }
    }

    @Test("O2: a way is counted by what phones post, and two points in turn make no fine grow")
    func zigzag() async throws {
        try await ProvidersGround.run { ground in
            let nurse = try await ground.free()
            let record = PositionTests.record(ground)
            let start = Date()
            // Its phone has told where it is before.
            _ = try await record([PositionReport(provider: nurse, fix: Fix(place: ProvidersGround.riyadh, at: start))])
            let order = try await ground.order(state: "accepted", provider: nurse)
            for step in 0..<60 {
                let fix = Fix(
                    place: ProvidersGround.north(step.isMultiple(of: 2) ? 0 : 100), at: start + 1 + Double(step) / 5)
                var report = PositionReport(provider: nurse, fix: fix)
                report.accuracyMetres = 0
                _ = try await record([report])
            }
            let way = try #require(try await ground.pool.first(ReadFullOdometer(order: order))?.measured)
            #expect(way.metres < 300 && way.start?.place == ProvidersGround.riyadh)
        }
    }

    @Test("O2: the first place of who holds an order already moves no money until a second one agrees with it")
    func firstPlace() async throws {
        try await ProvidersGround.run { ground in
            let nurse = try await ground.free()
            let order = try await ground.order(state: "accepted", provider: nurse)
            let record = PositionTests.record(ground)
            let start = Date() + 1
            func report(_ metres: Double, _ seconds: Double) async throws -> Int {
                let fix = Fix(place: ProvidersGround.north(metres), at: start + seconds)
                return try await record([PositionReport(provider: nurse, fix: fix)]).droppedCount
            }
            func isSettled() async throws -> Bool? {
                try await ground.pool.first(FindProviderPositionState(provider: nurse))?.isSettled
            }
            func way() async throws -> StoredWay? { try await ground.pool.first(ReadFullOdometer(order: order)) }
            // Nothing to compare it with: it may be invented, and is no beginning of a way that is paid for.
            #expect(try await report(20_000, 0) == 0)
            #expect(try await isSettled() == false)
            // So it refuses no other place, either.
            #expect(try await report(5, 2) == 0)
            #expect(try await report(0, 8) == 0)
            #expect(try await isSettled() == false)
            #expect(try await way() == nil)
            #expect(try await report(0, 13) == 0)
            #expect(try await isSettled() == true)
            let measured = try #require(try await way()?.measured)
            #expect(measured.metres == 0)
            #expect(try #require(measured.start).place.metres(to: ProvidersGround.riyadh) < 10)
            #expect(try await report(20_000, 20) == 1)
            #expect(try await report(600, 60) == 0)
            #expect(try await isSettled() == true)
        }
    }

    @Test("O8: to arrive, one place is enough of who was known before, and not of who was not")
    func firstArrival() async throws {
        try await OrderWorld.with { world in
            for isSettled in [false, true] {
                let order = try await world.order(in: .enRoute)
                let place = GeoPoint(order.place)
                func stand(_ seconds: Double) async throws {
                    let fix = Fix(place: place, at: .thisMillisecond)
                    let stay = Stay(since: Fix(place: place, at: fix.at - seconds), toldAt: fix.at)
                    try await world.pool.execute(
                        StorePositions(
                            reports: [PositionReport(provider: order.assignee, fix: fix)],
                            whereabouts: [
                                order.assignee: ProviderPositionState(
                                    last: fix, stay: stay, steady: place, isSettled: isSettled)
                            ]))
                }
                func arrive() async throws -> OrderState {
                    try await world.pool.withTransaction { transaction in
                        try await world.operations.arrive(
                            order.id, by: order.assignee, at: .thisMillisecond, in: transaction
                        ).order.state
                    }
                }
                try await stand(0)
                if !isSettled {
                    await #expect(throws: OrderRefusal.self) { _ = try await arrive() }
                    #expect(try await world.state(order.id) == .enRoute)
                    try await stand(10)
                }
                #expect(try await arrive() == .arrived)
            }
        }
    }

    @Test("O2: a way that cannot be read is the fault of its order alone: nothing is fined, and other phones are heard")
    func unreadable() async throws {
        try await ProvidersGround.run { ground in
            let (nurse, other) = (try await ground.free(), try await ground.free("Mona"))
            let record = PositionTests.record(ground)
            let start = Date()
            func report(_ metres: Double, _ seconds: Double) async throws -> RecordPositions.Outcome {
                let fix = Fix(place: ProvidersGround.north(metres), at: start + seconds)
                return try await record([nurse, other].map { PositionReport(provider: $0, fix: fix) })
            }
            _ = try await report(0, 0)
            let order = try await ground.order(state: "enRoute", provider: nurse)
            let second = try await ground.order(state: "enRoute", provider: other)
            _ = try await report(0, 10)
            _ = try await report(1_000, 100)
            #expect(try await ground.pool.first(ReadFullOdometer(order: order))?.measured != nil)
            for (index, walk) in [#"{"earlier": 5}"#, #""walk""#, "[]"].enumerated() {
                try await ground.pool.execute(SetWalk(order: order, walk: walk))
                let outcome = try await report(1_500, 200 + Double(index) * 10)
                #expect(outcome.unreadable == [order] && outcome.droppedCount == 0, "\(walk)")
                let way = try #require(try await ground.pool.first(ReadFullOdometer(order: order)))
                #expect(way.measured == nil && way.start == nil)
                let sample = try SampleOrder.inState(.enRoute)
                #expect(sample.finedMetres(ofStored: way, logger: nil) == 0)
            }
            // The metres stay as they were, and the other's go on.
            let before = try #require(try await ground.pool.first(ReadOdometerMetres(order: order)))
            _ = try await report(2_500, 400)
            #expect(try await ground.pool.first(ReadOdometerMetres(order: order)) == before)
            #expect(try #require(try await ground.pool.first(ReadOdometerMetres(order: second))) > before)
        }
    }

    private struct SetWalk: Statement {
        static let sql: SQL = "UPDATE order_odometers SET walk = $2::text::jsonb WHERE order_id = $1"
        let order: UUID
        let walk: String
        func bind(_ bindings: inout Bindings) { bindings.append(order, walk) }
    }

    @Test(
        "O8: who waits for a provider waits for the time of arrival that was shown, and a little for who is all but there"
    )
    func awaited() throws {
        let order = try SampleOrder.inState(.enRoute)
        let degree = UnitVector.earthRadiusMetres * .pi / 180
        func fix(_ metres: Double) -> Fix {
            Fix(
                place: GeoPoint(latitude: order.place.latitude + metres / degree, longitude: order.place.longitude),
                at: SampleOrder.start)
        }
        func until(_ start: Double?, _ last: Double?, after seconds: Double) -> Double? {
            order.earliestProviderNoShow(
                start: start.map { fix($0) }, last: last.map { fix($0) }, radius: 10_000, speed: 600,
                at: SampleOrder.start + seconds
            )?.timeIntervalSince(SampleOrder.start)
        }
        // 6 km are 780 s; a quarter of it and a minute are added.
        #expect(until(6_000, nil, after: 300) == 1_035)
        #expect(until(6_000, 5_000, after: 1_036) == 1_035)
        // 400 m away, which are 52 s.
        #expect(until(6_000, 400, after: 1_036) == 1_088)
        #expect(until(6_000, 400, after: 1_400) == 1_335)
        // Nobody is asked from further away than the market searches, so no place makes the wait longer.
        #expect(until(90_000, nil, after: 300) == 1_685)
        #expect(until(nil, 400, after: 300) == nil)
    }

    @Test("O8: the rider's word that nobody came waits for the time of arrival that was shown")
    func missedTooEarly() async throws {
        try await RideWorld.with { world in
            let driver = try await world.driver(north: 5_000)
            let ride = try await world.take(try await world.ride(), by: driver)
            try await world.set(.noShowWaitSeconds, to: "60")
            func miss(after seconds: Double) async throws -> OrderState {
                try await world.pool.withTransaction { transaction in
                    try await world.orders.operations.missCustomer(
                        ride.id, by: ride.customer.account, at: ride.changedAt + seconds, in: transaction
                    ).order.state
                }
            }
            // From the first place after the acceptance on.
            let way = Odometer(base: Fix(place: RideWorld.north(5_000), at: ride.changedAt))
            try await world.pool.execute(try StoreOdometers(readings: [(ride.id, ride.version, way)]))
            // 5 km are 650 s.
            let early = await #expect(throws: OrderRefusal.self) { _ = try await miss(after: 61) }
            guard case .tooEarly(let until) = early else { return #expect(Bool(false), "\(String(describing: early))") }
            #expect(abs(until.timeIntervalSince(ride.changedAt) - 872.5) < 5)
            // A minute away, and told so at that moment.
            try await world.put(driver, at: RideWorld.north(400), since: ride.changedAt + 870)
            await #expect(throws: OrderRefusal.self) { _ = try await miss(after: 890) }
            #expect(try await miss(after: 1_300) == .cancelled)
        }
    }
}
