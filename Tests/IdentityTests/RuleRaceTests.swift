import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Rules that two requests at once do not get around", .timeLimit(.minutes(15)))
struct RuleRaceTests {
    @Test("I9: of two who ask a third at once the second counts the first one's link: none has more than may be")
    func links() async throws {
        try await World.run { world async throws in
            let (first, second) = (try await world.register(Person()), try await world.register(Person()))
            let asked = try await world.register(Person())
            // All places but one are taken.
            let third = try await world.register(Person())
            for number in 1..<Link.maximum {
                let link = Link.asked(
                    .timeOrdered(), .family, market: "m\(number)", from: third, to: asked, scopes: [])
                try await world.pool.execute(InsertLink(link: link, now: world.clock.now))
            }
            let late = try await world.pool.withTransaction { transaction in
                #expect(try await Self.isAsked(asked, by: first, world, in: transaction))
                // The other one comes before the first one's commit.
                let late = Self.later(asked, by: second, world)
                try await eventually("the second one waits, or is done") {
                    let waiting = try await world.pool.first(CountWaiting()) ?? 0
                    let linked = try await world.pool.first(CountLinks(account: second)) ?? 0
                    return waiting + linked > 0
                }
                return late
            }
            #expect(try await late.value == false)
            #expect(try await world.pool.first(CountLinks(account: asked)) == Link.maximum)
        }
    }

    /// Whether there was room for another link.
    private static func isAsked(
        _ asked: UUID, by account: UUID, _ world: World, in transaction: PostgresTransaction
    ) async throws -> Bool {
        let link = Link.asked(.timeOrdered(), .friend, market: nil, from: account, to: asked, scopes: [])
        do {
            try await world.parts.changeLinks.ask(link, at: world.clock.now, in: transaction)
            return true
        } catch LinkError.tooMany {
            return false
        }
    }

    private static func later(_ asked: UUID, by account: UUID, _ world: World) -> Task<Bool, any Error> {
        Task { try await world.pool.withTransaction { try await isAsked(asked, by: account, world, in: $0) } }
    }

    @Test("I1: another date of birth and another role at once are not both taken where they do not fit together")
    func ages() async throws {
        var onboarding = Market.Onboarding()
        onboarding.providerAges = ["nurse": 20]
        try await World.run(onboarding: onboarding) { world async throws in
            for _ in 0..<3 {
                let tokens = try await world.join(Person())
                let path = "v1/accounts/me"
                let young = CalendarDate(of: world.clock.now.addingTimeInterval(-15 * 366 * 86_400), in: .gmt).text
                #expect(
                    try await world.send("PATCH", path, ["birthDate": "1990-05-17"], token: tokens.access).status == 200
                )
                // Both have read the form before either can change the account.
                let (one, other) = try await world.pool.withTransaction { transaction in
                    _ = try await Accounts.lock(tokens.account, in: transaction)
                    let younger = Task {
                        try await world.send(
                            "PATCH", path, ["birthDate": .string(young)], token: tokens.access
                        ).status
                    }
                    let role: JSONValue = ["market": "assef", "role": "provider", "title": "nurse"]
                    let nurse = Task { try await world.post("accounts/me/roles", role, token: tokens.access).status }
                    try await eventually("both wait") { try await world.pool.first(CountWaiting()) == 2 }
                    return (younger, nurse)
                }
                let statuses = try await [one.value, other.value]
                #expect(statuses.filter { $0 == 422 }.count == 1 && statuses.contains { $0 < 300 }, "\(statuses)")
                let profile = try #require(try await world.parts.readProfile(tokens.account, at: world.clock.now))
                let isNurse = profile.account.role(.provider, in: "assef") != nil
                #expect(isNurse == (profile.birthDate?.text == "1990-05-17"))
            }
        }
    }
}

private struct CountLinks: Statement {
    static let sql: SQL = "SELECT count(*) FROM links WHERE from_account = $1 OR to_account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Requests that wait for another's lock.
private struct CountWaiting: Statement {
    static let sql: SQL = """
        SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
