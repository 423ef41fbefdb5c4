import Foundation
import Matching

/// An hour of rides on a simulated clock: who is sent to whom is asked of a policy, all else is the same for each.
///
/// Every driver takes every offer at once. A ride ends where another of the hour's customers was picked up, which one
/// is drawn once for all policies. Ways are great circles, lengthened by 1.3, at 18 kilometres an hour.
struct PickupSimulation {
    static let metresPerSecond = 5.0
    static let detour = 1.3

    struct Ride {
        let place: GeoPoint
        let destination: GeoPoint
        let second: Int
    }

    struct Driver {
        var place: GeoPoint
        var freeAt: Int
    }

    /// What a policy sees: rides that wait, by their numbers, the oldest first, and drivers who are free.
    typealias Policy = (_ now: Int, _ waiting: [Int], _ free: [Int], _ world: PickupSimulation) -> [(
        ride: Int, driver: Int
    )]

    let rides: [Ride]
    private(set) var drivers: [Driver]

    static func seconds(_ from: GeoPoint, _ to: GeoPoint) -> Int {
        Int((from.metres(to: to) * detour / metresPerSecond).rounded())
    }

    init(_ pickups: [PickupRecords.Pickup], drivers count: Int) {
        var random = SeededNumbers(seed: 11)
        func anywhere() -> GeoPoint { pickups[Int.random(in: 0..<pickups.count, using: &random)].place }
        rides = pickups.map { Ride(place: $0.place, destination: anywhere(), second: $0.second) }
        drivers = (0..<count).map { _ in Driver(place: anywhere(), freeAt: 0) }
    }

    /// Driver-seconds that the rides themselves take.
    var work: Int { rides.reduce(0) { $0 + Self.seconds($1.place, $1.destination) } }

    /// - Parameter every: seconds between two questions to the policy.
    /// - Returns: the mean seconds from order to pickup.
    func meanPickup(every: Int, _ policy: Policy) -> Double {
        var world = self
        var waiting: [Int] = []
        var next = 0
        var now = 0
        var total = 0
        var done = 0
        while done < rides.count {
            while next < rides.count, rides[next].second <= now {
                waiting.append(next)
                next += 1
            }
            let free = world.drivers.indices.filter { world.drivers[$0].freeAt <= now }
            if !waiting.isEmpty, !free.isEmpty {
                for (ride, driver) in policy(now, waiting, free, world) {
                    let pickup = now + Self.seconds(world.drivers[driver].place, rides[ride].place)
                    total += pickup - rides[ride].second
                    done += 1
                    let end = pickup + Self.seconds(rides[ride].place, rides[ride].destination)
                    world.drivers[driver] = Driver(place: rides[ride].destination, freeAt: end)
                    waiting.removeAll { $0 == ride }
                }
            }
            now += every
        }
        return Double(total) / Double(max(1, done))
    }
}

extension PickupSimulation {
    /// The oldest order takes the nearest free driver, then the next.
    static func nearestFirst(
        _ now: Int, _ waiting: [Int], _ free: [Int], _ world: PickupSimulation
    ) -> [(ride: Int, driver: Int)] {
        var left = free
        return waiting.compactMap { ride in
            let place = world.rides[ride].place
            let nearest = left.min {
                (seconds(world.drivers[$0].place, place), $0) < (seconds(world.drivers[$1].place, place), $1)
            }
            guard let nearest else { return nil }
            left.removeAll { $0 == nearest }
            return (ride, nearest)
        }
    }

    /// The rounds that dispatch's workers run.
    static func rounds(
        _ now: Int, _ waiting: [Int], _ free: [Int], _ world: PickupSimulation
    ) -> [(ride: Int, driver: Int)] {
        var settings = RoundSettings()
        settings.radiiMetres = [100_000]
        settings.searchSeconds = .max
        let round = Round(
            now: now,
            orders: waiting.map {
                RoundOrder(
                    id: id(1, $0), customer: id(3, $0), place: world.rides[$0].place, kind: "ride",
                    requestedAt: world.rides[$0].second)
            },
            providers: free.map {
                RoundProvider(
                    id: id(2, $0), place: world.drivers[$0].place, placeAt: now, kinds: ["ride"],
                    waitingSince: world.drivers[$0].freeAt)
            }, settings: settings)
        let answers = round.questions.map { question in
            question.origins.map { seconds($0, question.destination) as Int? }
        }
        var given: [(ride: Int, driver: Int)] = []
        for case (let order, .offer(let driver, _)) in round.decide(answers).all {
            given.append((number(order), number(driver)))
        }
        return given
    }

    private static func id(_ kind: UInt8, _ number: Int) -> UUID {
        let (high, low) = (UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number))
        return UUID(uuid: (kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, high, low))
    }

    private static func number(_ id: UUID) -> Int { Int(id.uuid.14) << 8 | Int(id.uuid.15) }
}
