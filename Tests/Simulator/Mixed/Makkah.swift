import Contracts
import Foundation
import Messaging
import Phones

/// Makkah: pilgrims who order nothing, and show their friends where they are.
struct MakkahTroupe: Troupe {
    static let wishes: Set<Wish> = [.friends]

    var observations: Observations { stage.observations }
    private let stage: Stage
    private let pairs: [Friends]
    private let pool: Pool<Friends>
    /// What was in the inboxes before the first wish.
    private let earlier: Set<String>

    private struct Ask: Encodable {
        let kind = "friend"
        let mobile: String
    }

    private struct Link: Decodable, Sendable { let link: UUID }

    init(_ scene: Scene) async throws {
        let stage = scene.stage(of: .hajji)
        self.stage = stage
        pairs = try await Cast.parallel(Wish.friends.people(of: scene.customers, atLeast: 2)) { number in
            func pilgrim(_ name: String) async throws -> Newcomer {
                try await Newcomer.byCode("\(name) \(number)", as: "customer", in: stage.market.id, of: stage.town)
            }
            let friends = Friends(one: try await pilgrim("Laila"), other: try await pilgrim("Omar"))
            let ask = Ask(mobile: friends.one.person.mobile)
            let link = try await friends.other.phone.send(try .post(FriendsScript.links, ask)).decode(Link.self)
            try await friends.one.phone.send(try .post("\(FriendsScript.links)/\(link.link.path)/agreement"))
            return friends
        }
        pool = Pool(pairs)
        var earlier: Set<String> = []
        for person in pairs.flatMap({ [$0.one, $0.other] }) {
            earlier.formUnion(try await person.phone.inbox().map(\.id))
        }
        self.earlier = earlier
    }

    func play(_ wish: Wish, _ number: Int) async {
        let friends = await pool.take()
        await stage.play("friends \(number)", FriendsScript(friends: friends, number: number, stage: stage))
        stage.ended()
        await pool.giveBack(friends)
    }

    func work() async {}

    /// Shares take the place of orders. One whose phone got no answer in time is left to its minutes, and told among the
    /// surprises.
    func audit() async throws -> Report {
        var report = Report(market: stage.market.id, seed: stage.seed)
        let seen = observations.now
        report.surprises = seen.surprises
        report.orders = seen.shares
        report.completed = seen.sharesEnded
        report.customers = pairs.count * 2
        for person in pairs.flatMap({ [$0.one, $0.other] }) {
            let inbox = try await person.phone.inbox().filter { !earlier.contains($0.id) }
            let audit = StreamAudit(StreamAudit.said(person.stream.log), finals: [:], inbox: inbox.map(\.id))
            report.expectedNotifications += inbox.count
            report.lostNotifications += audit.lost.count
            report.duplicateNotifications += audit.duplicates.count
        }
        return report
    }

    func close() async { await Newcomer.close(pairs.flatMap { [$0.one, $0.other] }) }
}
