import Contracts
import Foundation
import Logging
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

@Suite("N5: how general notices go out", .timeLimit(.minutes(15)))
struct NoticeFanOutTests {
    /// No process of the service runs: the test takes the steps.
    private static func fanOut(
        _ world: World, perSecond: Int = 1_000_000, at now: @escaping @Sendable () -> Date = { Date() }
    ) -> NoticeFanOut {
        NoticeFanOut(
            pool: world.pool, hub: StreamHub(), pace: NoticePace(perSecond: perSecond), clock: now,
            logger: TestThreads.logger)
    }

    private static func make(_ world: World, dueAt: Date = Date()) async throws -> UUID {
        let draft = NoticeDraft(
            subject: ["en": "Hello", "ar": "مرحبًا"], content: ["en": "All", "ar": "الجميع"],
            audience: NoticeAudience(group: .all, title: nil, language: nil), dueAt: dueAt)
        let id = UUID.timeOrdered()
        _ = try await world.pool.query(
            InsertGeneralNotice(
                id: id, market: "assef", arguments: try draft.arguments(), audience: draft.audience, dueAt: dueAt,
                admin: .timeOrdered(), now: Date()))
        return id
    }

    private static func crowd(_ count: Int, in world: World) async throws -> [UUID] {
        let accounts = (0..<count).map { _ in UUID.timeOrdered() }
        _ = try await world.pool.execute(InsertCrowd(accounts: accounts))
        return accounts
    }

    private static func find(_ notice: UUID, in world: World) async throws -> GeneralNotice {
        try #require(try await world.pool.first(FindGeneralNotice(market: "assef", id: notice)))
    }

    private static func items(in world: World) async throws -> [UUID: Int] {
        Dictionary(uniqueKeysWithValues: try await world.pool.query(CountNoticeItems()))
    }

    @Test("N5: a worker that is killed within a step leaves nothing half done; others go on without a gap or a repeat")
    func killed() async throws {
        try await World.run { world in
            let people = try await Self.crowd(3 * NoticePace.step + 17, in: world)
            let notice = try await Self.make(world)
            let fanOut = Self.fanOut(world)
            #expect(try await fanOut.step() != nil)
            // A step whose session ends before its commit.
            struct Killed: Error {}
            await #expect(throws: Killed.self) {
                try await world.pool.withTransaction { transaction in
                    let locked = try #require(try await transaction.first(LockDueNotice(now: Date())))
                    let next = try await transaction.query(ListNoticePeople(notice: locked, limit: NoticePace.step))
                    _ = try await transaction.execute(
                        WriteNotices(
                            notices: next.map { .general(notice, to: $0.account, at: Date(), id: .timeOrdered()) }))
                    throw Killed()
                }
            }
            #expect(try await Self.items(in: world).count == NoticePace.step)
            let second = Self.fanOut(world)
            try await eventually("everybody has it") {
                async let one = fanOut.step()
                async let other = second.step()
                _ = try await (one, other)
                return try await Self.find(notice, in: world).state == "gone"
            }
            let items = try await Self.items(in: world)
            #expect(Set(items.keys) == Set(people) && items.values.allSatisfy { $0 == 1 })
            #expect(try await Self.find(notice, in: world).recipients == people.count)
        }
    }

    @Test("N5: processes of the service share a notice, and one that stops in the middle loses and repeats nobody")
    func processes() async throws {
        try await World.run { world in
            let people = try await Self.crowd(2_500, in: world)
            let notice = try await Self.make(world)
            let settings = ["SERAI_NOTICES_PER_SECOND": "1000"]
            let first = try await NotificationsProcess.start(world, settings)
            try await eventually("it has begun") { try await Self.find(notice, in: world).recipients > 0 }
            let second = try await NotificationsProcess.start(world, settings)
            try await first.stop()
            try await eventually("everybody has it") { try await Self.find(notice, in: world).state == "gone" }
            try await second.stop()
            let items = try await Self.items(in: world)
            #expect(Set(items.keys) == Set(people) && items.values.allSatisfy { $0 == 1 })
        }
    }

    @Test("N5: an order's message comes while a notice goes out to thousands")
    func orders() async throws {
        try await World.run { world in
            let people = try await Self.crowd(4_000, in: world)
            let notice = try await Self.make(world)
            try await world.withProcess(["SERAI_NOTICES_PER_SECOND": "500"]) { process in
                let sample = Sample(customer: people[3_999])
                try await world.publish(sample.requested())
                try await eventually("the provider hears of the order") {
                    try await process.inbox(sample.provider).count == 1
                }
                #expect(try await Self.find(notice, in: world).state != "gone")
            }
        }
    }

    @Test("N5: a notice goes at its time and not before, and all processes together keep the pace")
    func pace() async throws {
        try await World.run { world in
            _ = try await Self.crowd(NoticePace.step + 1, in: world)
            let due = Date(timeIntervalSinceNow: 3_600)
            let notice = try await Self.make(world, dueAt: due)
            #expect(try await Self.fanOut(world, at: { due.addingTimeInterval(-1) }).step() == nil)
            // One a second: the step's people count for four minutes.
            #expect(try await Self.fanOut(world, perSecond: 1, at: { due }).step() == .seconds(NoticePace.step))
            #expect(try await Self.fanOut(world, at: { due.addingTimeInterval(60) }).step() == nil)
            #expect(try await Self.find(notice, in: world).state == "going")
            #expect(NoticePace(perSecond: 1_000).pauseSeconds(after: 250) == 0.25)
            #expect(NoticePace(perSecond: 1_000).pauseSeconds(after: 0) == 0)
        }
    }

    @Test("N5: of a cancellation and the first step one wins: all have it, or nobody", arguments: 0..<10)
    func race(round: Int) async throws {
        try await World.run { world in
            let people = try await Self.crowd(20, in: world)
            let notice = try await Self.make(world)
            async let going = Self.fanOut(world).step()
            async let cancelled = world.pool.first(
                CancelGeneralNotice(market: "assef", id: notice, isCancelled: true, version: nil))
            let isCancelled = try await cancelled != nil
            _ = try await going
            let found = try await Self.find(notice, in: world)
            #expect(found.state == (isCancelled ? "cancelled" : "gone"))
            #expect(try await Self.items(in: world).count == (isCancelled ? 0 : people.count))
            #expect(try await Self.fanOut(world).step() == nil)
        }
    }

    @Test("N2, N5: the push messages of a notice are taken after those of orders, also on the same device")
    func pushes() async throws {
        try await World.run { world in
            let account = UUID.timeOrdered()
            let people = try await Self.crowd(30, in: world) + [account]
            _ = try await world.pool.execute(InsertCrowd(accounts: [account]))
            for person in people { _ = try await world.pool.execute(InsertPhone(account: person)) }
            let notice = try await Self.make(world)
            try await eventually("everybody has it") {
                _ = try await Self.fanOut(world).step()
                return try await Self.find(notice, in: world).state == "gone"
            }
            try await world.pool.withTransaction { transaction in
                NoticeWriter.of(transaction, StreamHub()).tell([
                    try .item(
                        .orderOnTheWay, ["provider": .text("Noura")], to: account, order: nil, at: Date(),
                        id: .timeOrdered())
                ])
            }
            let first = try await world.pool.query(ClaimPushes(kind: .fcm, limit: 1, leaseSeconds: 60, fullHosts: []))
            #expect(first.map(\.item.topic) == ["order.on-the-way"])
            let then = try await world.pool.query(ClaimPushes(kind: .fcm, limit: 100, leaseSeconds: 60, fullHosts: []))
            #expect(then.count == people.count && then.allSatisfy { $0.kind == "general" })
            let words = InboxTexts(catalogue: try Self.catalogue())
            #expect(then.first.map { words.view($0.item, in: .english).content } == "All")
        }
    }

    private static func catalogue() throws -> ProblemCatalogue {
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in NotificationsService.catalogues { try catalogue.add(language, json: json) }
        return catalogue
    }
}

/// A phone as its registration stores it; its address is not read here.
private struct InsertPhone: Statement {
    static let sql: SQL = """
        INSERT INTO devices (account, id, session, market, kind, host, fingerprint, sealed, created_at, seen_at)
        VALUES ($1::uuid, gen_random_uuid(), gen_random_uuid(), 'assef', 'fcm', 'fcm.example', $1::uuid::text, '',
            now(), now())
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
