import Contracts
import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Commands to the ledger", .timeLimit(.minutes(15)))
struct LedgerCommandTests {
    static func place(_ person: UUID, _ amount: Int, until: Date? = nil) -> PlaceHold {
        PlaceHold(
            hold: .timeOrdered(), account: person, amount: Money(amount: amount, currency: "SAR"),
            subject: .timeOrdered(), expiresAt: until)
    }

    static func capture(_ hold: UUID, _ shares: [(UUID, Int)]) -> CaptureHold {
        CaptureHold(
            hold: hold, currency: "SAR", shares: shares.map { CaptureHold.Share(to: .wallet($0.0), amount: $0.1) })
    }

    static func pay(_ from: UUID, _ to: UUID, _ amount: Int) -> PostTransfer {
        PostTransfer(
            id: .timeOrdered(), subject: .timeOrdered(), currency: "SAR",
            legs: [PostTransfer.Leg(from: .wallet(from), to: .wallet(to), amount: amount)])
    }

    func expectSound(_ world: LedgerWorld) async throws {
        let check = try await LedgerCheck.whole(world.pool)
        #expect(check.isSound, "\(check.report)")
    }

    @Test("W6: of commands that arrive together, each has its outcome, and one that fails its floor fails alone")
    func together() async throws {
        try await LedgerWorld.run { world in
            let person = UUID.timeOrdered()
            try await world.fund(person, 2_000)
            let asked = (0..<50).map { _ in Self.place(person, 100) }
            try await world.ask(asked)
            try await eventually("all are answered") { world.answerCount == 50 }
            let answers = asked.flatMap { world.answers(to: .place, $0.hold) }
            #expect(answers.count == 50)
            #expect(answers.count { $0 == .refused("insufficient-funds") } == 30)
            #expect(try await world.balance(person) == 0)
            // Each answer names the message that asked, not its neighbour.
            #expect(try await world.pool.first(CountCauses()) == 50)
            try await expectSound(world)
        }
    }

    @Test("W6: a command that is asked again has the same outcome again, whether it was posted or refused")
    func repeated() async throws {
        try await LedgerWorld.run { world in
            let (person, other) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await world.fund(person, 100)
            let (good, bad) = (Self.pay(person, other, 60), Self.pay(person, other, 60))
            try await world.ask([good])
            let first = try await world.answers(to: .post, good.id, count: 1)
            try await world.ask([bad])
            #expect(try await world.answers(to: .post, bad.id, count: 1) == [.refused("insufficient-funds")])
            // The money is there now; who asks for the same transfer hears the same word all the same.
            try await world.fund(person, 1_000)
            try await world.ask([good, bad, good])
            #expect(Set(try await world.answers(to: .post, good.id, count: 3)) == Set(first))
            #expect(
                Set(try await world.answers(to: .post, bad.id, count: 2)) == [.refused("insufficient-funds")])
            #expect(try await world.balance(other) == 60)
            // The id of something else.
            var (subject, amount, legs) = (good, good, good)
            subject.subject = .timeOrdered()
            amount.legs[0].amount += 1
            legs.legs.append(legs.legs[0])
            var refused = bad
            refused.legs[0].amount += 1
            try await world.ask([subject, amount, legs, refused])
            let taken = try await world.answers(to: .post, good.id, count: 6)
            #expect(taken.count { $0 == .refused("key-taken") } == 3, "\(taken)")
            #expect(try await world.answers(to: .post, bad.id, count: 3).contains(.refused("key-taken")))
            let hold = Self.place(person, 50)
            var (dearer, others, later) = (hold, hold, hold)
            dearer.amount.amount += 1
            others.account = other
            later.expiresAt = Date() + 3_600
            try await world.ask([hold])
            _ = try await world.answers(to: .place, hold.hold, count: 1)
            try await world.ask([dearer, others, later, hold])
            let holds = try await world.answers(to: .place, hold.hold, count: 5)
            #expect(holds.count { $0 == .refused("key-taken") } == 3, "\(holds)")
            try await expectSound(world)
        }
    }

    @Test("W6: a hold is divided among shares, and what they leave goes back")
    func divided() async throws {
        try await LedgerWorld.run { world in
            let (person, nurse, driver) = (UUID.timeOrdered(), UUID.timeOrdered(), UUID.timeOrdered())
            try await world.fund(person, 500)
            let hold = Self.place(person, 300)
            // In one batch, as likely as not.
            try await world.ask([hold])
            _ = try await world.answers(to: .place, hold.hold, count: 1)
            #expect(try await world.balance(person) == 200)
            try await world.ask([Self.capture(hold.hold, [(nurse, 200), (driver, 101)])])
            #expect(try await world.answers(to: .capture, hold.hold, count: 1) == [.refused("exceeds-hold")])
            try await world.ask([Self.capture(hold.hold, [(nurse, 200), (driver, 40)])])
            _ = try await world.answers(to: .capture, hold.hold, count: 2)
            #expect(try await world.balance(nurse) == 200)
            #expect(try await world.balance(driver) == 40)
            #expect(try await world.balance(person) == 260)
            try await expectSound(world)
        }
    }

    @Test("W6: a hold captured twice pays once, released twice returns once, and nothing follows its end")
    func twice() async throws {
        try await LedgerWorld.run { world in
            let (person, nurse) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await world.fund(person, 1_000)
            let (captured, released) = (Self.place(person, 300), Self.place(person, 400))
            try await world.ask([captured, released])
            _ = try await world.answers(to: .place, captured.hold, count: 1)
            _ = try await world.answers(to: .place, released.hold, count: 1)
            try await world.ask([
                Self.capture(captured.hold, [(nurse, 300)]), ReleaseHold(hold: released.hold),
                Self.capture(captured.hold, [(nurse, 100)]), ReleaseHold(hold: released.hold),
            ])
            let captures = try await world.answers(to: .capture, captured.hold, count: 2)
            #expect(Set(captures).count == 1, "\(captures)")
            let releases = try await world.answers(to: .release, released.hold, count: 2)
            #expect(Set(releases).count == 1, "\(releases)")
            try await world.ask([Self.capture(released.hold, [(nurse, 400)]), ReleaseHold(hold: captured.hold)])
            #expect(try await world.answers(to: .capture, released.hold, count: 1) == [.refused("hold-ended")])
            #expect(try await world.answers(to: .release, captured.hold, count: 1) == [.refused("hold-ended")])
            #expect(try await world.balance(person) + world.balance(nurse) == 1_000)
            try await expectSound(world)
        }
    }

    @Test("W6: a hold whose end is heard before it is placed is not placed any more, so that no money stays held")
    func endedBeforeBegun() async throws {
        try await LedgerWorld.run { world in
            let (person, nurse) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await world.fund(person, 1_000)
            let (released, captured, poor) = (
                Self.place(person, 300), Self.place(person, 400), Self.place(person, 5_000)
            )
            try await world.ask([ReleaseHold(hold: released.hold), Self.capture(captured.hold, [(nurse, 400)])])
            #expect(try await world.answers(to: .release, released.hold, count: 1) == [.refused("unknown-hold")])
            #expect(try await world.answers(to: .capture, captured.hold, count: 1) == [.refused("unknown-hold")])
            // Whoever places one hears that it has ended, however often.
            for count in 1...2 {
                try await world.ask([released, captured])
                for hold in [released.hold, captured.hold] {
                    let answers = try await world.answers(to: .place, hold, count: count)
                    #expect(answers.allSatisfy { $0 == .refused("hold-ended") }, "\(answers)")
                }
            }
            #expect(try await world.balance(person) == 1_000)
            // What was refused for another reason stays so.
            try await world.ask([poor])
            _ = try await world.answers(to: .place, poor.hold, count: 1)
            try await world.ask([ReleaseHold(hold: poor.hold)])
            #expect(try await world.answers(to: .release, poor.hold, count: 1) == [.refused("unknown-hold")])
            try await world.ask([poor])
            let last = try await world.answers(to: .place, poor.hold, count: 2)
            #expect(last.allSatisfy { $0 == .refused("insufficient-funds") }, "\(last)")
            // In one set, the end first.
            let hold = Hold(
                id: .timeOrdered(), owner: person, currency: "SAR", amount: 100, subject: .timeOrdered(),
                expiresAt: nil)
            let outcomes = try await world.pool.withTransaction {
                try await Ledger.perform([.release(hold: hold.id), .place(hold)], in: $0)
            }
            #expect(outcomes == [.refused(.unknownHold), .refused(.holdEnded)])
            try await expectSound(world)
        }
    }

    @Test("W6: of many that end one hold at the same moment, in whatever way, one has its effect")
    func race() async throws {
        try await LedgerWorld.run { world in
            let (person, nurse) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await world.fund(person, 10_000)
            for _ in 0..<20 {
                let hold = Hold(
                    id: .timeOrdered(), owner: person, currency: "SAR", amount: 500, subject: .timeOrdered(),
                    expiresAt: nil)
                _ = try await world.pool.withTransaction { try await Ledger.perform([.place(hold)], in: $0) }
                let ends: [LedgerCommand] = [
                    .capture(hold: hold.id, shares: [.init(to: .wallet(nurse, "SAR"), amount: 500)]),
                    .release(hold: hold.id), .expire(hold: hold.id),
                ]
                let posted = try await withThrowingTaskGroup(of: [LedgerOutcome].self) { tasks in
                    for index in 0..<6 {
                        tasks.addTask {
                            try await world.pool.withTransaction {
                                try await Ledger.perform([ends[index % 3]], in: $0)
                            }
                        }
                    }
                    return try await tasks.reduce(into: []) { $0 += $1 }
                }
                // The winner and its repeat tell of one transfer; all others are refused.
                #expect(posted.count { $0 == .refused(.holdEnded) } == 4, "\(posted)")
                #expect(Set(posted).count == 2, "\(posted)")
            }
            try await expectSound(world)
        }
    }

    @Test("W6: a hold whose time is over goes back by itself, and cannot be captured any more")
    func expired() async throws {
        try await LedgerWorld.run { world in
            let (person, nurse) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await world.fund(person, 500)
            let holds = (0..<5).map { _ in Self.place(person, 100, until: Date() + 0.5) }
            try await world.ask(holds)
            for hold in holds { _ = try await world.answers(to: .expire, hold.hold, count: 1) }
            #expect(try await world.balance(person) == 500)
            try await world.ask([Self.capture(holds[0].hold, [(nurse, 100)])])
            #expect(try await world.answers(to: .capture, holds[0].hold, count: 1) == [.refused("hold-ended")])
            try await expectSound(world)
        }
    }

    @Test("W6: a transfer is undone by another one, once, as soon as the money is there")
    func reversed() async throws {
        try await LedgerWorld.run { world in
            let (person, other, third) = (UUID.timeOrdered(), UUID.timeOrdered(), UUID.timeOrdered())
            try await world.fund(person, 100)
            let paid = Self.pay(person, other, 80)
            try await world.ask([paid])
            _ = try await world.answers(to: .post, paid.id, count: 1)
            let spent = Self.pay(other, third, 50)
            try await world.ask([spent])
            _ = try await world.answers(to: .post, spent.id, count: 1)
            try await world.ask([ReverseTransfer(id: paid.id)])
            #expect(try await world.answers(to: .reverse, paid.id, count: 1) == [.refused("insufficient-funds")])
            try await world.fund(other, 50)
            try await world.ask([ReverseTransfer(id: paid.id), ReverseTransfer(id: paid.id)])
            let answers = try await world.answers(to: .reverse, paid.id, count: 3)
            #expect(answers.count == 3 && Set(answers).count == 2, "\(answers)")
            #expect(try await world.balance(person) == 100)
            #expect(try await world.balance(other) == 0)
            let nothing = UUID.timeOrdered()
            try await world.ask([ReverseTransfer(id: nothing)])
            #expect(try await world.answers(to: .reverse, nothing, count: 1) == [.refused("unknown-transfer")])
            try await expectSound(world)
        }
    }

    @Test("W6: commands of one batch are performed in the queue's order, whatever they are about")
    func inOrder() async throws {
        try await LedgerWorld.run(workers: 1) { world in
            var asked: [PostTransfer] = []
            for _ in 0..<20 {
                let people = (0..<3).map { _ in UUID.timeOrdered() }
                try await world.fund(people[0], 100)
                var (first, second) = (Self.pay(people[0], people[1], 100), Self.pay(people[1], people[2], 100))
                // By the text of its id the second would come first.
                if first.id.text < second.id.text { swap(&first.id, &second.id) }
                asked += [first, second]
            }
            try await world.ask(asked)
            for transfer in asked {
                let answers = try await world.answers(to: .post, transfer.id, count: 1)
                #expect(!answers.contains(.refused("insufficient-funds")))
            }
            try await expectSound(world)
        }
    }

    @Test("W6: holds that are captured in the moment of their end never wait with it in a circle, and end once")
    func nearEnd() async throws {
        try await LedgerWorld.run(batch: 20) { world in
            let (person, nurse) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await world.fund(person, 100_000)
            for _ in 0..<6 {
                let end = Date() + 1
                let holds = (0..<60).map { _ in Self.place(person, 10, until: end) }
                try await world.ask(holds)
                for hold in holds { _ = try await world.answers(to: .place, hold.hold, count: 1) }
                // Their time is what this is about: the captures meet it.
                try await Task.sleep(for: .seconds(max(0, end.timeIntervalSinceNow - 0.02)))
                try await world.ask(holds.map { Self.capture($0.hold, [(nurse, 10)]) })
                for hold in holds { _ = try await world.answers(to: .capture, hold.hold, count: 1) }
            }
            #expect(try await world.deadlocks() == 0)
            #expect(try await world.balance(person) + world.balance(nurse) == 100_000)
            try await expectSound(world)
        }
    }

    @Test("W7: verify sees that a hold was made another's, or another amount")
    func changedHold() async throws {
        try await LedgerWorld.run { world in
            let person = UUID.timeOrdered()
            try await world.fund(person, 500)
            let hold = Self.place(person, 300)
            try await world.ask([hold])
            _ = try await world.answers(to: .place, hold.hold, count: 1)
            try await expectSound(world)
            try await world.pool.execute(GiveHold(hold: hold.hold, to: .timeOrdered()))
            #expect(try await LedgerCheck.whole(world.pool).report.contains(hold.hold.text))
            try await world.pool.execute(GiveHold(hold: hold.hold, to: person))
            try await world.ask([ReleaseHold(hold: hold.hold)])
            _ = try await world.answers(to: .release, hold.hold, count: 1)
            try await expectSound(world)
        }
    }
}

/// Messages that were handled and caused one answer.
private struct CountCauses: Statement {
    static let sql: SQL = """
        SELECT count(*) FROM inbox WHERE (SELECT count(*) FROM outbox WHERE causation = inbox.message_id) = 1
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct GiveHold: Statement {
    static let sql: SQL = "UPDATE holds SET owner = $2 WHERE id = $1"
    let hold: UUID
    let to: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(hold, to) }
}
