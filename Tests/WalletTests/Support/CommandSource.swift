import Foundation
import Messaging
import TestKit

@testable import SeraiWallet

/// Random commands about few people, with ids that come again, so that they get in each other's way.
struct CommandSource {
    static let currencies = ["SAR", "EUR"]
    let people: [UUID]
    private var generator: SeededGenerator
    private var holds: [Hold] = []
    private var placed: [UUID: Hold] = [:]
    private var transfers: [LedgerCommand] = []
    private let ids: SequentialIDs

    init(people count: Int, _ generator: SeededGenerator) {
        self.generator = generator
        let ids = SequentialIDs(first: 1)
        people = (0..<count).map { _ in ids.next() }
        self.ids = ids
    }

    mutating func next() -> LedgerCommand {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<30: return place()
        case 30..<45: return capture()
        case 45..<55: return .release(hold: hold)
        case 55..<58: return .expire(hold: hold)
        case 58..<92: return post()
        default: return .reverse(original: original)
        }
    }

    private var hold: UUID {
        mutating get {
            // The newest ones most of the time: they are open.
            guard !holds.isEmpty, Int.random(in: 0..<50, using: &generator) > 0 else { return ids.next() }
            let from = Bool.random(using: &generator) ? max(0, holds.count - 20) : 0
            return holds[Int.random(in: from..<holds.count, using: &generator)].id
        }
    }

    private var original: UUID {
        mutating get {
            guard !transfers.isEmpty, Int.random(in: 0..<50, using: &generator) > 0,
                case .post(let id, _, _, _) = transfers[Int.random(in: transfers.indices, using: &generator)]
            else { return ids.next() }
            return id
        }
    }

    private var person: UUID {
        mutating get { people[Int.random(in: people.indices, using: &generator)] }
    }

    private var currency: String {
        mutating get { Self.currencies[Int.random(in: 0...1, using: &generator)] }
    }

    private mutating func place() -> LedgerCommand {
        if !holds.isEmpty, Int.random(in: 0..<15, using: &generator) == 0 { return .place(again()) }
        let amount = Int.random(in: 0..<60, using: &generator) == 0 ? 0 : Int.random(in: 1...400, using: &generator)
        let hold = Hold(
            id: ids.next(), owner: person, currency: currency, amount: amount, subject: ids.next(), expiresAt: nil)
        if amount > 0 {
            holds.append(hold)
            placed[hold.id] = hold
        }
        return .place(hold)
    }

    /// A hold that was asked for before, or another one with its id.
    private mutating func again() -> Hold {
        let old = holds[Int.random(in: max(0, holds.count - 20)..<holds.count, using: &generator)]
        let change = Int.random(in: 0..<6, using: &generator)
        return Hold(
            id: old.id, owner: change == 1 ? person : old.owner, currency: change == 2 ? currency : old.currency,
            amount: change == 3 ? old.amount + 1 : old.amount, subject: change == 4 ? ids.next() : old.subject,
            expiresAt: nil)
    }

    private mutating func capture() -> LedgerCommand {
        let id = hold
        let known = placed[id]
        // Now and then in another currency than the hold's.
        let isRight = Int.random(in: 0..<40, using: &generator) > 0
        let currency = isRight ? known?.currency ?? "SAR" : currency
        let amount = known?.amount ?? 10
        let shares = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            LedgerCommand.Share(
                to: target(currency), amount: Int.random(in: 1...max(1, amount * 2 / 3), using: &generator))
        }
        return .capture(hold: id, shares: shares)
    }

    private mutating func post() -> LedgerCommand {
        if !transfers.isEmpty, Int.random(in: 0..<15, using: &generator) == 0 { return postAgain() }
        let currency = currency
        let legs = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            LedgerCommand.Leg(
                from: target(currency), to: target(currency), amount: Int.random(in: 1...500, using: &generator))
        }
        let command = LedgerCommand.post(id: ids.next(), subject: ids.next(), currency: currency, legs: legs)
        transfers.append(command)
        return command
    }

    /// A transfer that was asked for before, or another one with its id.
    private mutating func postAgain() -> LedgerCommand {
        let old = transfers[Int.random(in: max(0, transfers.count - 20)..<transfers.count, using: &generator)]
        guard case .post(let id, let subject, let currency, var legs) = old, let first = legs.first else { return old }
        switch Int.random(in: 0..<6, using: &generator) {
        case 1: legs[0] = .init(from: first.from, to: first.to, amount: first.amount + 1)
        case 2: legs[0] = .init(from: target(currency), to: first.to, amount: first.amount)
        case 3: legs.append(.init(from: first.to, to: first.from, amount: 1))
        case 4: return .post(id: id, subject: ids.next(), currency: currency, legs: legs)
        default: break
        }
        return .post(id: id, subject: subject, currency: currency, legs: legs)
    }

    private mutating func target(_ currency: String) -> AccountReference {
        let person = person
        return Int.random(in: 0..<6, using: &generator) == 0
            ? .platform(currency, for: person) : .wallet(person, currency)
    }
}
