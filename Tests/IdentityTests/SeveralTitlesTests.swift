import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("B2: a driver who has a restaurant in the same market", .timeLimit(.minutes(15)))
struct SeveralTitlesTests {
    /// Perth's, with one paper of each title, and without billing addresses.
    private static let onboarding: Market.Onboarding = {
        var onboarding = Market.Onboarding.btnc
        onboarding.billingAddressOf = []
        onboarding.papers = onboarding.papers.filter { ["licence", "food-licence"].contains($0.id) }
        return onboarding
    }()

    private static let kitchen: JSONValue = [
        "businessNumber": "51 824 753 556", "contactPerson": "Sara", "contactMobile": "+61 400 000 000",
        "contactEmail": "sara@hay.example", "businessAddress": "1 Hay Street, Perth",
    ]

    /// A rider and driver who asks for a restaurant, too.
    private struct Scene: Sendable {
        let world: World
        let owner: Tokens
        let admin: Tokens
        private static let own = "accounts/me/providers/btnc"

        static func make(_ world: World) async throws -> Scene {
            var person = Person.provider("driver")
            person.market = "btnc"
            let made = try await world.post(
                "accounts", person.with(["birthDate": "1990-05-17", "details": Person.driverDetails]))
            try #require(made.status == 201, "\(made)")
            let owner = try await world.logIn(person)
            for (role, title, details) in [("customer", nil, nil), ("provider", "restaurant", kitchen)]
                as [(String, String?, JSONValue?)]
            {
                var body: [String: JSONValue] = ["market": "btnc", "role": .string(role), "terms": "2026-01"]
                if let title { body["title"] = .string(title) }
                if let details { body["details"] = details }
                let added = try await world.post("accounts/me/roles", .object(body), token: owner.access)
                try #require(added.status == 201, "\(added)")
            }
            return Scene(
                world: world, owner: try await world.logIn(person), admin: try await world.admin(of: "btnc"))
        }

        func papers(_ title: String? = nil, by admin: Bool = false) async throws -> Answer {
            let query = title.map { "?title=\($0)" } ?? ""
            let path = admin ? "markets/btnc/providers/\(owner.account.text)/papers" : Self.own
            return try await world.send(
                "GET", "v1/\(path)\(query)", token: admin ? self.admin.access : owner.access)
        }

        /// Brings a paper, and an admin verifies it.
        func bring(_ kind: String) async throws {
            let sent = try await world.upload(
                "\(Self.own)/documents/\(kind)", SampleFiles.pdf, as: "application/pdf", token: owner.access)
            try #require(sent.status == 200, "\(sent)")
            let id = try #require(try await document(kind))
            let decided = try await world.post(
                "markets/btnc/providers/\(owner.account.text)/documents/\(id)/decision",
                ["decision": "verify", "expiresOn": "2099-01-01"], token: admin.access)
            try #require(decided.status == 200, "\(decided)")
        }

        func document(_ kind: String) async throws -> String? {
            guard case .array(let documents)? = try await papers().json?["documents"] else { return nil }
            let found = documents.first { $0["kind"] == .string(kind) }
            guard case .string(let id)? = found?["document"] else { return nil }
            return id
        }

        func verify(_ title: String) async throws -> Int {
            try await world.verify(owner.account, by: admin, in: "btnc", title: title).status
        }

        func states() async throws -> [String: Bool] {
            let account = try await world.pool.withTransaction { try await Accounts.lock(owner.account, in: $0) }
            let told = AccountSnapshot(account, at: world.clock.now)
            let roles = told.roles.filter { $0.role == "provider" }
            return Dictionary(roles.map { ($0.title ?? "", $0.verified) }) { first, _ in first }
        }
    }

    @Test(
        "B2, P1: an account drives, has a restaurant and rides; each title has its papers, its details and its decision"
    )
    func whole() async throws {
        try await World.run(onboarding: Self.onboarding) { world async throws in
            let scene = try await Scene.make(world)
            #expect(try await scene.states() == ["driver": false, "restaurant": false])
            // Details are each title's own, and the car is the driver's.
            let (driver, kitchen) = (try await scene.papers(), try await scene.papers("restaurant"))
            #expect(driver.json?["provider"]?["title"] == "driver")
            #expect(
                driver.json?["details"]?["vehiclePlate"] == "1ABC 234"
                    && driver.json?["details"]?["contactPerson"] == nil)
            #expect(kitchen.json?["details"]?["contactEmail"] == "sara@hay.example")
            #expect(kitchen.json?["details"]?["vehiclePlate"] == nil && kitchen.json?["missing"] == ["food-licence"])
            #expect(try await scene.papers("restaurant", by: true).json?["missing"] == ["food-licence"])
            try await scene.bring("food-licence")
            #expect(try await scene.verify("driver") == 409)
            #expect(try await scene.verify("restaurant") == 200)
            #expect(try await scene.states() == ["driver": false, "restaurant": true])
            try await scene.bring("licence")
            #expect(try await scene.verify("driver") == 200)
            #expect(try await scene.states() == ["driver": true, "restaurant": true])
            let verified = try #require(try await world.events(ProviderVerified.self).last?.account)
            #expect(verified.roles.count == 3)
            #expect(verified.roles.first { $0.title == "driver" }?.car?.plate == "1ABC 234")
            #expect(verified.roles.first { $0.title == "restaurant" }?.car == nil)
            // One role of the token, whichever titles there are.
            let token = try await world.bootstrap.tokenVerifier().verify(scene.owner.access)
            #expect(token.roles.count == 2)
            // Both stand in the list, over the border of a page.
            var path = "v1/markets/btnc/providers?state=verified&limit=1"
            let first = try await world.send("GET", path, token: scene.admin.access)
            guard case .string(let next)? = first.json?["next"] else {
                Issue.record("\(first)")
                return
            }
            path += "&cursor=\(next)"
            let second = try await world.send("GET", path, token: scene.admin.access)
            #expect(Set([first.items.first?["title"], second.items.first?["title"]]) == ["driver", "restaurant"])
        }
    }

    @Test("B2, B5: losing the licence leaves the restaurant open, and a rejection says which title is meant")
    func apart() async throws {
        try await World.run(onboarding: Self.onboarding) { world async throws in
            let scene = try await Scene.make(world)
            for kind in ["food-licence", "licence"] { try await scene.bring(kind) }
            for title in ["driver", "restaurant"] { #expect(try await scene.verify(title) == 200) }
            // Changed details of one leave the other.
            let changed = try await world.send(
                "PUT", "v1/accounts/me/providers/btnc/details?title=restaurant", ["details": Self.kitchen],
                token: scene.owner.access)
            #expect(changed.status == 200 && changed.json?["provider"]?["state"] == "verified", "\(changed)")
            let licence = try #require(try await scene.document("licence"))
            let lapse = LapseDocuments(documents: world.parts.documents)
            try await world.pool.withTransaction { transaction in
                try await lapse.fire(
                    Deadline(kind: LapseDocuments.kind, subject: licence.lowercased(), dueAt: Date()),
                    at: Date(timeIntervalSince1970: 4_100_000_000), in: transaction)
            }
            #expect(try await scene.states() == ["driver": false, "restaurant": true])
            let path = "markets/btnc/providers/\(scene.owner.account.text)/verification"
            let vague = try await world.post(
                path, ["decision": "reject", "reason": "Dirty kitchen"], token: scene.admin.access)
            #expect(vague.fields == ["/title": "required"])
            let rejected = try await world.post(
                path, ["decision": "reject", "title": "restaurant", "reason": "Dirty kitchen"],
                token: scene.admin.access)
            #expect(rejected.status == 200 && rejected["title"] == "restaurant", "\(rejected)")
            #expect(try await scene.papers().json?["provider"]?["state"] == "waiting")
            #expect(try await scene.papers("restaurant").json?["provider"]?["state"] == "rejected")
        }
    }

    @Test(
        "B2, O4: who drives and has a restaurant has stars as each; a meal's stars for the service are the restaurant's"
    )
    func stars() async throws {
        try await World.run(onboarding: Self.onboarding) { world async throws in
            let scene = try await Scene.make(world)
            for kind in ["food-licence", "licence"] { try await scene.bring(kind) }
            for title in ["driver", "restaurant"] { #expect(try await scene.verify(title) == 200) }
            let (me, courier) = (scene.owner.account, UUID.timeOrdered())
            func rate(_ stars: Int, service: Int?, to: UUID, merchant: UUID?) async throws {
                let rating = RatingGiven(
                    order: .timeOrdered(), market: "btnc", from: .timeOrdered(), to: to, by: .customer, stars: stars,
                    serviceStars: service, comment: nil, merchant: merchant, at: world.clock.now)
                try await world.pool.withTransaction { AccountHandlers.rated(rating, in: $0) }
            }
            // As a driver; then meals of the own restaurant: carried by another one, without stars for the service, and
            // carried by nobody.
            try await rate(2, service: 3, to: me, merchant: nil)
            try await rate(1, service: 5, to: courier, merchant: me)
            try await rate(1, service: nil, to: courier, merchant: me)
            try await rate(4, service: nil, to: me, merchant: me)
            let path = "v1/markets/btnc/people"
            let page = try await world.send("GET", "\(path)/\(me.text)", token: scene.owner.access)
            let listed = try await world.send("GET", path, token: scene.admin.access)
            for roles in [page.json?["roles"], listed.items.first?["roles"]] {
                guard case .array(let roles)? = roles else {
                    Issue.record("\(page) \(listed)")
                    continue
                }
                func rating(_ title: JSONValue) -> JSONValue? { roles.first { $0["title"] == title }?["rating"] }
                #expect(rating("driver") == ["average": 2, "count": 1], "\(roles)")
                #expect(rating("restaurant") == ["average": 4.5, "count": 2], "\(roles)")
            }
        }
    }

    @Test("B2: the owner says which of the two the apps show; another account of work is no third title")
    func modes() async throws {
        try await World.run(onboarding: Self.onboarding) { world async throws in
            let scene = try await Scene.make(world)
            func show(_ title: String?) async throws -> Answer {
                var body: [String: JSONValue] = ["market": "btnc", "role": "provider"]
                if let title { body["title"] = .string(title) }
                return try await world.send(
                    "PUT", "v1/accounts/me/active-role", .object(body), token: scene.owner.access)
            }
            #expect(try await show("restaurant").json?["active"]?["title"] == "restaurant")
            #expect(try await show("driver").json?["active"]?["title"] == "driver")
            #expect(try await show("nurse").fields == ["/role": "not-your-role"])
            let again = try await world.post(
                "accounts/me/roles",
                [
                    "market": "btnc", "role": "provider", "title": "restaurant", "terms": "2026-01",
                    "details": Self.kitchen,
                ], token: scene.owner.access)
            #expect(again.status == 409, "\(again)")
        }
    }

    @Test("B2: a title that becomes one of the other kind leaves no role behind, and one that there is moves nothing")
    func changed() throws {
        let driver = Role.provider(in: "btnc", title: "driver")
        var account = Account(
            id: .timeOrdered(), name: PersonName(stored: "Robin"), gender: nil, language: .english, role: driver)
        let change = PersonChange(name: nil, gender: nil, language: nil, title: "restaurant")
        #expect(try account.correct(change, in: "btnc"))
        #expect(account.providers(in: "btnc").map(\.title) == ["restaurant"])
        try account.add(driver)
        #expect(try !account.correct(change, in: "btnc"))
        #expect(account.providers(in: "btnc").map(\.title) == ["restaurant", "driver"])
        #expect(account.role(.provider, in: "btnc")?.title == "driver")
        #expect(throws: AccountError.severalTitles) { try account.decide(.reject(reason: "old"), in: "btnc") }
    }
}
