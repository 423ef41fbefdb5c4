import Foundation
import Matching

/// The meals of an area's round. The rules of all rounds decide who may be asked; the food policy decides who is asked
/// and when, for all meals and couriers together.
///
/// Like a ``Round`` it decides in two steps, since travel times are requested in between. The policy's clock is ahead
/// by the offer window, so that a courier who accepts at the last moment arrives in time.
struct MealRound: Sendable {
    /// A meal at its restaurant, or on its way. Times are in seconds.
    struct Meal: Sendable, Hashable {
        let id: UUID
        let restaurant: UUID
        let placedAt: Int
        let readyAt: Int
        let from: GeoPoint
        let to: GeoPoint
    }

    /// A meal that a courier holds.
    struct Held: Sendable, Hashable {
        let meal: Meal
        var isHandedOver = false
        /// Whether the courier is at the restaurant.
        var isThere = false
    }

    struct Terms: Sendable {
        var answerSeconds = 20
        /// Time after which nothing is picked up.
        var offAt = Int.max / 4
        var metresPerMinute = 500
        var food = FoodSettings()
    }

    /// A request for the travel times from several origins to one destination.
    struct Question: Sendable, Hashable {
        let origins: [GeoPoint]
        let destination: GeoPoint
        fileprivate let from: [Int]
        fileprivate let to: Int
    }

    /// Maximum number of origins per question; a routing service takes no more.
    static let originLimit = 99

    /// The rules of all rounds.
    let screen: Round
    private let terms: Terms
    private let meals: [UUID: Meal]
    /// Meals whose search is over.
    let over: Set<UUID>
    private let plan: [Courier]
    private let points: [GeoPoint]
    private let pickups: [UUID: Int]
    private let doors: [UUID: Int]
    let questions: [Question]

    /// A courier of the plan; places are indices into `points`.
    private struct Courier {
        let id: UUID
        /// Index of the provider in `screen`.
        let number: Int
        /// The courier's current place.
        let at: Int
        /// The places that the courier still has to visit; after the last one the courier is free.
        let legs: [Int]
        let held: [Held]

        var isHeading: Bool { !held.isEmpty && !held.contains(where: \.isHandedOver) }
        var end: Int { legs.last ?? at }
    }

    /// - Parameters:
    ///   - orders: orders that wait and are not offered to anybody.
    ///   - meals: the meals of these orders.
    ///   - trips: held meals by courier; a provider who holds anything else is busy.
    init(
        now: Int, orders: [RoundOrder], meals: [UUID: Meal], providers: [RoundProvider], trips: [UUID: [Held]],
        settings: RoundSettings, terms: Terms
    ) {
        let providers = providers.map { trips[$0.id, default: []].isEmpty ? $0 : $0.holdingMeals }
        let screen = Round(
            now: now, orders: orders.filter { meals[$0.id] != nil }, providers: providers, settings: settings)
        self.screen = screen
        self.terms = terms
        over = Set(screen.orders.filter(screen.isOver).map(\.id))
        let known = screen.providers.indices.filter { number in
            screen.orders.indices.contains { screen.rule(number, for: $0) == nil }
        }
        var places = Places()
        var waiting: [UUID: Meal] = [:]
        for order in screen.orders where !over.contains(order.id) {
            guard let meal = meals[order.id] else { continue }
            waiting[meal.id] = meal
            places.add(meal)
        }
        plan = known.map { number in
            Self.courier(screen.providers[number], number, trips[screen.providers[number].id] ?? [], &places)
        }
        for courier in plan where courier.isHeading {
            for held in courier.held { waiting[held.meal.id] = held.meal }
        }
        self.meals = waiting
        (points, pickups, doors) = (places.points, places.pickups, places.doors)
        questions = Self.questions(plan, screen, waiting, places)
    }

    private static func courier(
        _ provider: RoundProvider, _ number: Int, _ held: [Held], _ places: inout Places
    ) -> Courier {
        let at = places.add(provider.place)
        guard held.contains(where: \.isHandedOver) else {
            for held in held { places.add(held.meal) }
            let counter = held.first.flatMap { places.pickups[$0.meal.restaurant] }
            return Courier(id: provider.id, number: number, at: at, legs: counter.map { [$0] } ?? [], held: held)
        }
        // Assumes that the courier always goes to the nearest door next.
        var (left, legs, place) = (held.map(\.meal.to), [Int](), provider.place)
        while let next = left.indices.min(by: { place.metres(to: left[$0]) < place.metres(to: left[$1]) }) {
            place = left.remove(at: next)
            legs.append(places.add(place))
        }
        return Courier(id: provider.id, number: number, at: at, legs: legs, held: held)
    }

    // MARK: Travel times

    private struct Places {
        var points: [GeoPoint] = []
        /// Keyed by restaurant.
        var pickups: [UUID: Int] = [:]
        /// Keyed by meal.
        var doors: [UUID: Int] = [:]

        mutating func add(_ point: GeoPoint) -> Int {
            points.append(point)
            return points.count - 1
        }

        mutating func add(_ meal: Meal) {
            if pickups[meal.restaurant] == nil { pickups[meal.restaurant] = add(meal.from) }
            if doors[meal.id] == nil { doors[meal.id] = add(meal.to) }
        }
    }

    /// Questions for the ways to each restaurant from couriers and doors, to each door from its restaurant and from the
    /// restaurant's other doors, and along each courier's remaining places.
    private static func questions(
        _ plan: [Courier], _ screen: Round, _ meals: [UUID: Meal], _ places: Places
    ) -> [Question] {
        var origins: [Int: Set<Int>] = [:]
        for courier in plan {
            var place = courier.at
            for leg in courier.legs {
                origins[leg, default: []].insert(place)
                place = leg
            }
        }
        for (number, order) in screen.orders.enumerated() {
            guard let meal = meals[order.id], let pickup = places.pickups[meal.restaurant] else { continue }
            for courier in plan where screen.rule(courier.number, for: number) == nil {
                origins[pickup, default: []].insert(courier.end)
            }
        }
        for meal in meals.values {
            guard let pickup = places.pickups[meal.restaurant], let door = places.doors[meal.id] else { continue }
            origins[door, default: []].insert(pickup)
            for other in meals.values {
                guard let otherDoor = places.doors[other.id], other.id != meal.id else { continue }
                if other.restaurant == meal.restaurant { origins[door, default: []].insert(otherDoor) }
                origins[pickup, default: []].insert(otherDoor)
            }
        }
        return origins.sorted { $0.key < $1.key }.flatMap { destination, from in
            let from = from.filter { $0 != destination }.sorted()
            return stride(from: 0, to: from.count, by: originLimit).map { start in
                let some = Array(from[start..<min(start + originLimit, from.count)])
                return Question(
                    origins: some.map { places.points[$0] }, destination: places.points[destination], from: some,
                    to: destination)
            }
        }
    }

    private func matrix(_ answers: [[Int?]]) -> TravelMatrix {
        var known: [Int: Int] = [:]
        for (question, answer) in zip(questions, answers) {
            for (from, seconds) in zip(question.from, answer) { known[from * points.count + question.to] = seconds }
        }
        return TravelMatrix(count: points.count) { from, to in
            if from == to { return 0 }
            return known[from * points.count + to]
                ?? GreatCircleTimes.estimate(
                    metres: points[from].metres(to: points[to]), metresPerMinute: terms.metresPerMinute
                ).seconds
        }
    }

    // MARK: Deciding

    /// - Parameter answers: for each of ``questions``, in the same sequence, the seconds from each origin. Missing
    ///   values are estimated.
    func decide(_ answers: [[Int?]]) -> MealDecisions {
        let travel = matrix(answers)
        let clock = screen.now + terms.answerSeconds
        let arrivals = plan.reduce(into: [UUID: (at: Int, place: Int)]()) {
            $0[$1.id] = (freeAt($1, travel), $1.end)
        }
        let couriers = plan.map { courier in
            let from = arrivals[courier.id]?.at ?? clock
            var heading: FoodCourier.Heading?
            var freeAt = max(clock, from)
            if courier.isHeading, let first = courier.held.first {
                heading = .init(restaurant: first.meal.restaurant, orders: courier.held.map(\.meal.id))
                freeAt = from
            } else if !courier.held.isEmpty {
                // A courier who is delivering is never sent before being free.
                freeAt = max(clock + 1, from)
            }
            let provider = screen.providers[courier.number]
            return FoodCourier(
                id: courier.id, place: courier.end, freeAt: freeAt, offAt: terms.offAt, heading: heading,
                waitingSince: courier.held.isEmpty ? provider.waitingSince : nil,
                rating: provider.rating ?? screen.settings.unratedAs)
        }
        let round = FoodRound(
            now: clock, orders: meals.values.compactMap(foodOrder), couriers: couriers, travel: travel,
            settings: terms.food)
        return MealDecisions(
            round: self, food: FoodPolicy.decide(round), answerSeconds: terms.answerSeconds,
            held: plan.filter(\.isHeading).reduce(into: [:]) { $0[$1.id] = $1.held.map(\.meal.id) },
            travelSeconds: { courier, order in
                guard let (at, place) = arrivals[courier], let meal = meals[order],
                    let pickup = pickups[meal.restaurant]
                else { return 0 }
                return max(0, at - screen.now) + travel.seconds(place, pickup)
            })
    }

    private func freeAt(_ courier: Courier, _ travel: TravelMatrix) -> Int {
        if courier.isHeading, courier.held.contains(where: \.isThere) { return screen.now }
        let doorSeconds = courier.isHeading ? 0 : terms.food.reachDoorSeconds + terms.food.leaveDoorSeconds
        var (time, place) = (screen.now, courier.at)
        for leg in courier.legs {
            time += travel.seconds(place, leg) + doorSeconds
            place = leg
        }
        return time
    }

    private func foodOrder(_ meal: Meal) -> FoodOrder? {
        guard let pickup = pickups[meal.restaurant], let door = doors[meal.id] else { return nil }
        var barred: Set<UUID> = []
        if let number = screen.orders.firstIndex(where: { $0.id == meal.id }) {
            barred = Set(plan.filter { screen.rule($0.number, for: number) != nil }.map(\.id))
        }
        return FoodOrder(
            id: meal.id, restaurant: meal.restaurant, placedAt: meal.placedAt, readyAt: meal.readyAt, pickup: pickup,
            dropoff: door, barred: barred)
    }
}

extension RoundProvider {
    /// The provider as if free, for the other rules: a courier with meals may get more of the same restaurant.
    fileprivate var holdingMeals: RoundProvider {
        RoundProvider(
            id: id, place: place, placeAt: placeAt, facts: facts.subtracting([.busy, .onOffer]), kinds: kinds,
            waitingSince: waitingSince, rating: rating)
    }
}
