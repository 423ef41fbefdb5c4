import Contracts
import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiWallet

/// What makes no sense, whatever the ledger holds.
extension LedgerCommandTests {
    @Test("P10: a command that makes no sense is refused with an answer and opens no account, and others go on")
    func senseless() async throws {
        try await LedgerWorld.run { world in
            let (person, other) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await world.fund(person, 100)
            var currency = Self.pay(person, other, 5)
            currency.currency = "money"
            let (zero, same, good) = (
                Self.pay(person, other, 0), Self.pay(person, person, 5), Self.pay(person, other, 5)
            )
            var platform = Self.pay(person, other, 5)
            platform.legs[0].to = LedgerAccount(kind: .platform, owner: person)
            try await world.ask([currency, zero, platform, same, good])
            for invalid in [currency, zero, same] {
                #expect(try await world.answers(to: .post, invalid.id, count: 1) == [.refused("invalid")])
            }
            _ = try await world.answers(to: .post, good.id, count: 1)
            #expect(try await world.answers(to: .post, platform.id, count: 1) == [.refused("invalid")])
            #expect(try await world.balance(other) == 5)
            try await expectSound(world)
        }
    }

    @Test("W7: a placing that makes no sense gives the hold of a later one no currency")
    func senselessPlacing() async throws {
        try await LedgerWorld.run { world in
            let (person, nurse) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await world.fund(person, 300)
            let hold = Self.place(person, 300)
            func placed(in currency: String) -> LedgerCommand {
                .place(
                    Hold(
                        id: hold.hold, owner: person, currency: currency, amount: 300, subject: hold.subject,
                        expiresAt: nil))
            }
            let capture = LedgerCommand.capture(
                hold: hold.hold, shares: [LedgerCommand.Share(to: .wallet(nurse, "SAR"), amount: 200)])
            let outcomes = try await world.pool.withTransaction { transaction in
                try await Ledger.perform([placed(in: "sar"), placed(in: "SAR"), capture], in: transaction)
            }
            #expect(outcomes.first == .refused(.invalid) && !outcomes.dropFirst().contains(.refused(.invalid)))
            #expect(try await world.balance(nurse) == 200)
            #expect(try await world.balance(person) == 100)
            try await expectSound(world)
        }
    }

    @Test("P10: a capture in another currency, for nobody's account or of no hold is answered, and opens no account")
    func senselessCaptures() async throws {
        try await LedgerWorld.run { world in
            let (person, stranger) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await world.fund(person, 100)
            let hold = Self.place(person, 50)
            try await world.ask([hold])
            _ = try await world.answers(to: .place, hold.hold, count: 1)
            var (word, euros, nobody) = (
                Self.capture(hold.hold, [(stranger, 5)]), Self.capture(hold.hold, [(stranger, 5)]),
                Self.capture(hold.hold, [(stranger, 5)])
            )
            word.currency = "money"
            euros.currency = "EUR"
            nobody.shares[0].to = LedgerAccount(kind: .platform, owner: stranger)
            let unknown = Self.capture(.timeOrdered(), [(stranger, 5)])
            let good = Self.pay(person, .timeOrdered(), 5)
            try await world.ask([word, euros, nobody, unknown, good])
            #expect(
                try await world.answers(to: .capture, hold.hold, count: 3)
                    == Array(repeating: .refused("invalid"), count: 3))
            #expect(try await world.answers(to: .capture, unknown.hold, count: 1) == [.refused("unknown-hold")])
            _ = try await world.answers(to: .post, good.id, count: 1)
            #expect(try await world.pool.query(ListBalances(account: stranger)).isEmpty)
            try await expectSound(world)
        }
    }
}
