import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Logging in", .timeLimit(.minutes(15)))
struct LoginTests {
    private func attempt(
        _ world: World, _ login: String, _ password: String, from address: String? = nil
    ) async throws
        -> Answer
    {
        try await world.send(
            "POST", "v1/sessions", ["login": .string(login), "password": .string(password)], from: address)
    }

    @Test("I4: one logs in by e-mail address in any case, or by mobile number as it is written")
    func bothWays() async throws {
        try await World.run { world async throws in
            let person = Person()
            let account = try await world.register(person)
            for login in [
                person.email, " \(person.email.lowercased()) ", person.mobile,
                person.mobile.replacing("+966", with: "00966 "),
            ] {
                let answer = try await attempt(world, login, person.password)
                #expect(answer.status == 201, "\(login)")
                #expect(answer["account"] == account.text)
                #expect(answer.json?["expiresIn"] == 600)
                #expect(answer.headers["cache-control"] == "no-store")
            }
        }
    }

    @Test("I15: the access token names account, session, roles and language, and is accepted")
    func token() async throws {
        try await World.run { world async throws in
            let person = Person.provider()
            let tokens = try await world.join(person)
            let caller = try await world.bootstrap.tokenVerifier().verify(tokens.access)
            #expect(caller.accountID == tokens.account)
            #expect(caller.sessionID != nil)
            #expect(caller.roles == [MarketRole(market: "assef", role: "provider")])
            #expect(caller.verifiedMarkets.isEmpty)
            #expect(caller.language == .arabic)
            #expect(abs(caller.expires.timeIntervalSince(world.clock.now) - 600) <= 1)
            let me = try await world.send("GET", "v1/accounts/me", token: tokens.access)
            #expect(me["email"] == person.email)
            #expect(me["mobile"] == person.mobile)
        }
    }

    @Test("I4: a wrong password and an unknown account get the same answer for the same work")
    func unknown() async throws {
        try await World.run { world async throws in
            let person = Person()
            try await world.register(person)
            var answers: [Answer] = []
            for login in [person.email, Person().email, Person().mobile, "nobody at all"] {
                let before = world.parts.hasher.computed
                answers.append(try await attempt(world, login, "Wrong-password-12"))
                #expect(world.parts.hasher.computed == before + 1, "\(login)")
            }
            #expect(Set(answers.map(\.status)) == [401])
            #expect(
                Set(answers.map { $0["title"] }) == [
                    "Invalid authentication, please provide correct phone number and password"
                ])
            #expect(Set(answers.map { $0["detail"] }).count == 1)
            #expect(Set(answers.map { $0.headers.keys.sorted() }).count == 1)
        }
    }

    @Test(
        "I4: failures of a name slow it down and lock it, from any address; the account's other name is not touched",
        .timeLimit(.minutes(15)))
    func lock() async throws {
        // In the past, so that tokens of the end of the test are not from the future.
        try await World.run(clock: FixedClock(Date() - 1_500)) { world async throws in
            let person = Person()
            try await world.register(person)
            var failures = 0
            while failures < 10 {
                let login = failures.isMultiple(of: 2) ? person.email : person.email.uppercased()
                let answer = try await attempt(world, login, "Wrong-password-12", from: "203.0.113.\(failures)")
                if answer.status == 429 {
                    #expect(answer.slug == "login-delayed")
                    world.clock.advance(by: .seconds(try #require(answer.headers["retry-after"].flatMap(Int.init))))
                } else {
                    #expect(answer.status == 401)
                    failures += 1
                }
            }
            let hashes = world.parts.hasher.computed
            let locked = try await attempt(world, person.email, person.password, from: "198.51.100.7")
            #expect(locked.status == 429)
            #expect(locked.headers["retry-after"] == "900")
            #expect(world.parts.hasher.computed == hashes)
            // Whoever guesses does not learn that the two names are one account's.
            #expect(try await attempt(world, person.mobile, "Wrong-password-12").status == 401)
            world.clock.advance(by: .seconds(901))
            #expect(try await attempt(world, person.email, person.password).status == 201)
        }
    }

    @Test("I4: an account that there is not is slowed down as one that there is")
    func unknownIsLocked() async throws {
        try await World.run { world async throws in
            let login = Person().email
            var statuses: [Int] = []
            for _ in 0..<5 { statuses.append(try await attempt(world, login, "Wrong-password-12").status) }
            #expect(statuses == [401, 401, 401, 401, 429])
        }
    }

    @Test("I4: the right password forgets the failures before it")
    func forgiven() async throws {
        try await World.run { world async throws in
            let person = Person()
            try await world.register(person)
            for _ in 0..<3 {
                for _ in 0..<3 {
                    #expect(try await attempt(world, person.email, "Wrong-password-12").status == 401)
                }
                #expect(try await attempt(world, person.email, person.password).status == 201)
            }
        }
    }

    @Test("I4: many guesses at once are no better than one after the other")
    func parallelGuesses() async throws {
        try await World.run { world async throws in
            let person = Person()
            try await world.register(person)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await attempt(world, person.email, "Wrong-password-12").status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 401 } == 4)
            #expect(statuses.count { $0 == 429 } == 16)
        }
    }

    @Test("I4: an address that tries many accounts is slowed down, another is not")
    func address() async throws {
        try await World.run { world async throws in
            let origin = world.parts.cipher.hash("203.0.113.9", for: .failuresOfAddress)
            let failures = LoginThrottle.Failures(count: 50, lastAt: world.clock.now, blockedUntil: nil)
            try await world.pool.withTransaction { transaction in
                transaction.send(LockLoginFailures(subject: origin, now: world.clock.now))
                transaction.send(StoreLoginFailures(subject: origin, failures: failures))
            }
            let person = Person()
            try await world.register(person)
            #expect(
                try await attempt(world, Person().email, "Wrong-password-12", from: "203.0.113.9").status == 401)
            #expect(try await attempt(world, person.email, person.password, from: "203.0.113.9").status == 429)
            #expect(try await attempt(world, person.email, person.password, from: "203.0.113.10").status == 201)
        }
    }

    @Test("I4, P10: of IPv6 a whole /64 is one address: whoever has one has all of its addresses")
    func network() async throws {
        try await World.run { world async throws in
            let network = "2001:db8:1:2::/64"
            let origin = world.parts.cipher.hash(network, for: .failuresOfAddress)
            let failures = LoginThrottle.Failures(count: 50, lastAt: world.clock.now, blockedUntil: nil)
            try await world.pool.withTransaction { transaction in
                transaction.send(LockLoginFailures(subject: origin, now: world.clock.now))
                transaction.send(StoreLoginFailures(subject: origin, failures: failures))
            }
            let person = Person()
            try await world.register(person)
            let wrong = try await attempt(world, Person().email, "Wrong-password-12", from: "2001:db8:1:2::9")
            #expect(wrong.status == 401)
            for address in ["2001:db8:1:2::9", "2001:db8:1:2:ffff::1", "2001:DB8:1:2:0:0:0:77"] {
                #expect(try await attempt(world, person.email, person.password, from: address).status == 429)
            }
            for address in ["2001:db8:1:3::9", "203.0.113.10"] {
                #expect(try await attempt(world, person.email, person.password, from: address).status == 201)
            }
        }
    }

    @Test("I4: many people behind one address log in at the same moment")
    func crowd() async throws {
        try await World.run(["SERAI_IDENTITY_PASSWORD_QUEUE": "1000"]) { world async throws in
            let people = (0..<60).map { _ in Person() }
            func each(_ body: @escaping @Sendable (Person) async throws -> Int) async throws -> Set<Int> {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for person in people { group.addTask { try await body(person) } }
                    return try await group.reduce(into: []) { $0.insert($1) }
                }
            }
            let registered = try await each { try await world.post("accounts", $0.json).status }
            #expect(registered == [201])
            let loggedIn = try await each { try await attempt(world, $0.email, $0.password).status }
            #expect(loggedIn == [201])
        }
    }

    @Test("I4: a login that nobody waits for any more is no failure, and leaves no wait behind")
    func cancelled() async throws {
        try await World.run { world async throws in
            let person = Person()
            try await world.register(person)
            for _ in 0..<3 { #expect(try await attempt(world, person.email, "Wrong-password-12").status == 401) }
            let subject = world.parts.cipher.hash(LoginName(person.email).normalized, for: .failuresOfName)
            let hasher = try PasswordHasher(threadCount: 1, limit: 1_000)
            defer { hasher.stop() }
            let check = CheckCredentials(pool: world.pool, cipher: world.parts.cipher, hasher: hasher)
            // They keep the one thread busy while the login waits.
            let before = (0..<500).map { _ in Task { try await hasher.hash(Redacted("Serai-2026-secret")) } }
            try await eventually("the thread is busy") { hasher.pending >= 100 }
            let login = Task {
                try await check(
                    LoginName(person.email), Redacted(person.password), from: "203.0.113.1", at: world.clock.now)
            }
            try await eventually("the attempt is counted") {
                try await world.pool.first(FindLoginFailures(subject: subject))?.count == 4
            }
            login.cancel()
            await #expect(throws: CancellationError.self) { try await login.value }
            for task in before { task.cancel() }
            let failures = try #require(try await world.pool.first(FindLoginFailures(subject: subject)))
            #expect(failures.count == 3)
            #expect(failures.blockedUntil == nil)
            #expect(try await attempt(world, person.email, person.password).status == 201)
        }
    }

    @Test("a refused hash is no failure of the account")
    func busy() async throws {
        try await World.run { world async throws in
            let person = Person()
            let account = try await world.register(person)
            // No slot at all: every hash is refused.
            let hasher = try PasswordHasher(threadCount: 1, limit: 0)
            defer { hasher.stop() }
            let check = CheckCredentials(pool: world.pool, cipher: world.parts.cipher, hasher: hasher)
            for _ in 0..<5 {
                await #expect(throws: PasswordHasher.Busy.self) {
                    _ = try await check(
                        LoginName(person.email), Redacted(person.password), from: "203.0.113.1", at: world.clock.now)
                }
            }
            #expect(try await world.logIn(person).account == account)
        }
    }

    @Test("a login that is repeated with its Idempotency-Key is one session, and the key alone opens none")
    func idempotent() async throws {
        try await World.run { world async throws in
            let person = Person()
            try await world.register(person)
            let key = UUID().uuidString
            let right: JSONValue = ["login": .string(person.email), "password": .string(person.password)]
            let wrong: JSONValue = ["login": .string(person.email), "password": "Wrong-password-12"]
            let first = try await world.post("sessions", right, key: key)
            #expect(first.status == 201)
            #expect(try await world.post("sessions", right, key: key).bytes == first.bytes)
            let thief = try await world.post("sessions", wrong, key: key)
            #expect(thief.status == 401)
            #expect(!thief.description.contains(try Tokens(first).refresh))
        }
    }

    @Test("I4: fields that are missing are named, and cost no hash")
    func missing() async throws {
        try await World.run { world async throws in
            let before = world.parts.hasher.computed
            let answer = try await world.post("sessions", [:])
            #expect(answer.fields == ["/login": "required", "/password": "required"])
            #expect(world.parts.hasher.computed == before)
        }
    }
}
