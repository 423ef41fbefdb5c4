import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("People who leave", .timeLimit(.minutes(15)))
struct LeavingTests {
    @Test("I12, N1: a refused deletion says what is open, in both languages; of somebody who is gone nothing is left")
    func told() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                for (account, language) in [(sample.customer, "en"), (sample.provider, "ar")] {
                    try await world.publish(sample.registered(account, language: language))
                    try await world.publish(
                        DeletionRefused(
                            deletion: .timeOrdered(), account: account, version: 5,
                            obstacles: DeletionObstacle.allCases, orders: [], at: sample.start))
                }
                try await world.settle()
                let english = try #require(try await process.inbox(sample.customer).first)
                #expect(english.topic == InboxTopic.deletionRefused.rawValue)
                #expect(english.content.contains("an order is open, visits that come again are still ordered"))
                #expect(english.content.contains(", there is money in your wallet, "))
                let arabic = try #require(try await process.inbox(sample.provider).first)
                #expect(arabic.content.contains("يوجد طلب مفتوح"))
                try await world.publish(AccountDeleted(account: sample.customer, version: 6, at: sample.start))
                try await world.settle()
                #expect(try await process.inbox(sample.customer).isEmpty)
                #expect(try await process.inbox(sample.provider).count == 1)
            }
        }
    }

    @Test("I12: what others were told keeps no name of who is gone, and what comes late is told nobody")
    func names() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let (sample, other) = (Sample(), Sample())
                try await world.publish(sample.registered(sample.customer, language: "en"))
                try await world.publish(sample.registered(sample.provider, language: "en"))
                try await world.publish(sample.requested())
                let theirs = Sample(provider: sample.provider, customerName: "Huda")
                try await world.publish(theirs.requested())
                try await world.publish(other.requested())
                try await world.settle()
                func subjects(_ account: UUID) async throws -> Set<String> {
                    Set(try await process.inbox(account).map(\.subject))
                }
                #expect(try await subjects(sample.provider) == ["New request from Salem", "New request from Huda"])
                try await world.publish(AccountDeleted(account: sample.customer, version: 6, at: sample.start))
                try await world.settle()
                try await world.removeNames()
                try await eventually("the name is gone") {
                    try await subjects(sample.provider) == ["New request from —", "New request from Huda"]
                }
                #expect(try await subjects(other.provider).count == 1)
                // Late ones, of the time before.
                try await world.publish(sample.accepted())
                try await world.publish(
                    AccountChanged(
                        account: sample.person(sample.customer, language: "ar", version: 5), at: sample.start))
                try await world.settle()
                #expect(try await process.inbox(sample.customer).isEmpty)
                #expect(try await world.pool.first(FindLanguage(account: sample.customer)) == "")
                #expect(try await world.pool.first(CountEvents(account: sample.customer)) == 0)
                // What names them to somebody else comes late as well.
                try await world.publish(sample.requested(version: 3))
                try await world.settle()
                #expect(try await process.inbox(sample.provider).count == 3)
                #expect(try await subjects(sample.provider) == ["New request from —", "New request from Huda"])
                #expect(try await world.pool.first(CountNamed(account: sample.customer)) == 0)
            }
        }
    }

    @Test("I12: names that very many were told are taken out in parts, by several processes at once")
    func manyNames() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let (sample, other) = (Sample(), Sample())
                for one in [sample, other] {
                    try await world.publish(one.requested())
                    try await world.settle()
                    try await world.pool.execute(CopyItems(account: one.provider, count: 2 * ForgetName.limit))
                }
                let part = try await world.pool.execute(ForgetName(account: sample.customer))
                #expect(part == ForgetName.limit)
                for one in [sample, other] {
                    try await world.publish(AccountDeleted(account: one.customer, version: 6, at: one.start))
                }
                try await world.settle()
                async let first: Void = world.removeNames()
                async let second: Void = world.removeNames()
                _ = try await (first, second)
                // What the process itself has begun ends by itself.
                try await eventually("no name waits") { try await world.pool.first(CountNamesToForget()) == 0 }
                for one in [sample, other] {
                    #expect(try await world.pool.first(CountNamed(account: one.customer)) == 0)
                    #expect(try await process.inbox(one.provider).allSatisfy { $0.subject == "New request from —" })
                }
            }
        }
    }

    @Test("I12: the service itself takes the names out")
    func byItself() async throws {
        try await World.run { world in
            let sample = Sample()
            try await world.withProcess { _ in
                try await world.publish(sample.requested())
                try await world.settle()
                try await world.publish(AccountDeleted(account: sample.customer, version: 6, at: sample.start))
                try await world.settle()
            }
            // At the latest the next process, when it begins.
            try await world.withProcess { process in
                try await eventually("the name is gone") {
                    try await process.inbox(sample.provider).map(\.subject) == ["New request from —"]
                }
            }
        }
    }

    @Test("I12: who owes money hears how much, in the own language")
    func owed() async throws {
        try await World.run { world in
            let sample = Sample()
            try await world.withProcess { process in
                for (account, language) in [(sample.customer, "en"), (sample.provider, "ar")] {
                    try await world.publish(sample.registered(account, language: language))
                    try await world.publish(
                        DeletionRefused(
                            deletion: .timeOrdered(), account: account, version: 5, obstacles: [.unpaid], orders: [],
                            owed: [Money(amount: 12_050, currency: "SAR")], at: sample.start))
                }
                try await world.settle()
                let english = try #require(try await process.inbox(sample.customer).first)
                #expect(english.content.contains("you owe 120.50 SAR"), "\(english.content)")
                let arabic = try #require(try await process.inbox(sample.provider).first)
                #expect(arabic.content.contains("120.50 ر.س"), "\(arabic.content)")
            }
        }
    }

    @Test("I12: of somebody whose last news and whose end are heard together nothing is left")
    func together() async throws {
        try await World.run { world in
            let sample = Sample()
            // So that the queue is there, in which all of it then waits.
            try await world.withProcess { _ in }
            for account in [sample.customer, sample.provider] {
                try await world.publish(sample.registered(account, language: "en"))
                try await world.publish(
                    DeletionRefused(
                        deletion: .timeOrdered(), account: account, version: 5, obstacles: DeletionObstacle.allCases,
                        orders: [], at: sample.start))
            }
            try await world.publish(AccountDeleted(account: sample.customer, version: 6, at: sample.start))
            try await world.withProcess { process in
                try await world.settle()
                #expect(try await process.inbox(sample.customer).isEmpty)
                #expect(try await process.inbox(sample.provider).count == 1)
            }
        }
    }
}

private struct CountEvents: Statement {
    static let sql: SQL = "SELECT count(*) FROM stream_events WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct CountNamed: Statement {
    static let sql: SQL = """
        SELECT count(*) FROM inbox_items WHERE named @> ARRAY[$1::uuid] OR arguments LIKE '%' || $1::uuid::text || '%'
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct CountNamesToForget: Statement {
    static let sql: SQL = "SELECT count(*) FROM names_to_forget"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct CopyItems: Statement {
    static let sql: SQL = """
        INSERT INTO inbox_items (id, account, topic, arguments, order_id, at, named)
        SELECT gen_random_uuid(), account, topic, arguments, order_id, at, named
        FROM inbox_items, generate_series(1, $2) WHERE account = $1
        """
    let account: UUID
    let count: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, count) }
}
