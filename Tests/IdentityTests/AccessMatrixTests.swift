import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("The wrong person at every endpoint", .timeLimit(.minutes(15)))
struct AccessMatrixTests {
    private static let papers: Market.Onboarding = {
        var onboarding = Market.Onboarding()
        onboarding.papers = [.init("licence", ["en": "Licence"])]
        onboarding.publishesContact = true
        return onboarding
    }()

    @Test("Q7: at every operation of the document the wrong person sees and changes nothing of somebody else's")
    func matrix() async throws {
        try await World.run(["SERAI_HTTP_RATE_CALLER_BURST": "1000"], onboarding: Self.papers) { world async throws in
            let victim = try await Victim.make(world)
            let rows = Self.rows(victim)
            let document = try OpenAPIDocument(yaml: String(decoding: PackageResources.openapi_yaml, as: UTF8.self))
            // Whoever adds an operation says here who may not use it.
            #expect(document.operations == Set(rows.map(\.operation)))
            let nobody: Tokens? = nil
            let wrong = [
                nobody, try await world.join(Person()), try await world.join(.provider()),
                try await world.foreignAdmin(),
            ]
            let right = [try await world.admin(of: "assef"), try await world.admin(of: "*")]
            let before = try await world.pool.first(RowsOfAccount(account: victim.tokens.account))
            #expect(before?.contains(victim.ids["place"] ?? "none") == true)
            let secrets =
                Victim.secrets + [
                    victim.person.email, victim.person.mobile, victim.ids["place"] ?? "", victim.ids["session"] ?? "",
                ]
            for row in rows {
                var seen: [Int] = []
                for caller in wrong {
                    let answer = try await world.send(
                        row.method, row.path(victim.ids), row.body, token: caller?.access)
                    seen.append(answer.status)
                    let text = String(decoding: answer.bytes, as: UTF8.self)
                    for secret in secrets { #expect(!text.contains(secret), "\(row.operation) tells \(secret)") }
                }
                #expect(seen == row.wrong, "\(row.operation)")
            }
            try await expectReadingOnly(rows, victim, world)
            #expect(try await world.pool.first(RowsOfAccount(account: victim.tokens.account)) == before)
            for row in rows {
                guard let expected = row.right else { continue }
                var seen: [Int] = []
                for caller in right {
                    let body: JSONValue? = row.body == nil ? nil : [:]
                    seen.append(
                        try await world.send(row.method, row.path(victim.ids), body, token: caller.access).status)
                }
                #expect(seen == expected, "\(row.operation) by admins")
            }
        }
    }

    /// The market's support gets what its admin gets where it reads, without contacts, and is told that it does not
    /// act.
    private func expectReadingOnly(_ rows: [AccessRow], _ victim: Victim, _ world: World) async throws {
        let support = try await world.support(of: "assef")
        for row in rows where row.wrong == Self.forbidden {
            let body: JSONValue? = row.body == nil ? nil : [:]
            let answer = try await world.send(row.method, row.path(victim.ids), body, token: support.access)
            let isMasters = row.right?.first == 403
            if row.method == "GET" {
                #expect(answer.status == row.right?.first, "\(row.operation) by support: \(answer)")
                for contact in [victim.person.email, victim.person.mobile] {
                    #expect(!answer.description.contains(contact), "\(row.operation) tells support \(contact)")
                }
            } else {
                #expect(answer.status == 403, "\(row.operation) by support: \(answer)")
                #expect(answer.slug == (isMasters ? "forbidden" : "support-reads-only"), "\(row.operation)")
            }
        }
    }

    /// What nobody, a customer, a provider and another market's admin get of what a market's admins do.
    private static let forbidden = [401, 403, 403, 403]

    @Test("Q7: markets that there are not, and all of them, are nobody's but a master admin's")
    func markets() async throws {
        try await World.run { world async throws in
            let customer = try await world.join(Person())
            let foreign = try await world.foreignAdmin()
            let (admin, master) = (try await world.admin(of: "assef"), try await world.admin(of: "*"))
            let expected: [(String, [Int])] = [
                ("markets/atlantis/providers", [401, 403, 403, 403, 404]),
                ("markets/atlantis/people/\(customer.account.text)", [401, 403, 403, 403, 404]),
                // A market of which the customer is not.
                ("markets/hajji/people/\(customer.account.text)", [401, 403, 404, 403, 404]),
                ("markets/*/bans", [401, 403, 403, 403, 200]), ("markets/*/admins", [401, 403, 403, 403, 200]),
                ("markets/*/providers", [401, 403, 403, 403, 404]),
            ]
            for (path, statuses) in expected {
                var seen: [Int] = []
                for token in [nil, customer.access, foreign.access, admin.access, master.access] {
                    seen.append(try await world.send("GET", "v1/\(path)", token: token).status)
                }
                #expect(seen == statuses, "\(path)")
            }
        }
    }

    private static func rows(_ victim: Victim) -> [AccessRow] {
        anybody(victim) + own(victim) + links(victim) + ofMarket(victim) + operating + sessions(victim)
    }

    /// For admins of any market, and for master admins alone.
    private static let operating = [
        AccessRow("GET", "v1/system", [401, 403, 403, 200], right: [200, 200]),
        AccessRow("GET", "v1/dead-messages", [401, 403, 403, 403], right: [403, 200]),
        AccessRow("POST", "v1/dead-messages/retry", [:], [401, 403, 403, 403], right: [403, 200]),
        AccessRow(
            "GET", "v1/dead-messages/{message}", [401, 403, 403, 403], right: [403, 404], ids: ["message": noMessage]),
        AccessRow(
            "POST", "v1/dead-messages/{message}/retry", [401, 403, 403, 403], right: [403, 404],
            ids: ["message": noMessage]),
        AccessRow(
            "POST", "v1/dead-messages/{message}/drop", ["reason": "Old."], [401, 403, 403, 403], right: [403, 422],
            ids: ["message": noMessage]),
    ]
    private static let noMessage = "0195d3a0-0000-7000-8000-00000000dead"

    /// Open to all: what they show needs no more than what the path or the body names.
    private static func anybody(_ victim: Victim) -> [AccessRow] {
        let missing = [422, 422, 422, 422]
        let open = [
            "accounts", "sessions/refresh", "sessions/second-factor", "confirmations", "confirmations/code",
            "confirmations/resend", "password-resets", "password-resets/finish", "contact-changes/finish",
            "role-offers/finish", "api-tokens",
            "sessions/nafath/finish", "sessions/nafath/code", "sessions/nafath/link",
        ]
        return open.map { AccessRow("POST", "v1/\($0)", [:], missing, right: [422, 422]) } + [
            AccessRow(
                "POST", "v1/sessions", ["login": .string(victim.person.email), "password": "Wrong-password-12"],
                [401, 401, 401, 401]),
            // Without an issuer there is nobody to sign in with.
            AccessRow("POST", "v1/sessions/nafath", ["market": "assef"], [404, 404, 404, 404]),
            AccessRow("GET", "v1/avatars/{name}", [200, 200, 200, 200], right: [200, 200]),
            AccessRow("GET", "v1/markets/{market}/logo", [200, 200, 200, 200], right: [200, 200]),
            AccessRow("GET", "v1/markets/{market}/registration", [200, 200, 200, 200], right: [200, 200]),
            // Whoever has the id of a deletion has asked for it; it names nobody.
            AccessRow("GET", "v1/deletions/{deletion}", [200, 200, 200, 200], right: [200, 200]),
            AccessRow("GET", ".well-known/jwks.json", [200, 200, 200, 200], right: [200, 200]),
            AccessRow("GET", ".well-known/openid-configuration", [200, 200, 200, 200], right: [200, 200]),
            AccessRow("GET", ".well-known/oauth-authorization-server", [200, 200, 200, 200], right: [200, 200]),
            AccessRow("GET", "openapi.yaml", [200, 200, 200, 200], right: [200, 200]),
        ]
    }

    private static func own(_ victim: Victim) -> [AccessRow] {
        let place: JSONValue = [
            "market": "assef", "label": "home", "name": "Taken over",
            "coordinates": ["latitude": 24.7, "longitude": 46.7],
        ]
        let fields = [401, 422, 422, 422]
        let forms = [
            "roles", "terms", "email", "mobile", "mobile/code", "password", "nafath/finish", "nafath/removal",
            "second-factor", "second-factor/confirmation", "second-factor/recovery-codes", "second-factor/removal",
        ]
        return forms.map { AccessRow("POST", "v1/accounts/me/\($0)", [:], fields, right: [422, 422]) } + [
            AccessRow("GET", "v1/accounts/me", [401, 200, 200, 200], right: [200, 200]),
            AccessRow("PATCH", "v1/accounts/me", [:], [401, 200, 200, 200], right: [200, 200]),
            AccessRow("PUT", "v1/accounts/me/active-role", [:], fields, right: [422, 422]),
            AccessRow("PUT", "v1/accounts/me/avatar", [401, 415, 415, 415]),
            AccessRow("DELETE", "v1/accounts/me/avatar", [401, 204, 204, 204]),
            AccessRow("POST", "v1/accounts/me/nafath", ["market": "assef"], [401, 404, 404, 404]),
            AccessRow("GET", "v1/accounts/me/api-keys", [401, 200, 200, 200], right: [200, 200]),
            AccessRow("POST", "v1/accounts/me/api-keys", [:], fields, right: [422, 422]),
            AccessRow(
                "DELETE", "v1/accounts/me/api-keys/{key}", [401, 404, 404, 404], right: [404, 404],
                ids: ["key": UUID().text]),
            AccessRow("GET", "v1/accounts/me/second-factor", [401, 200, 200, 200], right: [200, 200]),
            AccessRow(
                "GET", "v1/accounts/me/places", [401, 200, 200, 200], right: [200, 200], query: "?market=assef"),
            AccessRow("POST", "v1/accounts/me/places", [:], fields, right: [422, 422]),
            AccessRow("GET", "v1/accounts/me/markets/{market}/contact", [401, 200, 200, 200], right: [200, 200]),
            AccessRow("PUT", "v1/accounts/me/markets/{market}/contact", [:], fields, right: [422, 422]),
            AccessRow(
                "GET", "v1/accounts/me/markets/{market}/billing-address", [401, 404, 404, 404], right: [404, 404]),
            AccessRow("PUT", "v1/accounts/me/markets/{market}/billing-address", [:], fields, right: [422, 422]),
            AccessRow(
                "GET", "v1/accounts/me/markets/{market}/recent-places", [401, 200, 200, 200], right: [200, 200]),
            AccessRow("PUT", "v1/accounts/me/markets/{market}/recent-places", [:], fields, right: [422, 422]),
            AccessRow(
                "DELETE", "v1/accounts/me/markets/{market}/recent-places", [401, 204, 204, 204], right: [204, 204]),
            AccessRow(
                "DELETE", "v1/accounts/me/markets/{market}/recent-places/{place}", [401, 404, 404, 404],
                right: [404, 404]),
            AccessRow("GET", "v1/accounts/me/places/{place}", [401, 404, 404, 404], right: [404, 404]),
            AccessRow("PUT", "v1/accounts/me/places/{place}", place, [401, 404, 404, 404], right: [404, 404]),
            AccessRow("DELETE", "v1/accounts/me/places/{place}", [401, 404, 404, 404], right: [404, 404]),
            AccessRow("GET", "v1/accounts/me/providers/{market}", [401, 404, 200, 404], right: [404, 404]),
            AccessRow(
                "PUT", "v1/accounts/me/providers/{market}/details", [:], [401, 404, 200, 404], right: [404, 404]),
            AccessRow(
                "PUT", "v1/accounts/me/providers/{market}/documents/{document}", [401, 415, 415, 415],
                ids: ["document": "licence"]),
            AccessRow(
                "GET", "v1/accounts/me/providers/{market}/documents/{document}", [401, 404, 404, 404],
                right: [404, 404]),
            AccessRow("GET", "v1/accounts/me/deletion", [401, 404, 404, 404], right: [404, 404]),
            AccessRow("POST", "v1/accounts/me/deletion", ["password": 5], fields),
            AccessRow("POST", "v1/accounts/me/export", ["password": "wrong"], fields),
        ]
    }

    private static func links(_ victim: Victim) -> [AccessRow] {
        [
            AccessRow("GET", "v1/accounts/me/links", [401, 200, 200, 200], right: [200, 200]),
            AccessRow("POST", "v1/accounts/me/links", [:], [401, 422, 422, 422], right: [422, 422]),
            AccessRow(
                "POST", "v1/accounts/me/links/{link}/agreement", [:], [401, 404, 404, 404], right: [404, 404],
                ids: ["link": victim.asked]),
            AccessRow(
                "POST", "v1/accounts/me/links/{link}/removal", ["reason": "x"], [401, 404, 404, 404]),
            AccessRow("DELETE", "v1/accounts/me/links/{link}", [401, 404, 404, 404], right: [404, 404]),
            AccessRow("POST", "v1/accounts/me/links/{link}/block", [:], [401, 404, 404, 404], right: [404, 404]),
            AccessRow("GET", "v1/accounts/me/groups", [401, 200, 200, 200], right: [200, 200]),
            AccessRow("POST", "v1/accounts/me/groups", [:], [401, 422, 422, 422], right: [422, 422]),
            AccessRow(
                "PUT", "v1/accounts/me/groups/{group}", ["title": "x"], [401, 404, 404, 404]),
            AccessRow(
                "DELETE", "v1/accounts/me/groups/{group}", [401, 404, 404, 404], right: [404, 404]),
            AccessRow(
                "POST", "v1/accounts/me/groups/{group}/members", ["link": .string(victim.asked)],
                [401, 404, 404, 404]),
            AccessRow(
                "POST", "v1/accounts/me/groups/{group}/agreement", [:], [401, 404, 404, 404], right: [404, 404]),
            AccessRow(
                "DELETE", "v1/accounts/me/groups/{group}/members/{account}", [401, 404, 404, 404], right: [404, 404]),
            AccessRow("GET", "v1/accounts/me/shared-place", [401, 200, 200, 200], right: [200, 200]),
            AccessRow(
                "POST", "v1/accounts/me/shared-place/position", [:], [401, 422, 422, 422], right: [422, 422]),
            AccessRow("PUT", "v1/accounts/me/shared-place", [:], [401, 422, 422, 422], right: [422, 422]),
            AccessRow("DELETE", "v1/accounts/me/shared-place", [401, 204, 204, 204], right: [204, 204]),
        ]
    }

    private static func ofMarket(_ victim: Victim) -> [AccessRow] {
        let account = JSONValue.string(victim.tokens.account.text)
        let lists = ["providers", "bans", "links", "removals", "title-questions", "people"].map {
            AccessRow("GET", "v1/markets/{market}/\($0)", Self.forbidden, right: [200, 200])
        }
        return lists + [
            AccessRow("GET", "v1/markets/{market}/waiting", Self.forbidden, right: [200, 200]),
            AccessRow("GET", "v1/markets/{market}/people/{account}/sessions", Self.forbidden, right: [200, 200]),
            AccessRow("DELETE", "v1/markets/{market}/people/{account}/sessions/{session}", Self.forbidden),
            AccessRow("DELETE", "v1/markets/{market}/people/{account}/sessions", Self.forbidden),
            AccessRow("GET", "v1/markets/{market}/admins", Self.forbidden, right: [403, 200]),
            AccessRow("GET", "v1/markets/{market}/providers/{account}/papers", Self.forbidden, right: [200, 200]),
            AccessRow("GET", "v1/markets/{market}/expiring-papers", Self.forbidden, right: [200, 200]),
            AccessRow(
                "POST", "v1/markets/{market}/providers/{account}/verification",
                ["decision": "verify", "title": "nurse"],
                Self.forbidden, right: [422, 422]),
            AccessRow(
                "GET", "v1/markets/{market}/providers/{account}/documents/{document}", Self.forbidden,
                right: [200, 200]),
            AccessRow(
                "POST", "v1/markets/{market}/providers/{account}/documents/{document}/decision",
                ["decision": "verify"], Self.forbidden, right: [422, 422]),
            AccessRow(
                "POST", "v1/markets/{market}/bans", ["account": account, "reason": "x"], Self.forbidden,
                right: [422, 422]),
            AccessRow("DELETE", "v1/markets/{market}/bans/{account}", Self.forbidden, right: [404, 404]),
            AccessRow("POST", "v1/markets/{market}/admins", ["account": account], Self.forbidden, right: [403, 422]),
            AccessRow("DELETE", "v1/markets/{market}/admins/{account}", Self.forbidden, right: [403, 404]),
            AccessRow(
                "POST", "v1/markets/{market}/links",
                ["from": account, "to": account, "scopes": ["see"]], Self.forbidden, right: [422, 422]),
            AccessRow(
                "POST", "v1/markets/{market}/links/{link}/approval", [:], Self.forbidden, ids: ["link": victim.agreed]),
            AccessRow(
                "DELETE", "v1/markets/{market}/links/{link}", Self.forbidden, right: [404, 404]),
            AccessRow("GET", "v1/markets/{market}/people/{account}", [401, 200, 200, 200], right: [200, 200]),
            AccessRow("POST", "v1/markets/{market}/people", [:], Self.forbidden, right: [422, 422]),
            AccessRow(
                "PATCH", "v1/markets/{market}/people/{account}", ["name": "Taken Over"], Self.forbidden,
                right: [200, 200]),
            AccessRow("DELETE", "v1/markets/{market}/people/{account}", Self.forbidden),
            AccessRow(
                "POST", "v1/markets/{market}/people/{account}/invitation", [:], Self.forbidden, right: [202, 202]),
            AccessRow(
                "POST", "v1/markets/{market}/people/{account}/second-factor-reset", [:], Self.forbidden,
                right: [404, 404]),
            AccessRow("POST", "v1/markets/{market}/people/{account}/contact", [:], Self.forbidden, right: [422, 422]),
            AccessRow("POST", "v1/markets/{market}/people/{account}/roles", [:], Self.forbidden, right: [422, 422]),
            AccessRow("POST", "v1/markets/{market}/role-offers", [:], Self.forbidden, right: [422, 422]),
            AccessRow(
                "POST", "v1/markets/{market}/removals/{account}/decision", ["decision": "remove"], Self.forbidden,
                right: [422, 422]),
            AccessRow(
                "POST", "v1/markets/{market}/title-questions/{account}/decision", ["decision": "none"], Self.forbidden,
                right: [422, 422]),
        ]
    }

    /// At the end, because the callers log out.
    private static func sessions(_ victim: Victim) -> [AccessRow] {
        [
            AccessRow("GET", "v1/sessions", [401, 200, 200, 200], right: [200, 200]),
            AccessRow("DELETE", "v1/sessions/{session}", [401, 404, 404, 404], right: [404, 404]),
            // What is done with a session that has ended is refused before anything is looked at.
            AccessRow("DELETE", "v1/sessions/current", [401, 204, 204, 204], right: [204, 204]),
            AccessRow("DELETE", "v1/sessions", [401, 401, 401, 401], right: [401, 401]),
        ]
    }
}
