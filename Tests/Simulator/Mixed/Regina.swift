import Contracts
import Foundation
import Phones

/// Regina: care partners whom the desk sends, and visits that come again.
struct ReginaTroupe: Troupe {
    static let wishes: Set<Wish> = [.care, .series]

    var observations: Observations { stage.observations }
    private let stage: Stage
    private let clients: [Payer]
    private let partners: [Newcomer]
    private let free: (clients: Pool<Payer>, partners: Pool<Newcomer>)
    private let before: TrialBalance.Currency?

    static let settings: [MarketSettings.Key: String] = [
        .openingHours: "always", .paymentWindowSeconds: "30", .deskWindowSeconds: "60", .deskWarningSeconds: "30",
        .assignmentWindowSeconds: "20", .arrivalWindowSeconds: "40", .completionWindowSeconds: "40",
    ]
    private static let filling = 100_000

    init(_ scene: Scene) async throws {
        let stage = scene.stage(of: .edencare)
        self.stage = stage
        before = try await scene.desk.ledger(of: stage.market.defaults.currency)
        let wishes: [Wish] = [.care, .series]
        let count = wishes.map { $0.people(of: scene.customers, atLeast: 2) }.reduce(0, +)
        clients = try await Cast.parallel(count) { number in
            let person = try await Newcomer.byLink(
                "Client \(number)", in: stage.market.id, living: CareScript.home, of: stage.town)
            return try await Payer.ready(person, with: Self.filling, in: stage.market.id)
        }
        partners = try await Cast.parallel(Wish.care.people(of: scene.providers, atLeast: 3)) { number in
            try await Newcomer.invited(
                "Partner \(number)", title: "care-partner", in: stage.market.id, by: scene.desk, of: stage.town)
        }
        free = (Pool(clients), Pool(partners))
    }

    func play(_ wish: Wish, _ number: Int) async {
        let client = await free.clients.take()
        if wish == .series {
            await stage.play("series \(number)", SeriesScript(client: client, number: number, stage: stage))
        } else {
            let partner = await free.partners.take()
            await stage.play(
                "care visit \(number)", CareScript(client: client, partner: partner, number: number, stage: stage))
            await free.partners.giveBack(partner)
        }
        stage.ended()
        await free.clients.giveBack(client)
    }

    /// Partners do their part in each visit's script.
    func work() async {}

    func audit() async throws -> Report {
        try await TownAudit(
            stage: stage, customers: clients.map(\.person), providers: partners, before: before,
            longest: .seconds(240)
        ).report()
    }

    func close() async { await Newcomer.close(clients.map(\.person) + partners) }
}
