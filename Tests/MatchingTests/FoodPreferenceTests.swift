import Foundation
import Matching
import TestKit
import Testing

@Suite("P4: fairness and rating of couriers", .timeLimit(.minutes(15)))
struct FoodPreferenceTests {
    private static let now = 1_000
    private static let settings = FoodSettings()

    private static func seconds(_ from: Int, _ to: Int) -> Int { abs(from - to) * 20 }

    private static func decide(_ orders: [FoodOrder], _ couriers: [FoodCourier]) -> FoodDecisions {
        FoodPolicy.decide(
            FoodRound(
                now: now, orders: orders, couriers: couriers,
                travel: TravelMatrix(count: 60) { seconds($0, $1) }, settings: settings))
    }

    /// The same courier, of whom nothing is known but where he is.
    private static func plain(_ courier: FoodCourier) -> FoodCourier {
        FoodCourier(id: courier.id, place: courier.place, freeAt: courier.freeAt, offAt: courier.offAt)
    }

    private static func preference(_ courier: FoodCourier) -> Int {
        let waited = max(0, now - (courier.waitingSince ?? now))
        let missing = 500 - (courier.rating ?? 500)
        return missing * settings.ratingSecondsPerStar / 100
            - min(settings.fairnessMostSeconds, waited * settings.fairnessSecondsPerMinute / 60)
    }

    /// Orders of three restaurants, and couriers of whom all is known.
    private static func sample(
        _ generator: inout SeededGenerator
    ) -> (orders: [FoodOrder], couriers: [FoodCourier]) {
        let restaurants = (0..<3).map { _ in UUID.random(using: &generator) }
        let orders = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
            let restaurant = Int.random(in: 0..<3, using: &generator)
            return FoodOrder(
                id: .random(using: &generator), restaurant: restaurants[restaurant], placedAt: 0,
                readyAt: .random(in: 900...1_800, using: &generator), pickup: restaurant * 10,
                dropoff: .random(in: 0..<60, using: &generator))
        }
        let couriers = (0..<Int.random(in: 2...5, using: &generator)).map { _ in
            FoodCourier(
                id: .random(using: &generator), place: .random(in: 0..<20, using: &generator),
                freeAt: now + .random(in: 0...60, using: &generator), offAt: 90_000,
                waitingSince: now - .random(in: 0...2_000, using: &generator),
                rating: .random(in: 100...500, using: &generator))
        }
        return (orders, couriers)
    }

    // MARK: Trips, counted once more

    /// What each courier is to do: his trips, and of each its orders, in sequence.
    private static func trips(_ decisions: FoodDecisions, _ orders: [FoodOrder]) -> [UUID: [[FoodOrder]]] {
        var trips: [UUID: [[FoodOrder]]] = [:]
        for (courier, expected) in Dictionary(grouping: decisions.expected, by: \.courier) {
            let pickups = Dictionary(grouping: expected, by: \.pickupAt).sorted { $0.key < $1.key }
            trips[courier] = pickups.map { pickup in
                pickup.value.sorted { $0.dropoffAt < $1.dropoffAt }.compactMap { expectation in
                    orders.first { $0.id == expectation.order }
                }
            }
        }
        return trips
    }

    private struct Carried {
        var cost = 0
        var waySeconds = 0
        var dropoffs: [Int] = []
    }

    private static func carry(_ trips: [[FoodOrder]], by courier: FoodCourier) -> Carried {
        var carried = Carried()
        var (time, place) = (courier.freeAt, courier.place)
        carried.waySeconds = seconds(place, trips.first?.first?.pickup ?? place)
        for trip in trips {
            let counter = trip.first?.pickup ?? place
            let ready = trip.map(\.readyAt).max() ?? 0
            time = max(time + seconds(place, counter) + settings.reachCounterSeconds, ready)
            time += settings.leaveCounterSeconds
            place = counter
            for order in trip {
                time += seconds(place, order.dropoff) + settings.reachDoorSeconds
                let late = time - order.placedAt - settings.longestClickToDoorSeconds + 600
                carried.cost += time - order.readyAt + max(0, late) * 10
                carried.dropoffs.append(time)
                time += settings.leaveDoorSeconds
                place = order.dropoff
            }
        }
        return carried
    }

    /// The least that all trips can cost when each goes to a courier to whom it may go, by trying all.
    private static func leastCost(
        _ trips: ArraySlice<(planned: FoodCourier, trips: [[FoodOrder]])>, _ couriers: [FoodCourier]
    ) -> Int {
        guard let first = trips.first else { return 0 }
        let planned = carry(first.trips, by: first.planned)
        var least = Int.max
        for (number, courier) in couriers.enumerated() {
            let carried = carry(first.trips, by: courier)
            let isLater = zip(carried.dropoffs, planned.dropoffs).contains { $0 > $1 + settings.preferenceSeconds }
            let isFarther = carried.waySeconds > planned.waySeconds + settings.preferredWaySeconds
            guard !isLater && !isFarther else { continue }
            var others = couriers
            others.remove(at: number)
            let rest = leastCost(trips.dropFirst(), others)
            if rest < Int.max { least = min(least, carried.cost + preference(courier) + rest) }
        }
        return least
    }

    // MARK: The tests

    @Test("O9, P4: trips go to couriers at the least cost of time, fairness and rating together, by trying all ways")
    func optimum() {
        var generator = SeededGenerator()
        var changed = 0
        for _ in 0..<400 {
            let (orders, couriers) = Self.sample(&generator)
            // A plan is left as it is where there is nothing to tell couriers apart.
            guard Set(couriers.map(Self.preference)).count > 1 else { continue }
            let planned = Self.trips(Self.decide(orders, couriers.map(Self.plain)), orders)
            let decided = Self.trips(Self.decide(orders, couriers), orders)
            var given: [(planned: FoodCourier, trips: [[FoodOrder]])] = []
            var cost = 0
            for courier in couriers {
                if let trips = planned[courier.id] { given.append((courier, trips)) }
                guard let trips = decided[courier.id] else { continue }
                cost += Self.carry(trips, by: courier).cost + Self.preference(courier)
            }
            #expect(Set(decided.values) == Set(planned.values), "\(generator)")
            #expect(cost == Self.leastCost(given[...], couriers), "\(generator)")
            if decided != planned { changed += 1 }
        }
        // Else nothing was tried.
        #expect(changed > 20, "\(generator)")
    }

    @Test("O9, P4: no meal comes later for it than by less than a minute, whoever has waited and is rated as may be")
    func bounded() {
        var generator = SeededGenerator()
        #expect(Self.settings.preferenceSeconds < 60)
        for _ in 0..<400 {
            let (orders, couriers) = Self.sample(&generator)
            let planned = Self.decide(orders, couriers.map(Self.plain))
            let decided = Self.decide(orders, couriers)
            #expect(Set(decided.expected.map(\.order)) == Set(planned.expected.map(\.order)), "\(generator)")
            for meal in decided.expected {
                let before = planned.expected.first { $0.order == meal.order }?.dropoffAt ?? 0
                #expect(meal.dropoffAt <= before + Self.settings.preferenceSeconds, "\(generator)")
            }
        }
    }

    @Test("O9, P4: where all have waited as long and are rated alike, a plan is what it is without")
    func alike() {
        var generator = SeededGenerator()
        for _ in 0..<100 {
            let (orders, couriers) = Self.sample(&generator)
            let same = couriers.map {
                FoodCourier(
                    id: $0.id, place: $0.place, freeAt: $0.freeAt, offAt: $0.offAt, waitingSince: 0, rating: 312)
            }
            let (with, without) = (Self.decide(orders, same), Self.decide(orders, couriers.map(Self.plain)))
            #expect(with.decisions == without.decisions && with.expected == without.expected, "\(generator)")
            #expect(with.nextAt == without.nextAt, "\(generator)")
        }
    }

    @Test("O9, P4: whoever has waited is not sent from far away, be the food ready however late")
    func far() {
        // The first by id is planned with where both are as good.
        let ids = [UUID(), UUID()].sorted()
        let (near, far) = (ids[0], ids[1])
        func chosen(farPlace: Int, readyAt: Int) -> UUID? {
            let order = FoodOrder(
                id: UUID(), restaurant: UUID(), placedAt: 0, readyAt: readyAt, pickup: 0, dropoff: 30)
            let couriers = [
                FoodCourier(id: near, place: 1, freeAt: Self.now, offAt: 90_000, waitingSince: Self.now, rating: 300),
                FoodCourier(id: far, place: farPlace, freeAt: Self.now, offAt: 90_000, waitingSince: 0, rating: 500),
            ]
            return Self.decide([order], couriers).expected.first?.courier
        }
        // Twenty seconds from place to place, and who is preferred is so by 26: as near, near enough, too late.
        #expect(chosen(farPlace: 1, readyAt: 900) == far)
        #expect(chosen(farPlace: 2, readyAt: 900) == far)
        #expect(chosen(farPlace: 3, readyAt: 900) == near)
        // In time from all these places, the last of which is more than two minutes farther.
        #expect(chosen(farPlace: 7, readyAt: 5_000) == far)
        #expect(chosen(farPlace: 8, readyAt: 5_000) == near)
    }

    @Test("X12: the explanation tells what waiting makes good and what missing stars count as, and sums them up")
    func explained() throws {
        let order = FoodOrder(id: UUID(), restaurant: UUID(), placedAt: 0, readyAt: 900, pickup: 0, dropoff: 30)
        let (rested, rated) = (UUID(), UUID())
        let couriers = [
            FoodCourier(id: rested, place: 0, freeAt: Self.now, offAt: 90_000, waitingSince: -9_000, rating: 100),
            FoodCourier(id: rated, place: 0, freeAt: Self.now, offAt: 90_000, waitingSince: 700, rating: 500),
        ]
        let told = try #require(Self.decide([order], couriers).explanation(of: order.id))
        #expect(told.chosen == rated && told.couriers.map(\.courier) == [rated, rested])
        var costs: [FoodCost] = []
        for case .weighed(let cost) in told.couriers.map(\.verdict) { costs.append(cost) }
        #expect(costs.map(\.fairnessSeconds) == [-5, -20] && costs.map(\.ratingSeconds) == [0, 20])
        #expect(costs.allSatisfy { $0.total == $0.addedSeconds + $0.fairnessSeconds + $0.ratingSeconds })
        #expect(Set(costs.map(\.addedSeconds)).count == 1)
    }
}
