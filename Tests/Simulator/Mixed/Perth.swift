import Contracts
import Foundation
import Phones

/// Perth: rides where people called for one, meals as they were brought elsewhere, and bikes from a rack.
struct PerthTroupe: Troupe {
    static let wishes: Set<Wish> = [.ride, .meal, .hire]

    var observations: Observations { stage.observations }
    private let scene: Scene
    private let stage: Stage
    private let perth: RideTown
    private let riders: [Payer]
    private let drivers: [(person: Newcomer, place: Coordinate)]
    private let kitchens: [RideTown.Kitchen]
    private let rack: RideTown.Rack
    private let cooking = Kitchens()
    private let pool: Pool<Payer>
    private let box: BoundingBox
    private let before: TrialBalance.Currency?

    /// Windows that some orders can outlast: whoever is left alone by the other comes to an end all the same.
    static let settings: [MarketSettings.Key: String] = [
        .searchRadiusMetres: "60000", .openingHours: "always", .paymentWindowSeconds: "30",
        .searchWindowSeconds: "40", .offerWindowSeconds: "6", .acceptWindowSeconds: "30",
        .arrivalWindowSeconds: "40", .completionWindowSeconds: "40", .confirmationWindowSeconds: "15",
        .preparationWindowSeconds: "600",
    ]
    private static let filling = 100_000
    /// Bikes that nobody has to wait for.
    private static let bikes = 200

    init(_ scene: Scene) async throws {
        self.scene = scene
        let stage = scene.stage(of: .btnc)
        let perth = RideTown(town: stage.town, desk: scene.desk)
        (self.stage, self.perth) = (stage, perth)
        let box = BoundingBox(scene.pickups.map(\.place)) ?? .perth
        self.box = box
        before = try await scene.desk.ledger(of: Market.btnc.defaults.currency)
        let wishes: [Wish] = [.ride, .meal, .meal, .hire]
        let riderCount = wishes.map { $0.people(of: scene.customers, atLeast: 2) }.reduce(0, +)
        riders = try await Cast.parallel(riderCount) { number in
            let rider = try await perth.riderWithoutCard("Rider \(number)")
            let payer = try await Payer.ready(rider, with: Self.filling, in: RideTown.market)
            try await RideTown.dispatchKnowsCard(of: rider)
            return payer
        }
        let driverCount = [Wish.ride, .meal, .meal].map { $0.people(of: scene.providers, atLeast: 2) }.reduce(0, +)
        drivers = try await Cast.parallel(driverCount) { number in
            // Places among those where people call, spread over the records.
            let pickup = scene.pickups.around(number * 7)
            let place = pickup.map { box.moved($0.place, into: .perth) } ?? RideTown.perth
            return (try await perth.driver("Driver \(number)", at: place), place)
        }
        let meals = scene.meals
        let world = BoundingBox(meals.map(\.restaurant)) ?? .perth
        let kitchenCount = min(max(2, Wish.meal.people(of: scene.providers, atLeast: 2)), max(1, meals.count))
        kitchens = try await Cast.parallel(kitchenCount) { number in
            let place = meals.around(number).map { world.moved($0.restaurant, into: .perth) } ?? RideTown.perth
            return try await perth.restaurant("Kitchen \(number)", at: place)
        }
        rack = try await perth.rack(at: RideTown.perth, bikes: Self.bikes)
        pool = Pool(riders)
    }

    func play(_ wish: Wish, _ number: Int) async {
        let rider = await pool.take()
        switch wish {
        case .meal:
            guard let kitchen = kitchens.around(number) else { break }
            await stage.play(
                "meal \(number)",
                MealScript(
                    eater: rider, kitchen: kitchen, home: home(number), number: number, perth: perth,
                    kitchens: cooking, stage: stage))
        case .hire:
            await stage.play("hire \(number)", HireScript(rider: rider, rack: rack, number: number, stage: stage))
        default:
            let place = scene.pickups.around(number).map { box.moved($0.place, into: .perth) } ?? RideTown.perth
            await stage.play(
                "ride \(number)", RideScript(rider: rider, place: place, number: number, perth: perth, stage: stage))
        }
        stage.ended()
        await pool.giveBack(rider)
    }

    /// As far from the restaurant as in the record, a fifth of the way: Perth's riders wait for it here.
    private func home(_ number: Int) -> Coordinate {
        let kitchen = number % max(1, kitchens.count)
        guard let base = scene.meals.around(kitchen), let meal = scene.meals.around(number) else {
            return RideTown.perth
        }
        let world = BoundingBox(scene.meals.map(\.restaurant)) ?? .perth
        let place = world.moved(base.restaurant, into: .perth)
        func step(_ from: Double, _ to: Double) -> Double { min(0.03, max(-0.03, (to - from) / 5)) }
        return Coordinate(
            latitude: place.latitude + step(meal.restaurant.latitude, meal.home.latitude),
            longitude: place.longitude + step(meal.restaurant.longitude, meal.home.longitude))
    }

    func work() async {
        await withDiscardingTaskGroup { group in
            for (number, driver) in drivers.enumerated() {
                let day = DriverScript(
                    driver: driver.person, number: number, place: driver.place, kitchens: cooking, stage: stage)
                group.addTask { await stage.play("driver \(number)", day) }
            }
            for (number, kitchen) in kitchens.enumerated() {
                let day = KitchenScript(kitchen: kitchen, perth: perth, stage: stage)
                group.addTask { await stage.play("restaurant \(number)", day) }
            }
        }
    }

    private var people: (customers: [Newcomer], providers: [Newcomer]) {
        (riders.map(\.person), drivers.map(\.person) + kitchens.map(\.owner))
    }

    func audit() async throws -> Report {
        try await TownAudit(
            stage: stage, customers: people.customers, providers: people.providers, before: before,
            longest: .seconds(240)
        ).report()
    }

    func close() async {
        await withDiscardingTaskGroup { group in
            for driver in drivers {
                // try?: of who has an order still, the report has told already.
                group.addTask { try? await driver.person.phone.setAvailable(false, in: RideTown.market) }
            }
            for kitchen in kitchens {
                // try?: as above.
                group.addTask { try? await perth.setOpen(false, kitchen) }
            }
        }
        await Newcomer.close(people.customers + people.providers)
    }
}

extension Newcomer {
    static func close(_ people: [Newcomer]) async {
        await withDiscardingTaskGroup { group in
            for person in people { group.addTask { await person.stream.close() } }
        }
    }
}
