import Contracts
import Foundation
import Messaging
import Phones

/// Two pilgrims in Makkah, step by step: they read the times of prayer without an account, become friends, and one sees where the
/// other is. No money is in it.
struct Pilgrims {
    let town: Newcomer.Town
    let desk: AdminDesk
    let people: Acquaintances
    let tell: @Sendable (String) -> Void

    private static let market = Market.hajji

    private struct Ask: Encodable {
        let kind = "friend"
        let mobile: String
    }

    private struct Place: Encodable {
        let latitude: Double
        let longitude = 39.8262
        var minutes: Int?
    }

    private struct Link: Decodable, Sendable {
        let link: UUID
        let state: String
    }

    private struct Links: Decodable, Sendable {
        struct Item: Decodable, Sendable {
            struct Other: Decodable, Sendable {
                struct Place: Decodable, Sendable { let latitude: Double }
                let name: String?
                let mobile: String?
                let place: Place?
            }
            let state: String
            let other: Other
        }
        let items: [Item]
    }

    private struct NextPrayer: Decodable, Sendable {
        struct Next: Decodable, Sendable { let prayer: String }
        let next: Next?
    }

    private struct Weather: Decodable, Sendable {
        let temperature: Double
        let condition: String
    }

    func walk() async throws {
        let journal = try await Journal(of: Self.market, desk: desk, people: people, tell: tell)
        try await readGuide(journal)
        let omar = try await Newcomer.byCode("Omar Saleh", as: "customer", in: Self.market.id, of: town)
        journal.meet("omar", omar.phone, omar.person)
        let laila = try await Newcomer.byCode("Laila Noor", as: "customer", in: Self.market.id, of: town)
        journal.meet("laila", laila.phone, laila.person)
        try await journal.step("both", "register for their friends' sake, and show the codes of their SMS")
        try await makeFriends(omar, laila, journal)
        try await share(omar, laila, journal)
        await omar.stream.close()
        await laila.stream.close()
    }

    private func readGuide(_ journal: Journal) async throws {
        let guide = "/admin/v1/guide"
        let visitor = Phone(desk.phone.network)
        let next = try await visitor.send(Call.get("\(guide)/next-prayer?city=makkah").anonymous())
            .decode(NextPrayer.self)
        guard let prayer = next.next?.prayer else { throw NotAsItMustBe(description: "Makkah has no next prayer") }
        try await journal.step("visitor", "reads without an account that «\(prayer)» is next in Makkah")
        let weather = try await visitor.send(Call.get("\(guide)/weather?city=makkah").anonymous())
            .decode(Weather.self)
        try await journal.step("visitor", "and the weather: \(weather.temperature) °C, \(weather.condition)")
    }

    private func makeFriends(_ omar: Newcomer, _ laila: Newcomer, _ journal: Journal) async throws {
        let links = "/identity/v1/accounts/me/links"
        let link = try await omar.phone.send(try .post(links, Ask(mobile: laila.person.mobile))).decode(Link.self)
        let before = try await omar.phone.send(.get(links)).decode(Links.self)
        guard before.items.map(\.other.name) == [nil] else {
            throw NotAsItMustBe(description: "whoever asks for a number is told whose it is")
        }
        try await journal.step("omar", "asks Laila by her number, and is not told whose it is")
        let agreed = try await laila.phone.send(try .post("\(links)/\(link.link.text)/agreement")).decode(Link.self)
        guard agreed.state == "confirmed" else { throw NotAsItMustBe(description: "friends are \(agreed.state)") }
        let after = try await omar.phone.send(.get(links)).decode(Links.self)
        guard after.items.first?.other.mobile == laila.person.mobile else {
            throw NotAsItMustBe(description: "a friend's number is not shown")
        }
        try await journal.step("laila", "agrees: each has the other's number now")
    }

    private func share(_ omar: Newcomer, _ laila: Newcomer, _ journal: Journal) async throws {
        let path = "/identity/v1/accounts/me/shared-place"
        try await laila.phone.send(try .put(path, Place(latitude: 21.4225, minutes: 60)))
        try await seen(omar, at: 21.4225, of: laila)
        try await journal.step("laila", "shares for an hour where she is; Omar sees it at once")
        try await laila.phone.send(try .post("\(path)/position", Place(latitude: 21.4241)))
        try await seen(omar, at: 21.4241, of: laila)
        try await journal.step("laila", "walks on, and he sees her move")
        try await laila.phone.send(.delete(path))
        try await seen(omar, at: nil, of: laila)
        let links = try await omar.phone.send(.get("/identity/v1/accounts/me/links")).decode(Links.self)
        guard links.items.first?.other.place == nil else {
            throw NotAsItMustBe(description: "a place is shown that is shared no more")
        }
        try await journal.step("laila", "shares it no more, and it is gone")
    }

    private func seen(_ reader: Newcomer, at latitude: Double?, of friend: Newcomer) async throws {
        _ = try await reader.stream.log.first("the friend's place") { entry -> Bool? in
            guard case .friendPlace(let place) = entry.event, place.account == friend.account else { return nil }
            return place.latitude == latitude ? true : nil
        }
    }
}
