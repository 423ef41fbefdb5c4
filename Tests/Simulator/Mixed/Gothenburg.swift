import Contracts
import Foundation
import Phones

/// Gothenburg: parcels on a board, with deposits.
struct GothenburgTroupe: Troupe {
    static let wishes: Set<Wish> = [.parcel]

    var observations: Observations { stage.observations }
    private let scene: Scene
    private let stage: Stage
    private let owners: [Payer]
    private let carriers: [Payer]
    private let free: (owners: Pool<Payer>, carriers: Pool<Payer>)
    private let before: TrialBalance.Currency?

    static let settings: [MarketSettings.Key: String] = [
        .paymentWindowSeconds: "30", .searchWindowSeconds: "40", .depositWindowSeconds: "15",
        .arrivalWindowSeconds: "40", .completionWindowSeconds: "40", .confirmationWindowSeconds: "15",
    ]
    private static let filling = 100_000

    init(_ scene: Scene) async throws {
        self.scene = scene
        let stage = scene.stage(of: .carrepsa)
        self.stage = stage
        before = try await scene.desk.ledger(of: stage.market.defaults.currency)
        func gather(_ role: String, _ count: Int) async throws -> [Payer] {
            try await Cast.parallel(count) { number in
                let person = try await Newcomer.byCode(
                    "\(role) \(number)", as: role, in: stage.market.id, of: stage.town)
                return try await Payer.ready(person, with: Self.filling, in: stage.market.id)
            }
        }
        owners = try await gather("customer", Wish.parcel.people(of: scene.customers, atLeast: 3))
        carriers = try await gather("provider", Wish.parcel.people(of: scene.providers, atLeast: 3))
        free = (Pool(owners), Pool(carriers))
        // Dispatch hears by a message that their numbers are confirmed.
        for carrier in carriers {
            try await carrier.phone.until("dispatch knows the carrier", within: .seconds(60)) {
                do {
                    let centre = ParcelScript.centre
                    let place = "latitude=\(centre.latitude)&longitude=\(centre.longitude)"
                    try await carrier.phone.send(.get("/dispatch/v1/markets/\(stage.market.id)/board?\(place)"))
                    return true
                } catch let refusal as Refusal where refusal.status == 403 {
                    return false
                }
            }
        }
    }

    func play(_ wish: Wish, _ number: Int) async {
        let owner = await free.owners.take()
        let carrier = await free.carriers.take()
        var generator = stage.generator("place", number)
        let place = Coordinate(
            latitude: ParcelScript.centre.latitude + Double.random(in: -0.02...0.02, using: &generator),
            longitude: ParcelScript.centre.longitude + Double.random(in: -0.02...0.02, using: &generator))
        await stage.play(
            "parcel \(number)",
            ParcelScript(owner: owner, carrier: carrier, place: place, number: number, stage: stage))
        stage.ended()
        await free.owners.giveBack(owner)
        await free.carriers.giveBack(carrier)
    }

    /// Carriers do their part in each parcel's script.
    func work() async {}

    func audit() async throws -> Report {
        try await TownAudit(
            stage: stage, customers: owners.map(\.person), providers: carriers.map(\.person), before: before,
            longest: .seconds(240)
        ).report()
    }

    func close() async { await Newcomer.close((owners + carriers).map(\.person)) }
}
