import Contracts
import Foundation
import Messaging
import Phones

/// Two pilgrims in Makkah, step by step: they read the times of prayer without an account, become friends, one sees where the
/// other is, and they write to each other in a group. No money is in it.
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
            let link: UUID
            let state: String
            let other: Other
        }
        let items: [Item]
    }

    private struct Title: Encodable { let title: String }
    private struct Invitation: Encodable { let link: UUID }
    private struct Group: Decodable, Sendable { let group: UUID }
    private struct Said: Encodable { let text: String }

    private struct Talks: Decodable, Sendable {
        struct Item: Decodable, Sendable { let conversation: UUID }
        let items: [Item]
    }

    private struct Messages: Decodable, Sendable {
        struct Item: Decodable, Sendable {
            let from: String
            let text: String?
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
        try await travelTogether(omar, laila, journal)
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

    private func travelTogether(_ omar: Newcomer, _ laila: Newcomer, _ journal: Journal) async throws {
        let groups = "/identity/v1/accounts/me/groups"
        let links = try await omar.phone.send(.get("/identity/v1/accounts/me/links")).decode(Links.self)
        guard let link = links.items.first?.link else { throw NotAsItMustBe(description: "the friend is gone") }
        let group = try await omar.phone.send(try .post(groups, Title(title: "Bus 7"))).decode(Group.self).group
        try await omar.phone.send(try .post("\(groups)/\(group.text)/members", Invitation(link: link)))
        try await journal.step("omar", "makes the group «Bus 7» and asks Laila into it")
        try await laila.phone.send(try .post("\(groups)/\(group.text)/agreement"))
        try await journal.step("laila", "joins it")
        let talks = "/notifications/v1/conversations"
        let conversation = try await talk(of: group, laila)
        try await laila.phone.send(
            try .put("\(talks)/\(conversation.text)/messages/\(UUID.timeOrdered().text)", Said(text: "By the gate")))
        let read = try await omar.phone.send(.get("\(talks)/\(try await talk(of: group, omar).text)/messages"))
            .decode(Messages.self)
        guard read.items.map(\.text) == ["By the gate"], read.items.first?.from == "member-1" else {
            throw NotAsItMustBe(description: "the group does not read what Laila has written")
        }
        try await journal.step("laila", "writes to the group, and Omar reads it")
    }

    /// The talk of a group that one is in, as soon as it is there.
    private func talk(of group: UUID, _ member: Newcomer) async throws -> UUID {
        var found: UUID?
        try await member.phone.until("the group has a talk") {
            found = try await member.phone.send(
                .get("/notifications/v1/conversations", query: [("group", group.text)])
            ).decode(Talks.self).items.first?.conversation
            return found != nil
        }
        guard let found else { throw NotAsItMustBe(description: "a group has no talk") }
        return found
    }

    private func seen(_ reader: Newcomer, at latitude: Double?, of friend: Newcomer) async throws {
        _ = try await reader.stream.log.first("the friend's place") { entry -> Bool? in
            guard case .friendPlace(let place) = entry.event, place.account == friend.account else { return nil }
            return place.latitude == latitude ? true : nil
        }
    }
}
