import Contracts
import Foundation
import Phones
import SeraiJSON
import TestKit
import Testing

@Suite("Leaving", .platform(), .timeLimit(.minutes(15)))
struct DeletionFlowTests {
    private struct Deletion: Decodable, Sendable {
        let deletion: UUID
        let state: String
    }

    private struct People: Decodable, Sendable {
        struct Item: Decodable, Sendable { let account: UUID }
        let items: [Item]
    }

    private func ask(_ customer: CustomerPhone) async throws -> UUID {
        let call = try Call.post("/identity/v1/accounts/me/deletion", ["password": customer.person.password])
        return try await customer.phone.send(call).decode(Deletion.self).deletion
    }

    private func outcome(_ deletion: UUID, _ phone: Phone) async throws -> String {
        try await phone.send(Call.get("/identity/v1/deletions/\(deletion.path)").anonymous()).decode(Deletion.self)
            .state
    }

    @Test("I12, P12: a deletion is refused while an order is open, is granted after it, and the name is nowhere left")
    func whole() async throws {
        let pair = try await Pair.meet()
        let customer = pair.customer
        let order = try await pair.requested()
        let first = try await ask(customer)
        try await eventually("the deletion is refused") { try await outcome(first, customer.phone) == "refused" }
        do {
            _ = try await customer.phone.send(.get("/identity/v1/accounts/me/deletion"))
            Issue.record("it was not refused")
        } catch let refusal as Refusal {
            #expect(refusal.slug == "deletion-refused" && refusal.fields.map(\.code) == ["open-order"])
            #expect(refusal.fields.first?.detail?.isEmpty == false)
        }
        try await eventually("the inbox tells of it") {
            try await customer.phone.inbox().contains { $0.subject == "Your account was not deleted" }
        }
        // All goes on as before.
        try await customer.phone.act("cancel", on: order)
        try await pair.both(order, .cancelled)
        let second = try await pair.requested()
        try await customer.phone.act("cancel", on: second)
        try await pair.both(second, .cancelled)

        let last = try await ask(customer)
        try await eventually("the deletion is granted") { try await outcome(last, pair.provider.phone) == "granted" }
        try await refuses(401) {
            try await customer.phone.signIn(login: customer.person.email, password: customer.person.password)
        }
        try await refuses(401) { try await customer.phone.send(.get("/identity/v1/accounts/me")) }
        try await eventually("the other party sees no name") {
            try await pair.provider.phone.order(order).snapshot.customer.name == AccountSnapshot.goneName
        }
        try await eventually("the admins' list does not have the person") {
            let people = try await pair.desk.phone.send(.get("/admin/v1/markets/assef/people?name=Omar"))
                .decode(People.self)
            return !people.items.contains { $0.account == customer.account }
        }
    }

    @Test("I12, I14: after a deletion no table has the person's name, contacts or words, nor others' words about it")
    func forgotten() async throws {
        let platform = try Platform.ofSuite()
        let pair = try await Pair.meet(name: "Zumurruda Qasimiyya")
        let (customer, words) = (pair.customer, "cobalt heron")
        struct Place: Encodable {
            let market: String
            let label: String
            let name: String
            let description: String
            let coordinates: Coordinate
        }
        try await customer.phone.send(
            try .post(
                "/identity/v1/accounts/me/places",
                Place(
                    market: Pair.market.id, label: "home", name: "\(words) one", description: "\(words) two",
                    coordinates: Pair.home)))
        let reported = try await pair.requested(description: "\(words) three")
        try await customer.phone.report(reported, "other", note: "\(words) four", cancels: true)
        try await pair.both(reported, .cancelled)
        let done = try await pair.completed()
        try await customer.phone.rate(done, stars: 4, comment: "\(words) five")
        // What others have written and searched for about the person.
        try await pair.provider.phone.rate(done, stars: 3, comment: "\(words) six")
        try await pair.provider.phone.report(done, "other", note: "\(words) seven", cancels: false)
        let name = customer.person.name.replacing(" ", with: "%20")
        _ = try await pair.desk.phone.send(.get("/admin/v1/markets/\(Pair.market.id)/people?name=\(name)"))
        func found() async throws -> [String] {
            let secrets = [customer.person.name, customer.person.email, customer.person.mobile, words].map(Secret.init)
            // Entries of other people's streams end with their retention, a few days later.
            return try await EverythingStored.rows(platform.database).filter { row in
                !row.hasPrefix("notifications.stream_events ") && secrets.contains { $0.isIn(row) }
            }
        }
        // The search finds what is there, in every service but notifications, where contacts are sealed.
        let before = Set(try await found().compactMap { $0.split(separator: ".").first.map(String.init) })
        #expect(before.isSuperset(of: ["identity", "dispatch", "wallet", "admin"]), "\(before)")
        #expect(try await found().allSatisfy { !$0.hasPrefix("admin.audit ") })
        let deletion = try await ask(customer)
        try await eventually("the deletion is granted") {
            try await outcome(deletion, pair.provider.phone) == "granted"
        }
        try await eventually(
            within: .seconds(60), "nothing is left", poll: .milliseconds(500), value: { try await found() }
        ) { $0.isEmpty }
    }

    @Test("I12: money in the wallet keeps an account from being deleted")
    func balance() async throws {
        let pair = try await Pair.meet()
        try await pair.fill(5_000)
        let deletion = try await ask(pair.customer)
        try await eventually("the deletion is refused") {
            try await outcome(deletion, pair.customer.phone) == "refused"
        }
        #expect(try await pair.customer.phone.balance(in: Pair.market.defaults.currency) == 5_000)
        do {
            _ = try await pair.customer.phone.send(.get("/identity/v1/accounts/me/deletion"))
            Issue.record("it was not refused")
        } catch let refusal as Refusal {
            #expect(refusal.fields.map(\.code) == ["balance"])
        }
    }
}
