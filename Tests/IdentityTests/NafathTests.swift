import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiIdentity

@Suite("Signing in with Nafath", .timeLimit(.minutes(15)))
struct NafathTests {
    @Test("I5: a medical title makes a verified provider with Nafath's name, mobile and gender; others are told")
    func provider() async throws {
        try await NafathWorld.run { nafath async throws in
            let person = nafath.add("nurse", jobTitle: " REGISTERED  nurse")
            let first = try await nafath.signIn("nurse")
            #expect(first.status == 201, "\(first)")
            #expect(nafath.roles(first).map { $0["title"] } == ["nurse"])
            #expect(nafath.roles(first).map { $0["verified"] } == [true])
            let tokens = try Tokens(first)
            let caller = try await nafath.world.bootstrap.tokenVerifier().verify(tokens.access)
            #expect(caller.verifiedMarkets == ["assef"])
            let me = try await nafath.world.send("GET", "v1/accounts/me", token: tokens.access)
            #expect(me["name"] == "Noura Al-Harbi")
            #expect(me["mobile"] == person.mobile)
            #expect(me["gender"] == "female")
            #expect(me["email"] == nil)
            let told = try await nafath.world.events(AccountRegistered.self)
            #expect(
                told.map { $0.account.roles } == [
                    [.init(market: "assef", role: "provider", title: "nurse", verified: true)]
                ])
            // The next time it is the same account, and nothing has changed.
            #expect(try Tokens(try await nafath.signIn("nurse")).account == tokens.account)
            #expect(try await nafath.world.events(AccountChanged.self).isEmpty)
        }
    }

    @Test("I5, I7: titles and spellings that an admin adds count from then on; a retired title is given to nobody anew")
    func changedTitles() async throws {
        try await NafathWorld.run { nafath async throws in
            let world = nafath.world
            _ = nafath.add("early", jobTitle: "Midwife")
            #expect(nafath.roles(try await nafath.signIn("early")).map { $0["role"] } == ["customer"])
            var midwife = CatalogueEntry(
                .titles, "midwife", position: 9, texts: [.name: ["en": "Midwife", "ar": "قابلة"]])
            midwife.spellings = ["Maternity assistant"]
            func put(_ entry: CatalogueEntry, _ version: Int) async throws {
                try await world.pool.execute(
                    PutTestEntry(
                        section: entry.section.rawValue, id: entry.id, json: try JSON.stored.text(entry),
                        version: version))
                try await world.parts.markets.refresh()
            }
            try await put(midwife, 1)
            for (name, job) in [("first", "midwife"), ("second", " MATERNITY assistant")] {
                _ = nafath.add(name, jobTitle: job)
                let role = nafath.roles(try await nafath.signIn(name)).first { $0["role"] == "provider" }
                #expect(role?["title"] == "midwife" && role?["verified"] == true)
                #expect(role?["titleNames"]?["ar"] == "قابلة")
            }
            let rules = "v1/markets/assef/registration"
            func titles() async throws -> [JSONValue] {
                guard case .array(let roles)? = try await world.send("GET", rules).json?["roles"] else { return [] }
                return roles.map { $0["title"] ?? .null }
            }
            #expect(try await titles().contains("midwife"))
            midwife.active = false
            try await put(midwife, 2)
            #expect(try await !titles().contains("midwife"))
            // Who has the title keeps it, and its name.
            let kept = nafath.roles(try await nafath.signIn("first")).first { $0["title"] == "midwife" }
            #expect(kept?["titleNames"]?["en"] == "Midwife" && kept?["verified"] == true)
            _ = nafath.add("late", jobTitle: "Midwife")
            #expect(nafath.roles(try await nafath.signIn("late")).map { $0["role"] } == ["customer"])
        }
    }

    @Test("I5: everybody else becomes a customer")
    func customer() async throws {
        try await NafathWorld.run { nafath async throws in
            for title in ["Accountant", "Nurse's friend", nil] {
                _ = nafath.add("somebody", jobTitle: title)
                let answer = try await nafath.signIn("somebody")
                #expect(nafath.roles(answer).map { $0["role"] } == ["customer"], "\(answer)")
            }
        }
    }

    @Test("I5: what the ID token does not say is asked of the user info endpoint, of the same person only")
    func userInfo() async throws {
        try await NafathWorld.run { nafath async throws in
            _ = nafath.add("doctor", jobTitle: "طبيبة")
            nafath.issuer.fault = .fewClaims
            let answer = try await nafath.signIn("doctor")
            #expect(nafath.roles(answer).map { $0["title"] } == ["doctor"], "\(answer)")
            nafath.issuer.fault = .otherSubject
            #expect(try await nafath.signIn("doctor").slug == "nafath-refused")
        }
    }

    @Test("I5: who has become a nurse since is a provider from then on; an admin's rejection stands")
    func later() async throws {
        try await NafathWorld.run { nafath async throws in
            var person = nafath.add("somebody", jobTitle: "Student")
            let tokens = try Tokens(try await nafath.signIn("somebody"))
            person.jobTitle = "ممرضة"
            nafath.issuer.add(person, as: "somebody")
            let nurse = try await nafath.signIn("somebody")
            #expect(nafath.roles(nurse).map { $0["role"] } == ["customer", "provider"])
            #expect(nafath.roles(nurse).last?["verified"] == true)
            #expect(try await nafath.world.events(AccountChanged.self).count == 1)
            let admin = try await nafath.world.admin(of: "assef")
            let rejected = try await nafath.world.post(
                "markets/assef/providers/\(tokens.account.text)/verification",
                ["decision": "reject", "reason": "struck off"], token: admin.access)
            #expect(rejected.status == 200)
            #expect(nafath.roles(try await nafath.signIn("somebody")).last?["state"] == "rejected")
            // Asking again is for an admin to answer, not for Nafath.
            let again: JSONValue = ["market": "assef", "role": "provider", "title": "nurse", "terms": "2026-11"]
            #expect(try await nafath.world.post("accounts/me/roles", again, token: tokens.access).status == 201)
            #expect(nafath.roles(try await nafath.signIn("somebody")).last?["state"] == "waiting")
        }
    }

    @Test("I5: the title is read anew at each sign-in: a nurse becomes a doctor, and who is neither any more waits")
    func otherTitle() async throws {
        try await NafathWorld.run { nafath async throws in
            let world = nafath.world
            var person = nafath.add("somebody", jobTitle: "Nurse")
            let account = try Tokens(try await nafath.signIn("somebody")).account
            func become(_ job: String?) async throws -> JSONValue? {
                person.jobTitle = job
                nafath.issuer.add(person, as: "somebody")
                return nafath.roles(try await nafath.signIn("somebody")).first { $0["role"] == "provider" }
            }
            let doctor = try await become("Physician")
            #expect(doctor?["title"] == "doctor" && doctor?["state"] == "verified", "\(String(describing: doctor))")
            let told = try await world.events(AccountChanged.self).last?.account.roles
            #expect(told == [.init(market: "assef", role: "provider", title: "doctor", verified: true)])
            let clerk = try await become("Accountant")
            #expect(clerk?["title"] == "doctor" && clerk?["state"] == "waiting", "\(String(describing: clerk))")
            #expect(try await world.events(AccountChanged.self).last?.account.roles.first?.verified == false)
            let admin = try await world.admin(of: "assef")
            let list = "v1/markets/assef/title-questions"
            let open = try await world.send("GET", list, token: admin.access).items
            #expect(open.map { $0["jobTitle"] } == ["Accountant"], "\(open)")
            // Nothing more happens at the next sign-in; who is a doctor again works again.
            let changes = try await world.events(AccountChanged.self).count
            #expect(try await become("Accountant")?["state"] == "waiting")
            #expect(try await world.events(AccountChanged.self).count == changes)
            #expect(try await become("Doctor")?["state"] == "verified")
            #expect(try await world.send("GET", list, token: admin.access).items.isEmpty)
            // An admin finds the title for words that nobody knows, and that stands whatever Nafath says.
            #expect(try await become("Perfusionist")?["state"] == "waiting")
            let decided = try await world.post(
                "markets/assef/title-questions/\(account.text)/decision", ["decision": "title", "title": "nurse"],
                token: admin.access)
            #expect(decided.status == 204, "\(decided)")
            #expect(try await world.send("GET", list, token: admin.access).items.isEmpty)
            for job in ["Perfusionist", "Physician", "Accountant", nil] {
                let nurse = try await become(job)
                #expect(nurse?["title"] == "nurse" && nurse?["state"] == "verified", "\(job ?? "")")
            }
            #expect(try await world.send("GET", list, token: admin.access).items.isEmpty)
        }
    }

    @Test("I5: Nafath's page is in the language of the person, and else in the market's first")
    func pageLanguage() async throws {
        try await NafathWorld.run { nafath async throws in
            let body: JSONValue = ["market": "assef"]
            for (asked, language) in [(nil, "ar"), ("en", "en"), ("fr", "ar")] as [(String?, String)] {
                let begun = try await nafath.world.send(
                    "POST", "v1/sessions/nafath", body, key: nil, language: asked)
                let items = URLComponents(string: begun["url"] ?? "")?.queryItems ?? []
                #expect(items.first { $0.name == "ui_locales" }?.value == language, "\(begun)")
            }
        }
    }

    @Test("I1, X8: whoever comes by Nafath accepts the market's terms after the sign-in, once")
    func terms() async throws {
        try await NafathWorld.run { nafath async throws in
            _ = nafath.add("nurse", jobTitle: "Nurse")
            let first = try await nafath.signIn("nurse")
            #expect(first.json?["asks"] == ["terms"], "\(first)")
            let version = try #require(Market.assef.onboarding.terms?.version)
            let accepted = try await nafath.world.post(
                "accounts/me/terms", ["market": "assef", "version": .string(version)],
                token: try Tokens(first).access)
            #expect(accepted.status == 204, "\(accepted)")
            let again = try await nafath.signIn("nurse")
            #expect(again.json?["asks"] == nil && again.json?["termsAsked"] == nil, "\(again)")
        }
    }

    @Test("I5: a provider who has taken another name since is not verified again by Nafath's title")
    func renamed() async throws {
        try await NafathWorld.run { nafath async throws in
            _ = nafath.add("nurse", jobTitle: "Nurse")
            let tokens = try Tokens(try await nafath.signIn("nurse"))
            let path = "v1/accounts/me"
            _ = try await nafath.world.send("PATCH", path, ["name": "Somebody Else"], token: tokens.access)
            #expect(nafath.roles(try await nafath.signIn("nurse")).last?["state"] == "waiting")
            _ = try await nafath.world.send("PATCH", path, ["name": "Noura Al-Harbi"], token: tokens.access)
            #expect(nafath.roles(try await nafath.signIn("nurse")).last?["state"] == "verified")
        }
    }

    @Test("I2: a national id has one account, however many sign in with it at once")
    func race() async throws {
        try await NafathWorld.run { nafath async throws in
            _ = nafath.add("nurse", jobTitle: "Nurse")
            let accounts = try await withThrowingTaskGroup(of: UUID.self) { group in
                for _ in 0..<8 { group.addTask { try Tokens(try await nafath.signIn("nurse")).account } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(accounts.count == 1)
            #expect(try await nafath.world.events(AccountRegistered.self).count == 1)
        }
    }

    @Test("I14: neither tables nor messages hold a national id, or what a code could be redeemed with")
    func dump() async throws {
        try await NafathWorld.run { nafath async throws in
            let person = nafath.add("nurse", jobTitle: "Nurse")
            let other = Person()
            try await nafath.world.register(other)
            let waiting = nafath.add("owner", mobile: other.mobile)
            let begun = try await nafath.begin()
            let code = try await nafath.code("nurse", begun)
            #expect(try await nafath.finish(begun, code: code).status == 201)
            let ticket = try #require(try await nafath.signIn("owner")["ticket"])
            let dump = try #require(try await nafath.world.pool.first(DumpTables())).lowercased()
            let secret = try #require(OpenIDSecret(text: begun.secret))
            let hidden = [
                person.nationalID, person.mobile, waiting.nationalID, waiting.mobile, begun.state, begun.secret, code,
                ticket, secret.verifier, secret.nonce,
            ]
            for text in hidden {
                #expect(!dump.contains(text.lowercased()))
                let hex = Data(text.utf8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                #expect(!dump.contains(hex))
            }
        }
    }

    @Test("I11: who is banned everywhere does not come in by Nafath either; who is banned in the market gets no role")
    func banned() async throws {
        try await NafathWorld.run { nafath async throws in
            var person = nafath.add("somebody")
            let tokens = try Tokens(try await nafath.signIn("somebody"))
            let (admin, master) = (try await nafath.world.admin(of: "assef"), try await nafath.world.admin(of: "*"))
            func ban(_ market: String, _ by: Tokens) async throws -> Int {
                try await nafath.world.post(
                    "markets/\(market)/bans", ["account": .string(tokens.account.text), "reason": "x"],
                    token: by.access
                ).status
            }
            #expect(try await ban("assef", admin) == 201)
            person.jobTitle = "Nurse"
            nafath.issuer.add(person, as: "somebody")
            #expect(nafath.roles(try await nafath.signIn("somebody")).count == 1)
            #expect(try await ban("*", master) == 201)
            #expect(try await nafath.signIn("somebody").slug == "banned")
        }
    }

    @Test("I5: a person of whom Nafath does not say enough gets no account, and hears what is missing")
    func incomplete() async throws {
        try await NafathWorld.run(["SERAI_NAFATH_CLAIM_MOBILE": "nothing_like_it"]) { nafath async throws in
            _ = nafath.add("nurse", jobTitle: "Nurse")
            let answer = try await nafath.signIn("nurse")
            #expect(answer.slug == "nafath-incomplete")
            #expect(answer.json?["missing"] == .array(["mobile"]))
            #expect(try await nafath.world.events(AccountRegistered.self).isEmpty)
        }
    }
}
