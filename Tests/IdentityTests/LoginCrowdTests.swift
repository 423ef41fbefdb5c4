import AsyncHTTPClient
import Dispatch
import Foundation
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("A crowd that logs in", .timeLimit(.minutes(15)))
struct LoginCrowdTests {
    @Test(
        "I4: 200 logins at once are all answered, by a session or by a 503 that says when; others are answered meanwhile"
    )
    func crowd() async throws {
        // Room for few, so that some are refused.
        let settings = ["SERAI_IDENTITY_PASSWORD_THREADS": "1", "SERAI_IDENTITY_PASSWORD_QUEUE": "4"]
        try await World.run(settings, argon2id: .owasp) { world async throws in
            let people = (0..<200).map { _ in Person() }
            // The same password, so one hash is enough to make them all.
            let hash = try await world.parts.hasher.hash(Redacted(people[0].password))
            for person in people { try await register(person, hash, world) }
            let other = try await world.join(Person())
            let isOver = Flag()
            async let others = untilOver(isOver, other, world)
            let refused = try await withThrowingTaskGroup(of: [Answer].self) { group in
                for (index, person) in people.enumerated() {
                    group.addTask { try await untilLoggedIn(person, from: "203.0.113.\(index)", world) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            await isOver.raise()
            #expect(try await others == [200])
            for answer in refused {
                #expect(answer.status == 503)
                #expect(answer.slug == "unavailable")
                #expect(answer.headers["retry-after"].flatMap(Int.init) ?? 0 > 0)
            }
            #expect(world.parts.hasher.pending == 0)
            // None of them counts as a failure.
            let rows = try #require(try await world.pool.first(CountRows()))
            #expect(rows.sessions == 201)
        }
    }

    /// How long others wait is a figure of `make bench-identity`; here is why they do not wait for the logins.
    @Test(
        "I4, Q1: while 200 logins at once wait for their hash others are answered, and no request's thread computes one"
    )
    func othersGoOn() async throws {
        let settings = [
            "SERAI_IDENTITY_PASSWORD_THREADS": "2", "SERAI_IDENTITY_PASSWORD_QUEUE": "300",
            // However slow the machine is.
            "SERAI_HTTP_REQUEST_SECONDS": "120",
        ]
        try await World.run(settings, argon2id: .owasp) { world async throws in
            let people = (0..<200).map { _ in Person() }
            let hasher = world.parts.hasher
            let hash = try await hasher.hash(Redacted(people[0].password))
            for person in people { try await register(person, hash, world) }
            let other = try await world.join(Person())
            // Both threads are kept busy, so whatever is hashed waits until they are let go.
            let gate = DispatchSemaphore(value: 0)
            let client = Self.client()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        try await hasher.onThread { gate.wait() }
                        return 0
                    }
                }
                let outcome: Result<Void, any Error>
                do {
                    try await eventually("both threads are kept busy") { hasher.pending == 2 }
                    for (index, person) in people.enumerated() {
                        group.addTask {
                            try await logIn(person, from: "203.0.113.\(index)", by: client, world).status
                        }
                    }
                    try await eventually("200 logins wait") { hasher.pending == 202 }
                    let computed = hasher.computed
                    var refresh = other.refresh
                    for _ in 0..<10 {
                        #expect(try await world.send("GET", "v1/accounts/me", token: other.access).status == 200)
                        let tokens = try Tokens(
                            try await world.post("sessions/refresh", ["refreshToken": .string(refresh)], key: nil))
                        refresh = tokens.refresh
                        #expect(try await world.post("accounts", [:]).status == 422)
                        #expect(try await world.post("password-resets", ["login": "nobody"]).status == 202)
                    }
                    #expect(hasher.pending == 202 && hasher.computed == computed)
                    outcome = .success(())
                } catch {
                    outcome = .failure(error)
                }
                for _ in 0..<2 { gate.signal() }
                let statuses = try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
                try outcome.get()
                #expect(statuses == [0: 2, 201: 200])
            }
            try await client.shutdown()
        }
    }

    /// With a connection for each of the crowd.
    private static func client() -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    private func logIn(
        _ person: Person, from address: String, by client: HTTPClient = .shared, _ world: World
    ) async throws -> Answer {
        try await world.send(
            "POST", "v1/sessions", ["login": .string(person.email), "password": .string(person.password)],
            from: address, by: client)
    }

    /// - Returns: the statuses of somebody else's requests; there is at least one.
    private func untilOver(
        _ isOver: Flag, _ tokens: Tokens, _ world: World
    ) async throws -> Set<Int> {
        var statuses: Set<Int> = []
        repeat {
            statuses.insert(try await world.send("GET", "v1/accounts/me", token: tokens.access).status)
            try await Task.sleep(for: .milliseconds(200))
        } while await !isOver.isRaised
        return statuses
    }

    private func register(_ person: Person, _ hash: String, _ world: World) async throws {
        let registration = Registration(
            name: try PersonName(person.name), email: try #require(EmailAddress(person.email)),
            mobile: try #require(MobileNumber(person.mobile)), gender: nil, language: .english,
            role: .customer(in: "assef"))
        try await world.pool.withTransaction { transaction in
            _ = try await world.parts.register(
                registration, passwordHash: hash, at: world.clock.now, in: transaction)
        }
    }

    /// - Returns: what was answered before the session was had.
    private func untilLoggedIn(_ person: Person, from address: String, _ world: World) async throws -> [Answer] {
        var refused: [Answer] = []
        while true {
            let answer = try await logIn(person, from: address, world)
            if answer.status == 201 { return refused }
            try #require(refused.count < 1_000)
            refused.append(answer)
            guard answer.status == 503 else { return refused }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}

private actor Flag {
    private(set) var isRaised = false
    func raise() { isRaised = true }
}
