import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("What people type", .timeLimit(.minutes(15)))
struct TypedWordsTests {
    private func arabic(_ digits: String) -> String {
        String(String.UnicodeScalarView(digits.unicodeScalars.map { Unicode.Scalar($0.value - 48 + 0x660) ?? $0 }))
    }

    @Test("I2: a code may be in Arabic digits or in groups, and what has no form of one costs none of the five tries")
    func codes() async throws {
        try await World.run(confirmation: .sms) { world async throws in
            let person = Person()
            _ = try await world.post("accounts", person.json)
            let code = try #require(try await world.deliveries().last?.contents.arguments["code"])
            func enter(_ code: String) async throws -> Answer {
                try await world.post(
                    "confirmations/code", ["login": .string(person.mobile), "code": .string(code)])
            }
            for wrong in ["12345", "1234567", "abcdef", "", "12 34", "١٢٣", "123456a", "-"] {
                let answer = try await enter(wrong)
                #expect(answer.status == 422 && answer.fields["/code"] != nil, "\(wrong)")
            }
            let typed = "\u{202D}\(arabic(String(code.prefix(3))))\u{00A0}\(code.suffix(3))\u{202C}"
            #expect(try await enter(typed).status == 201)
        }
    }

    @Test("I2: one number is one account, with the zero of calls inside the country and without")
    func trunk() async throws {
        try await World.run { world async throws in
            var person = Person()
            person.mobile = "+46 (0)70-123 45 67"
            let tokens = try await world.join(person)
            let me = try await world.send("GET", "v1/accounts/me", token: tokens.access)
            #expect(me["mobile"] == "+46701234567")
            for mobile in [
                "+46701234567", "+46 070 123 45 67", "0046 70 123 45 67", "+٤٦٧٠١٢٣٤٥٦٧",
                "\u{202D}+46701234567\u{202C}",
            ] {
                var other = Person()
                other.mobile = mobile
                #expect(try await world.post("accounts", other.json).fields == ["/mobile": "taken"], "\(mobile)")
                let login: JSONValue = ["login": .string(mobile), "password": .string(person.password)]
                #expect(try await world.post("sessions", login).status == 201, "\(mobile)")
            }
            for mobile in ["+46 8 123 456 78", "070 123 45 67", "+966 11 234 5678"] {
                var other = Person()
                other.mobile = mobile
                #expect(try await world.post("accounts", other.json).fields == ["/mobile": "not-a-phone-number"])
            }
        }
    }

    @Test("I4: who was kept with the zero logs in as before, and is mended once, unless somebody has proved the number")
    func former() async throws {
        try await World.run { world async throws in
            func keep(_ person: Person, as number: String) async throws -> UUID {
                let account = try await world.register(person)
                let cipher = world.parts.cipher
                try await world.pool.execute(
                    SetMobile(
                        account: account, sealed: try cipher.seal(number, .mobile, of: account),
                        hash: cipher.hash(number, for: .mobile)))
                return account
            }
            let (old, twice, right) = (Person(), Person(), Person())
            _ = try await keep(old, as: "+460701234567")
            _ = try await keep(twice, as: "+460701111111")
            let owner = try await keep(right, as: "+46701111111")
            try await world.pool.execute(ProveBoth(account: owner))
            func logIn(_ name: String, _ person: Person) async throws -> Int {
                try await world.post("sessions", ["login": .string(name), "password": .string(person.password)]).status
            }
            #expect(try await logIn("+46 (0)70 123 45 67", old) == 201)
            #expect(try await logIn("+46 70 123 45 67", old) == 401)
            let mend = MendNumbers(pool: world.pool, cipher: world.parts.cipher)
            #expect(try await mend() == (1, 1))
            #expect(try await mend() == (0, 1))
            #expect(try await logIn("+46 (0)70 123 45 67", old) == 201)
            #expect(try await logIn("+46 70 123 45 67", old) == 201)
            // Whoever has the number itself is meant.
            let session = try await world.post(
                "sessions", ["login": "+46 (0)70 111 11 11", "password": .string(right.password)])
            #expect(session.status == 201 && session["account"] == owner.text)
        }
    }

    @Test("I1: a name has a letter that is seen, and so has that of the adult who comes along")
    func names() async throws {
        var onboarding = Market.Onboarding()
        onboarding.customerAges = .init(minimum: 13, adultBelow: 16)
        try await World.run(onboarding: onboarding) { world async throws in
            let born = CalendarDate(of: world.clock.now.addingTimeInterval(-14 * 366 * 86_400), in: .gmt).text
            func register(_ name: String, _ adult: String) async throws -> Answer {
                guard case .object(var body) = Person().json else { throw CancellationError() }
                body["name"] = .string(name)
                body["birthDate"] = .string(born)
                body["accompaniedBy"] = .string(adult)
                return try await world.post("accounts", .object(body))
            }
            for nothing in ["\u{3164}", "\u{2800}", "\u{200D}", "...", "12", "\u{301}", "\u{00A0}\u{200B}", "🙂"] {
                let answer = try await register(nothing, nothing)
                #expect(answer.status == 422, "\(nothing.unicodeScalars)")
                #expect(Set(answer.fields.keys) == ["/name", "/accompaniedBy"])
            }
            #expect(try await register("نورة", "李").status == 201)
            let typed = try await register("\u{202B}Ｎｏｕｒａ\u{202C}\u{00A0}Al-Harbi", "Salma")
            #expect(typed["name"] == "Noura Al-Harbi" || typed.status == 201)
        }
    }

    @Test("I6: a name is not emptied by a change: by its owner and by an admin the rule of the registration holds")
    func changedNames() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let tokens = try await world.join(Person())
            let paths = [
                ("v1/accounts/me", tokens.access), ("v1/markets/assef/people/\(tokens.account.text)", admin.access),
            ]
            for (path, token) in paths {
                func change(_ body: JSONValue) async throws -> Answer {
                    try await world.send("PATCH", path, body, token: token)
                }
                let before = try await world.send("GET", "v1/accounts/me", token: tokens.access)["name"]
                for nothing in ["", " ", "\u{200B}", "\u{0640}\u{0640}", "\u{3164}", "\u{200F}", "\u{2800}"] {
                    let answer = try await change(["name": .string(nothing)])
                    #expect(answer.status == 422, "\(path) \(nothing.unicodeScalars)")
                    #expect(answer.fields == ["/name": "required"])
                }
                #expect(try await change(["name": "12"]).fields == ["/name": "name-characters"])
                #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access)["name"] == before)
                #expect(try await change(["name": .null, "language": "ar"]).status < 300)
                #expect(try await change(["name": "نـــورة"]).status < 300)
                #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access)["name"] == "نـــورة")
                #expect(try await change(["name": "Noura"]).status < 300)
            }
            let place: JSONValue = [
                "market": "assef", "label": "home", "name": "\u{0640}\u{0640}",
                "coordinates": ["latitude": .number(24.7136), "longitude": .number(46.6753)],
            ]
            let saved = try await world.post("accounts/me/places", place, token: tokens.access)
            #expect(saved.fields == ["/name": "required"])
        }
    }

    @Test("P10: the two rules of what shows itself are one, for every character that there is")
    func visible() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            if ShowableText.isVisible(scalar) != TypedText.showsSomething(String(scalar)) {
                Issue.record("\(String(value, radix: 16))")
            }
        }
    }

    @Test("I1: a day that is to come and a day too long ago are told apart")
    func days() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            func change(_ day: String) async throws -> Answer {
                try await world.send("PATCH", "v1/accounts/me", ["birthDate": .string(day)], token: tokens.access)
            }
            #expect(try await change("1899-01-01").fields == ["/birthDate": "too-long-ago"])
            #expect(try await change("2999-01-01").fields == ["/birthDate": "not-in-the-past"])
            #expect(try await change("2001-02-29").fields == ["/birthDate": "not-a-date"])
            #expect(try await change("١٩٩٠-٠٥-١٧").status == 200)
        }
    }

    @Test("I11: an empty text as the end of a ban is no ban for ever, and no day that there is not is another one")
    func bans() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let account = try await world.register(Person())
            for until in ["", " ", "\u{200B}", "2999-02-30T00:00:00Z", "2999-01-01T25:00:00Z", "2999-01-01T00:00:00Zx"]
            {
                let body: JSONValue = [
                    "account": .string(account.text), "reason": "Rude", "until": .string(until),
                ]
                let answer = try await world.post("markets/assef/bans", body, token: admin.access)
                #expect(answer.fields == ["/until": "not-a-time"], "\(until)")
            }
            #expect(try await world.send("GET", "v1/markets/assef/bans", token: admin.access).items.isEmpty)
        }
    }

    @Test("I3: spaces of every keyboard are one password, and one from before they were is still taken")
    func passwords() async throws {
        try await World.run { world async throws in
            var person = Person()
            person.password = "Long\u{00A0}secret 42"
            _ = try await world.register(person)
            func logIn(_ password: String) async throws -> Int {
                try await world.post("sessions", ["login": .string(person.email), "password": .string(password)]).status
            }
            #expect(try await logIn("Long secret 42") == 201)
            #expect(try await logIn("Long\u{3000}secret\u{2009}42") == 201)
            // Nothing else of it is touched.
            #expect(try await logIn("Ｌong secret 42") == 401)
            #expect(try await logIn("\u{202D}Long secret 42") == 401)
            let hasher = world.parts.hasher
            let old = try Argon2id(memoryKiB: 64, passes: 1).hash(
                Array("Long\u{00A0}secret 42".utf8), salt: Array(repeating: 7, count: Argon2id.saltBytes))
            #expect(try await hasher.verify(Redacted("Long\u{00A0}secret 42"), against: old))
            #expect(try await !hasher.verify(Redacted("Long secret 42"), against: old))
            var long = Person()
            long.password = "A1" + String(repeating: "1", count: 200)
            let answer = try await world.post("accounts", long.json)
            #expect(answer.fields == ["/password": "too-long"])
        }
    }

    @Test("I5: Nafath's number may be written as in its own country")
    func nafath() throws {
        for mobile in [
            "0501234567", "501234567", "966501234567", "+966501234567", "٠٥٠١٢٣٤٥٦٧", "\u{202D}0501234567\u{202C}",
        ] {
            let person = try NafathPerson(
                nationalID: "\u{202D}١٠٢٣٤٥٦٧٨٩\u{202C}", firstName: "Noura", lastName: "Al-Harbi", mobile: mobile,
                gender: nil, jobTitle: nil)
            #expect(person.mobile.text == "+966501234567", "\(mobile)")
            #expect(person.nationalID.text == "1023456789")
        }
    }
}

private struct SetMobile: Statement {
    static let sql: SQL = """
        UPDATE accounts SET mobile = $2, mobile_hash = $3, mobile_proved_at = NULL WHERE id = $1
        """
    let account: UUID
    let sealed: [UInt8]
    let hash: [UInt8]

    func bind(_ bindings: inout Bindings) { bindings.append(account, sealed, hash) }
}
