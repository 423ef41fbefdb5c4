import Contracts
import Foundation
import LocalPlatform
import Phones
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Callers", .platform(), .timeLimit(.minutes(15)))
struct CallerFlowTests {
    private struct Door {
        let call: Call
        /// Whether there is nothing of somebody behind it, so that it is open to all who have signed in.
        var isEverybodys = false
    }

    /// Every endpoint that needs a token, about one order.
    private func doors(_ order: UUID, _ pair: Pair) throws -> [Door] {
        let path = "/dispatch/v1/orders/\(order.path)"
        let market = Pair.market.id
        let provider = "/identity/v1/markets/\(market)/providers"
        return [
            Door(call: .get(path)), Door(call: .get(path + "/tracking")),
            Door(call: try .post(path + "/accept")), Door(call: try .post(path + "/decline")),
            Door(call: try .post(path + "/cancel")), Door(call: try .post(path + "/arrive")),
            Door(call: try .post(path + "/complete")), Door(call: try .post(path + "/rating", ["stars": 5])),
            Door(call: .get("/wallet/v1/orders/\(order.path)/payment")),
            Door(call: try .post("/wallet/v1/orders/\(order.path)/payment", ["method": "cash"])),
            Door(call: .delete("/wallet/v1/cards/\(pair.card.card.path)?confirm=true")),
            Door(call: try .patch("/wallet/v1/cards/\(pair.card.card.path)", ["holder": "Somebody"])),
            Door(call: .delete("/wallet/v1/orders/\(order.path)/payment")),
            Door(call: .get("/wallet/v1/ledger/trial-balance")),
            Door(call: .get("/admin/v1/orders/\(order.path)")), Door(call: .get("/admin/v1/markets/\(market)/orders")),
            Door(call: .get("/admin/v1/markets/\(market)/settings")),
            Door(call: try .put("/admin/v1/markets/\(market)/settings/acceptWindowSeconds", ["value": "1"])),
            Door(call: .get("/admin/v1/markets/\(market)/money")), Door(call: .get("/admin/v1/audit")),
            Door(call: .get(provider + "?state=waiting")),
            Door(
                call: try .post(
                    provider + "/\(pair.provider.account.path)/verification", ["decision": "verify", "title": "nurse"])),
        ]
            + [
                "/identity/v1/accounts/me", "/dispatch/v1/orders", "/wallet/v1/wallets", "/wallet/v1/statement",
                "/wallet/v1/cards", "/notifications/v1/inbox", "/notifications/v1/inbox/unread",
                "/notifications/v1/stream",
            ].map { Door(call: .get($0), isEverybodys: true) }
    }

    /// What an answer must not tell.
    private func leaks(_ refusal: Refusal, _ pair: Pair) -> Bool {
        let said = "\(refusal.title ?? "") \(refusal.detail ?? "")"
        return [pair.customer.person.name, pair.provider.person.name, "enRoute", "accepted"].contains {
            said.contains($0)
        } || refusal.state != nil
    }

    @Test("Q7: without a token, with a wrong one and with an expired one every door says 401")
    func strangers() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.enRoute()
        let expired = try await expiredToken(of: pair.customer.account, on: pair.platform)
        for token in [nil, "nonsense", "a.b.c", expired] {
            for door in try doors(order, pair) {
                do {
                    _ = try await pair.customer.phone.sendOnce(door.call, token: token)
                    Issue.record(
                        "\(door.call.method) \(door.call.path) took \(token == nil ? "no token" : "a bad token")")
                } catch let refusal as Refusal {
                    #expect(refusal.status == 401, "\(refusal)")
                    #expect(!leaks(refusal, pair))
                }
            }
        }
        #expect(try await pair.customer.phone.order(order).state == .enRoute)
    }

    @Test("Q7: another customer and another provider find nothing of an order that is not theirs")
    func others() async throws {
        let pair = try await Pair.meet()
        let other = try await Pair.meet()
        let order = try await pair.enRoute()
        for phone in [other.customer.phone, other.provider.phone] {
            for door in try doors(order, pair) where !door.isEverybodys {
                do {
                    try await phone.send(door.call)
                    Issue.record("\(door.call.method) \(door.call.path) was open to somebody else")
                } catch let refusal as Refusal {
                    #expect([403, 404].contains(refusal.status), "\(refusal)")
                    #expect(!leaks(refusal, pair), "\(refusal)")
                }
            }
        }
        #expect(try await pair.customer.phone.order(order).state == .enRoute)
        #expect(try await pair.customer.phone.send(.get("/wallet/v1/cards")).status == 200)
        #expect(try await pair.customer.phone.payment(of: order).state == "held")
    }

    @Test("Q7: each party does what is its own to do, and not what is the other's")
    func parties() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.accepted()
        for act in ["accept", "decline", "arrive"] {
            try await refuses(403, 404, 409) { try await pair.customer.phone.act(act, on: order) }
        }
        try await refuses(403, 404, 409) { try await pair.provider.phone.act("cancel", on: order) }
        try await refuses(403, 404) { try await pair.provider.phone.pay(order, by: "cash") }
        #expect(try await pair.customer.phone.order(order).state == .accepted)
    }

    @Test("I15: a token that has run out is replaced by the refresh token, and that one works once")
    func refreshed() async throws {
        let pair = try await Pair.meet()
        let session = try await pair.customer.phone.signIn(
            login: pair.customer.person.mobile, password: pair.customer.person.password)
        let form = ["refreshToken": session.refreshToken]
        let first: Phones.SessionView = try await pair.customer.phone.send(
            try Call.post("/identity/v1/sessions/refresh", form).anonymous()
        ).decode()
        #expect(first.account == pair.customer.account)
        let second: Phones.SessionView = try await pair.customer.phone.send(
            try Call.post("/identity/v1/sessions/refresh", ["refreshToken": first.refreshToken]).anonymous()
        ).decode()
        // The first token of all again: the whole family ends.
        try await refuses(401) {
            try await pair.customer.phone.send(try Call.post("/identity/v1/sessions/refresh", form).anonymous())
        }
        try await refuses(401) {
            try await pair.customer.phone.send(
                try Call.post("/identity/v1/sessions/refresh", ["refreshToken": second.refreshToken]).anonymous())
        }
    }

    enum End: CaseIterable { case logOut, password, ban }

    @Test(
        "I15, I11, I3: after a log-out, a change of password or a ban every service refuses the access token within a second",
        arguments: End.allCases)
    func sessionEnds(_ end: End) async throws {
        let pair = try await Pair.meet()
        let phone = pair.customer.phone
        let login = pair.customer.person
        let session = try await phone.signIn(login: login.mobile, password: login.password)
        let doors: [Call] = [
            .get("/identity/v1/accounts/me"), .get("/dispatch/v1/orders"), .get("/wallet/v1/wallets"),
            .get("/notifications/v1/inbox"), .get("/admin/v1/audit"),
        ]
        func status(_ door: Call) async throws -> Int {
            do {
                return try await phone.sendOnce(door, token: session.accessToken).status
            } catch let refusal as Refusal {
                return refusal.status
            }
        }
        // A customer may not read the audit log, but is known there.
        for door in doors { #expect([200, 403].contains(try await status(door)), "\(door.path)") }
        switch end {
        case .logOut: _ = try await phone.sendOnce(.delete("/identity/v1/sessions/current"), token: session.accessToken)
        case .password:
            let form = ["oldPassword": login.password, "newPassword": "Another-2026-word"]
            // From another session: its own goes on.
            try await phone.signIn(login: login.mobile, password: login.password)
            try await phone.send(try .post("/identity/v1/accounts/me/password", form))
        case .ban:
            let form = ["account": pair.customer.account.path, "reason": "Shouts at nurses."]
            try await pair.desk.phone.send(try .post("/identity/v1/markets/assef/bans", form))
        }
        let began = ContinuousClock.now
        for door in doors {
            try await eventually("\(door.path) refuses") { try await status(door) == 401 }
        }
        print("every service refused after \(ContinuousClock.now - began)")
    }

    @Test("P7: labels, inbox and problems are in the account's language, and follow it when it changes")
    func language() async throws {
        let pair = try await Pair.meet(language: "ar")
        let order = try await pair.accepted()
        let seen = try await pair.customer.stream.order(order, is: .accepted)
        #expect(seen.label == "مقبول")
        let asked = try await pair.provider.stream.order(order, is: .accepted)
        #expect(asked.label == "بالانتظار")
        try await eventually("the inbox is in Arabic") {
            let items = try await pair.customer.phone.inbox()
            return !items.isEmpty
                && items.allSatisfy { $0.subject.unicodeScalars.contains { (0x600...0x6FF).contains($0.value) } }
        }
        do {
            try await pair.customer.phone.act("arrive", on: order)
        } catch let refusal as Refusal {
            #expect((refusal.title ?? "").unicodeScalars.contains { (0x600...0x6FF).contains($0.value) }, "\(refusal)")
        }
        try await pair.customer.phone.setLanguage("en")
        try await eventually("the inbox is in English") {
            let items = try await pair.customer.phone.inbox()
            return !items.isEmpty && items.allSatisfy { $0.subject.unicodeScalars.contains { $0.isASCII } }
                && items.allSatisfy { !$0.subject.unicodeScalars.contains { (0x600...0x6FF).contains($0.value) } }
        }
        try await pair.pay(order, by: "cash")
        let enRoute = try await pair.customer.stream.order(order, is: .enRoute)
        #expect(enRoute.label == "On the way")
    }

    /// Signed by identity's own key, for somebody real, an hour ago.
    private func expiredToken(of account: UUID, on platform: Platform) async throws -> String {
        let key = try TokenSigningKey(
            json: try Data(contentsOf: URL(filePath: "\(platform.plan.keysFolder)/token-signing.json")))
        let signer = try await AccessTokenSigner(key.key, keyID: key.id)
        let now = Date().timeIntervalSince1970
        return try await signer.sign(
            AccessTokenClaims(
                sub: account.path, iss: "https://serai.example/identity", aud: "serai", exp: now - 3_000,
                iat: now - 3_600, roles: [.init(market: "assef", role: "customer")], sid: nil))
    }
}
