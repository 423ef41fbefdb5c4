import Contracts
import Foundation
import Phones

/// Riyadh: customers choose a nurse, who accepts, and pay afterwards. As in the simulation of this market alone.
struct AssefTroupe: Troupe {
    static let wishes: Set<Wish> = [.visit]

    let observations = Observations()
    private let scene: Scene
    private let market = Market.assef
    private let windows = Windows()
    private let cast: Cast
    private let pool: Pool<SimulatedCustomer>
    private let before: TrialBalance.Currency?

    static func settings(_ scene: Scene) -> [MarketSettings.Key: String] {
        BoundingBox(scene.pickups.map(\.place)).map { Windows().settings(area: $0) } ?? [:]
    }

    init(_ scene: Scene) async throws {
        self.scene = scene
        cast = try await Cast.gather(
            customers: Wish.visit.people(of: scene.customers, atLeast: 4),
            providers: Wish.visit.people(of: scene.providers, atLeast: 4), places: scene.pickups.map(\.place),
            desk: scene.desk, market: market.id, seed: scene.seed
        ) { _ in }
        pool = Pool(cast.customers)
        // The platform has the prices of the providers' subscriptions by now.
        before = try await scene.desk.ledger(of: market.defaults.currency)
    }

    func play(_ wish: Wish, _ number: Int) async {
        guard let pickup = scene.pickups.around(number) else { return }
        let customer = await pool.take()
        await CustomerScript(
            customer: customer, behaviour: CustomerBehaviour(seed: scene.seed, order: number), place: pickup.place,
            seed: scene.seed, number: number, windows: windows, observations: observations
        ).run()
        await pool.giveBack(customer)
    }

    func work() async {
        await withDiscardingTaskGroup { group in
            for (number, provider) in cast.providers.enumerated() {
                group.addTask {
                    await ProviderScript(
                        provider.phone, number: number, at: provider.place, seed: scene.seed, windows: windows,
                        observations: observations
                    ).run()
                }
            }
        }
    }

    func audit() async throws -> Report {
        var report = try await Audit(
            network: scene.network, desk: scene.desk, market: market, cast: cast, observations: observations,
            windows: windows, before: before, skew: scene.skew
        ).report()
        report.seed = scene.seed
        report.customers = cast.customers.count
        report.providers = cast.providers.count
        return report
    }

    func close() async {
        await cast.goHome()
        await cast.close()
    }
}
