import Contracts
import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Statements of what other services move", .timeLimit(.minutes(15)))
struct CommandLineTests {
    private static let note = StatementNote(
        market: "assef", title: ["en": "Wound care", "ar": "العناية بالجروح"], payer: "Salem", beneficiary: "Noura")

    private static func post(_ from: UUID, _ to: UUID, _ amount: Int, note: StatementNote? = note) -> PostTransfer {
        PostTransfer(
            id: .timeOrdered(), subject: .timeOrdered(), currency: "SAR",
            legs: [
                PostTransfer.Leg(from: .wallet(from), to: .wallet(to), amount: amount),
                PostTransfer.Leg(from: .wallet(to), to: .platform, amount: amount / 10),
            ], note: note)
    }

    private static func place(_ owner: UUID, _ amount: Int, until end: Date? = nil) -> PlaceHold {
        PlaceHold(
            hold: .timeOrdered(), account: owner, amount: Money(amount: amount, currency: "SAR"),
            subject: .timeOrdered(), expiresAt: end, note: note)
    }

    @Test("W1: a transfer by command is a line for each wallet, by name and amount; refused or reversed it says why")
    func transfers() async throws {
        try await LedgerWorld.run { world in
            let (salem, noura) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await world.fund(salem, 1_000)
            let (good, silent) = (Self.post(salem, noura, 500), Self.post(salem, noura, 10, note: nil))
            let poor = Self.post(salem, noura, 9_000)
            // One after the other: what comes together may be done by two workers, in either order.
            for asked in [good, silent, poor] {
                try await world.ask([asked])
                _ = try await world.answers(to: .post, asked.id, count: 1)
            }
            try await world.ask([good])
            _ = try await world.answers(to: .post, good.id, count: 2)
            #expect(
                try await Self.lines(world, salem) == [
                    "transfer -500 accepted - Salem Noura", "transfer -9000 rejected insufficient-funds Salem Noura",
                ])
            #expect(
                try await Self.lines(world, noura) == [
                    "transfer 450 accepted - Salem Noura", "transfer 8100 rejected insufficient-funds Salem Noura",
                ])
            // Taken back, and asked for once more by somebody who missed the answer.
            try await world.ask([ReverseTransfer(id: good.id)])
            _ = try await world.answers(to: .reverse, good.id, count: 1)
            try await world.ask([good])
            _ = try await world.answers(to: .post, good.id, count: 3)
            #expect(try await Self.lines(world, salem)[0] == "transfer -500 rejected reversed Salem Noura")
            #expect(try await Self.lines(world, noura)[0] == "transfer 450 rejected reversed Salem Noura")
        }
    }

    @Test("W1: a hold by command waits in its owner's statement, and then tells what was paid, or why it went back")
    func holds() async throws {
        try await LedgerWorld.run { world in
            let (salem, noura) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await world.fund(salem, 1_000)
            let (paid, released, poor) = (Self.place(salem, 400), Self.place(salem, 300), Self.place(salem, 9_000))
            for asked in [paid, released, poor] {
                try await world.ask([asked])
                _ = try await world.answers(to: .place, asked.hold, count: 1)
            }
            #expect(
                try await Self.lines(world, salem) == [
                    "hold -400 waiting - Salem Noura", "hold -300 waiting - Salem Noura",
                    "hold -9000 rejected insufficient-funds Salem Noura",
                ])
            let shares = [
                CaptureHold.Share(to: .wallet(noura), amount: 250), CaptureHold.Share(to: .platform, amount: 50),
            ]
            try await world.ask([CaptureHold(hold: paid.hold, currency: "SAR", shares: shares)])
            try await world.ask([ReleaseHold(hold: released.hold)])
            _ = try await world.answers(to: .capture, paid.hold, count: 1)
            _ = try await world.answers(to: .release, released.hold, count: 1)
            try await world.ask([paid])
            _ = try await world.answers(to: .place, paid.hold, count: 2)
            #expect(
                try await Self.lines(world, salem) == [
                    "hold -300 accepted - Salem Noura", "hold -300 rejected hold-released Salem Noura",
                    "hold -9000 rejected insufficient-funds Salem Noura",
                ])
            #expect(try await Self.lines(world, noura) == ["hold 250 accepted - Salem Noura"])
        }
    }

    @Test("W1: what begins and ends in one set of commands has its lines as well, and a repeat adds none")
    func oneSet() async throws {
        try await LedgerWorld.run { world in
            let (salem, noura, huda) = (UUID.timeOrdered(), UUID.timeOrdered(), UUID.timeOrdered())
            try await world.fund(salem, 2_000)
            let (paid, released, sent) = (Self.place(salem, 400), Self.place(salem, 300), Self.post(salem, noura, 500))
            func capture(_ to: UUID) -> CaptureHold {
                CaptureHold(
                    hold: paid.hold, currency: "SAR", shares: [CaptureHold.Share(to: .wallet(to), amount: 250)])
            }
            try await world.pool.withTransaction { transaction in
                for asked in [paid, released] { Self.perform(asked, transaction) }
                Self.perform(capture(noura), to: noura, transaction)
                Self.handlers.perform(.release(hold: released.hold), .release, released.hold, nil, transaction) {
                    CommandLines.ended(released.hold, reason: "hold-released", $0, at: $1, $2)
                }
                let legs = [LedgerCommand.Leg(from: .wallet(salem, "SAR"), to: .wallet(noura, "SAR"), amount: 500)]
                Self.handlers.perform(
                    .post(id: sent.id, subject: sent.subject, currency: "SAR", legs: legs), .post, sent.id, nil,
                    transaction
                ) { CommandLines.posted(sent, $0, at: $1, $2) }
                Self.handlers.perform(.reverse(original: sent.id), .reverse, sent.id, nil, transaction) {
                    CommandLines.reversed(sent.id, $0, at: $1, $2)
                }
            }
            let lines = try await Self.lines(world, salem)
            #expect(
                Set(lines) == [
                    "hold -250 accepted - Salem Noura", "hold -300 rejected hold-released Salem Noura",
                    "transfer -500 rejected reversed Salem Noura",
                ])
            #expect(try await Self.lines(world, noura).contains("hold 250 accepted - Salem Noura"))
            // Asked again, with somebody else who would get it: the answer is the first one's, and so is the line.
            try await world.pool.withTransaction { Self.perform(capture(huda), to: huda, $0) }
            #expect(try await Self.lines(world, huda) == [])
            #expect(try await Self.lines(world, salem) == lines)
        }
    }

    private static let handlers = LedgerHandlers { Date() }

    private static func perform(_ asked: PlaceHold, _ transaction: PostgresTransaction) {
        let hold = Hold(
            id: asked.hold, owner: asked.account, currency: "SAR", amount: asked.amount.amount, subject: asked.subject,
            expiresAt: nil)
        handlers.perform(.place(hold), .place, hold.id, nil, transaction) { CommandLines.placed(asked, $0, at: $1, $2) }
    }

    private static func perform(_ asked: CaptureHold, to account: UUID, _ transaction: PostgresTransaction) {
        let shares = [LedgerCommand.Share(to: .wallet(account, "SAR"), amount: 250)]
        handlers.perform(.capture(hold: asked.hold, shares: shares), .capture, asked.hold, nil, transaction) {
            CommandLines.captured(asked, $0, at: $1, $2)
        }
    }

    private static func lines(_ world: LedgerWorld, _ account: UUID) async throws -> [String] {
        try await world.pool.query(ListLines(account: account))
    }
}

private struct ListLines: Statement {
    static let sql: SQL = """
        SELECT concat_ws(' ', kind, amount, state, coalesce(reason, '-'), payer, beneficiary)
        FROM statement_lines WHERE account = $1 AND market = 'assef' AND title ->> 'en' = 'Wound care' ORDER BY at, id
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
