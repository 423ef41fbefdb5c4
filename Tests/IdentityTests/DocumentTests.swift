import Contracts
import Foundation
import Messaging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("What providers bring", .timeLimit(.minutes(15)))
struct DocumentTests {
    private static let kinds = ["licence", "police-clearance", "vehicle-registration", "vehicle-insurance"]

    private func driver(_ world: World) async throws -> Tokens {
        let person = Person.provider()
        let answer = try await world.post("accounts", person.asDriver)
        try #require(answer.status == 201, "\(answer)")
        return try await world.logIn(person)
    }

    private func upload(
        _ world: World, _ kind: String, _ bytes: [UInt8] = SampleFiles.pdf, as type: String = "application/pdf",
        by tokens: Tokens
    ) async throws -> Answer {
        try await world.upload("accounts/me/providers/assef/documents/\(kind)", bytes, as: type, token: tokens.access)
    }

    /// The one of a kind and a state.
    private func document(_ answer: Answer, _ kind: String, _ state: String = "waiting") throws -> String {
        guard case .array(let documents)? = answer.json?["documents"] else { return "" }
        let found = documents.first { $0["kind"] == .string(kind) && $0["state"] == .string(state) }
        guard case .string(let id)? = found?["document"] else {
            Issue.record("no \(kind) that is \(state): \(answer)")
            return ""
        }
        return id
    }

    private func decide(
        _ world: World, _ document: String, of provider: Tokens, by admin: Tokens, _ reason: String? = nil
    ) async throws -> Answer {
        var body: [String: JSONValue] = ["decision": reason == nil ? "verify" : "reject"]
        if let reason { body["reason"] = .string(reason) }
        return try await world.post(
            "markets/assef/providers/\(provider.account.text)/documents/\(document)/decision", .object(body),
            token: admin.access)
    }

    /// Uploads and verifies everything.
    private func bringAll(_ world: World, _ provider: Tokens, _ admin: Tokens) async throws {
        for kind in Self.kinds {
            let answer = try await upload(world, kind, by: provider)
            #expect(answer.status == 200, "\(answer)")
            let decided = try await decide(world, try document(answer, kind), of: provider, by: admin)
            #expect(decided.status == 200, "\(decided)")
        }
    }

    @Test("P7: a refusal names what is missing in words, whatever a market asks for")
    func wordsOfPapers() throws {
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in IdentityService.catalogues { try catalogue.add(language, json: json) }
        let asked = Market.all.flatMap { IdentityParts.onboarding($0.id).papers.map(\.id) }
        for paper in Set(asked).union([ProviderDocuments.details, ProviderDocuments.birthDate]) {
            for language in [Language.english, .arabic] {
                let word = try #require(catalogue.text("word.papers.\(paper)", in: language), "\(paper)")
                let arguments = ["papers": "\(paper), \(paper)"]
                let text = catalogue.text("problem.papers-missing.detail", in: language, arguments)
                let both = word + (language == .arabic ? "، " : ", ") + word
                #expect(text?.contains(both) == true, "\(paper)")
            }
        }
    }

    @Test(
        "I7: a provider is verified only when all papers that the market asks for are, and a mail says how to prepare")
    func whole() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            let provider = try await driver(world)
            let early = try await world.verify(provider.account, by: admin)
            #expect(early.status == 409)
            #expect(early.slug == "papers-missing")
            #expect(early.json?["papers"] == .array(Self.kinds.map { .string($0) }))
            try await bringAll(world, provider, admin)
            let papers = try await world.send("GET", "v1/accounts/me/providers/assef", token: provider.access)
            #expect(papers.json?["missing"] == .array([]))
            #expect(try await world.verify(provider.account, by: admin).status == 200)
            #expect(try await world.deliveries().map(\.request.text) == ["provider-verified-subscribed"])
            let decided = try await world.events(DocumentDecided.self)
            #expect(decided.map(\.kind) == Self.kinds)
            #expect(decided.allSatisfy { $0.by == admin.account && $0.isVerified })
        }
    }

    @Test("I7, P9: an admin's every look at what a provider brought is told, the provider's own is not")
    func looks() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            let provider = try await driver(world)
            let answer = try await upload(world, "licence", SampleFiles.jpeg, as: "image/jpeg", by: provider)
            let id = try document(answer, "licence")
            let base = "v1/markets/assef/providers/\(provider.account.text)"
            let papers = try await world.send("GET", "\(base)/papers", token: admin.access)
            #expect(papers.json?["details"]?["licenceNumber"] == "WA 1234567")
            let file = try await world.send("GET", "\(base)/documents/\(id)", token: admin.access)
            #expect(file.status == 200)
            #expect(FileKind(sniffing: file.bytes) == .jpeg)
            #expect(file.headers["content-disposition"] == "attachment; filename=\"licence.jpg\"")
            #expect(file.headers["content-security-policy"]?.contains("sandbox") == true)
            #expect(file.headers["x-content-type-options"] == "nosniff")
            #expect(file.headers["cache-control"] == "private, no-store")
            let own = try await world.send(
                "GET", "v1/accounts/me/providers/assef/documents/\(id)", token: provider.access)
            #expect(own.bytes == file.bytes)
            let looks = try await world.events(DocumentViewed.self)
            #expect(looks.map(\.kind) == ["details", "licence"])
            #expect(looks.map { $0.document?.text } == [nil, id])
            #expect(looks.allSatisfy { $0.by == admin.account && $0.account == provider.account })
        }
    }

    @Test("I7: a rejection says why; another upload takes its place; the same file again changes nothing")
    func rejected() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            let provider = try await driver(world)
            let id = try document(try await upload(world, "licence", by: provider), "licence")
            #expect(try document(try await upload(world, "licence", by: provider), "licence") == id)
            let path = "markets/assef/providers/\(provider.account.text)/documents/\(id)/decision"
            let silent = try await world.post(path, ["decision": "reject"], token: admin.access)
            #expect(silent.fields == ["/reason": "required"])
            #expect(try await decide(world, id, of: provider, by: admin, "It cannot be read.").status == 200)
            let twice = try await decide(world, id, of: provider, by: admin, "It cannot be read.")
            #expect(twice.slug == "document-decided")
            let seen = try await world.send("GET", "v1/accounts/me/providers/assef", token: provider.access)
            #expect(seen.description.contains("It cannot be read."))
            let next = try await upload(world, "licence", SampleFiles.png, as: "image/png", by: provider)
            #expect(try document(next, "licence") != id)
            #expect(try await decide(world, id, of: provider, by: admin).status == 404)
            #expect(try await world.events(DocumentDecided.self).map(\.reason) == ["It cannot be read."])
        }
    }

    @Test("I7: a verified paper holds until its successor is verified; without it a verified provider waits again")
    func renewed() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            let provider = try await driver(world)
            try await bringAll(world, provider, admin)
            #expect(try await world.verify(provider.account, by: admin).status == 200)
            func isVerified() async throws -> JSONValue? {
                let answer = try await world.send("GET", "v1/accounts/me/providers/assef", token: provider.access)
                return answer.json?["provider"]?["verified"]
            }
            let renewed = try await upload(world, "licence", SampleFiles.png, as: "image/png", by: provider)
            let (old, new) = (try document(renewed, "licence", "verified"), try document(renewed, "licence"))
            #expect(try await isVerified() == true)
            #expect(try await decide(world, new, of: provider, by: admin).status == 200)
            #expect(try await decide(world, old, of: provider, by: admin).status == 404)
            #expect(try await isVerified() == true)
            #expect(try await decide(world, new, of: provider, by: admin, "Forged.").status == 200)
            #expect(try await isVerified() == false)
            let told = try await world.events(AccountChanged.self).last
            #expect(told?.account.roles.first?.verified == false)
            #expect(try await world.verify(provider.account, by: admin).slug == "papers-missing")
        }
    }

    @Test("I7: a verified paper that is rejected while another one waits gives way to it")
    func withdrawn() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            let provider = try await driver(world)
            try await bringAll(world, provider, admin)
            #expect(try await world.verify(provider.account, by: admin).status == 200)
            let renewed = try await upload(world, "licence", SampleFiles.png, as: "image/png", by: provider)
            let (old, new) = (try document(renewed, "licence", "verified"), try document(renewed, "licence"))
            let answer = try await decide(world, old, of: provider, by: admin, "Withdrawn.")
            #expect(answer.json?["missing"] == .array(["licence"]))
            #expect(answer.json?["provider"]?["state"] == "waiting")
            #expect(answer.json?["details"] == nil)
            #expect(try document(answer, "licence") == new)
            #expect(try await decide(world, old, of: provider, by: admin).status == 404)
            #expect(try await decide(world, new, of: provider, by: admin).status == 200)
            #expect(try await world.verify(provider.account, by: admin).status == 200)
        }
    }

    @Test("I1, I7: another date of birth makes a provider wait again whose age matters, and must be old enough")
    func birthDate() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            let provider = try await driver(world)
            try await bringAll(world, provider, admin)
            #expect(try await world.verify(provider.account, by: admin).status == 200)
            func say(_ day: String) async throws -> Answer {
                try await world.send("PATCH", "v1/accounts/me", ["birthDate": .string(day)], token: provider.access)
            }
            func state(_ answer: Answer) -> JSONValue? {
                guard case .array(let roles)? = answer.json?["roles"] else { return nil }
                return roles.first?["state"]
            }
            #expect(try await say("2015-01-01").fields == ["/birthDate": "too-young"])
            #expect(state(try await say("1990-05-17")) == "verified")
            #expect(state(try await say("1990-05-18")) == "waiting")
        }
    }

    @Test("I7: other details make a verified provider wait again, the same ones do not")
    func details() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            let provider = try await driver(world)
            try await bringAll(world, provider, admin)
            #expect(try await world.verify(provider.account, by: admin).status == 200)
            func put(_ details: JSONValue) async throws -> Answer {
                try await world.send(
                    "PUT", "v1/accounts/me/providers/assef/details", ["details": details], token: provider.access)
            }
            #expect(try await put(Person.driverDetails).json?["provider"]?["state"] == "verified")
            guard case .object(var other) = Person.driverDetails else { return }
            other["vehiclePlate"] = "9XYZ 999"
            #expect(try await put(.object(other)).json?["provider"]?["state"] == "waiting")
            let none = try await put([:])
            #expect(none.fields.count == 8, "\(none)")
        }
    }

    @Test("I7, P10: an upload that lies, is too large, or of a kind that nobody asks for is refused")
    func refused() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let provider = try await driver(world)
            let customer = Person()
            #expect(
                try await world.post(
                    "accounts", customer.with(["terms": "2026-01", "birthDate": "1990-05-17"])
                ).status == 201)
            let big = SampleFiles.png + [UInt8](repeating: 0, count: ProviderDocuments.maximumBytes)
            let uploads: [(String, [UInt8], String, Int)] = [
                ("licence", Array("MZ not a pdf".utf8), "application/pdf", 422),
                ("licence", SampleFiles.png, "application/pdf", 422), ("licence", SampleFiles.webp, "image/webp", 415),
                ("licence", SampleFiles.pdf, "text/html", 415), ("licence", big, "image/png", 413),
                ("diploma", SampleFiles.pdf, "application/pdf", 404),
                ("food-licence", SampleFiles.pdf, "application/pdf", 404),
            ]
            for (kind, bytes, type, status) in uploads {
                #expect(
                    try await upload(world, kind, bytes, as: type, by: provider).status == status, "\(kind) \(type)")
            }
            let someone = try await world.logIn(customer)
            #expect(try await upload(world, "licence", by: someone).status == 404)
        }
    }

    @Test("I7, Q7: nobody but the provider and the market's admins reads a document, and nobody decides his own")
    func others() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            let provider = try await driver(world)
            let other = try await driver(world)
            let id = try document(try await upload(world, "licence", by: provider), "licence")
            let base = "v1/markets/assef/providers/\(provider.account.text)"
            let paths = ["\(base)/papers", "\(base)/documents/\(id)"]
            let expired = try await world.expired(admin)
            for path in paths {
                #expect(try await world.send("GET", path, token: provider.access).status == 403)
                #expect(try await world.send("GET", path, token: other.access).status == 403)
                #expect(try await world.send("GET", path).status == 401)
                #expect(try await world.send("GET", path, token: expired).slug == "token-expired")
            }
            for caller in [provider, other] {
                #expect(try await decide(world, id, of: provider, by: caller).status == 403)
            }
            let own = "v1/accounts/me/providers/assef/documents/\(id)"
            for caller in [other, admin] {
                #expect(try await world.send("GET", own, token: caller.access).status == 404)
            }
            // A document is found with its own provider only.
            #expect(try await decide(world, id, of: other, by: admin).status == 404)
            let role: [String: JSONValue] = [
                "market": "assef", "role": "provider", "title": "nurse", "terms": "2026-01",
                "birthDate": "1990-05-17", "details": Person.driverDetails,
            ]
            #expect(try await world.post("accounts/me/roles", .object(role), token: admin.access).status == 201)
            let mine = try document(try await upload(world, "licence", by: admin), "licence")
            #expect(try await decide(world, mine, of: admin, by: admin).status == 403)
            #expect(try await world.events(DocumentViewed.self).isEmpty)
            #expect(try await world.events(DocumentDecided.self).isEmpty)
        }
    }
}
