import Contracts
import Foundation
import Phones

/// Two friends in Makkah, of whom one shows for a while where she is.
struct Friends: Sendable {
    let one: Newcomer
    let other: Newcomer
}

struct FriendsScript: Script {
    let friends: Friends
    let number: Int
    let stage: Stage

    private static let own = "/identity/v1/accounts/me/shared-place"
    static let links = "/identity/v1/accounts/me/links"

    private struct Place: Encodable {
        let latitude: Double
        let longitude = 39.8262
        var minutes: Int?
    }

    private struct Links: Decodable, Sendable {
        struct Item: Decodable, Sendable {
            struct Other: Decodable, Sendable {
                struct Place: Decodable, Sendable {}
                let place: Place?
            }
            let other: Other
        }
        let items: [Item]
    }

    func run() async throws {
        var generator = stage.generator("friends", number)
        let start = Double.random(in: 21.41...21.43, using: &generator)
        stage.observations.update { $0.shares += 1 }
        let phone = friends.one.phone
        try await phone.send(try .put(Self.own, Place(latitude: start, minutes: 60)))
        try await seen { $0 }
        for step in 1...3 {
            let latitude = start + Double(step) / 10_000
            try await phone.send(try .post("\(Self.own)/position", Place(latitude: latitude)))
            try await Task.sleep(for: .milliseconds(500))
        }
        try await phone.send(.delete(Self.own))
        try await seen { !$0 }
        stage.observations.update { $0.sharesEnded += 1 }
    }

    /// What the other one reads: a position itself comes at once or never, but whether one is shown is for sure.
    private func seen(_ isRight: (_ isShown: Bool) -> Bool) async throws {
        let reader = friends.other.phone
        try await reader.until("a friend's place is shown or gone", within: stage.patience) {
            let links = try await reader.send(.get(Self.links)).decode(Links.self)
            return isRight(links.items.contains { $0.other.place != nil })
        }
    }
}
