import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet

@Suite("Cards", .timeLimit(.minutes(15)))
struct CardTests {
    @Test("W3: holder, expiry, default and consent of a card are its owner's to change, there and here")
    func changing() async throws {
        try await WalletFixture.run { wallet in
            let (salem, other) = (try await wallet.people.customer(), try await wallet.people.customer("Huda"))
            let (first, second) = (
                try await wallet.card(salem), try await wallet.card(salem, WalletFixture.cardNumber(1))
            )
            func flags() async throws -> [Bool?] {
                try await wallet.get("cards", salem).items.map { $0["isDefault"]?.bool }
            }
            #expect(try await flags() == [true, false])
            for person in [other, try await wallet.people.master()] {
                #expect(try await wallet.call(.patch, "cards/\(first)", person, #"{"holder": "ME"}"#).status == 404)
            }
            let changed = try await wallet.call(
                .patch, "cards/\(second)", salem,
                #"{"holder": "SALEM S", "expiryMonth": 7, "expiryYear": 40, "isDefault": true, "consent": true}"#)
            #expect(changed.status == 200, "\(changed.text)")
            #expect(changed.json["holder"]?.string == "SALEM S" && changed.json["expiryYear"]?.integer == 2040)
            #expect(changed.json["consentedAt"]?.string != nil)
            #expect(try await flags() == [false, true])
            let withdrawn = try await wallet.call(.patch, "cards/\(second)", salem, #"{"consent": false}"#)
            #expect(withdrawn.status == 200 && withdrawn.json["consentedAt"] == nil)
            for (body, codes) in [
                (#"{}"#, ["/holder": "required"]), (#"{"expiryMonth": 7}"#, ["/expiryYear": "required"]),
                (#"{"expiryMonth": 1, "expiryYear": 2020}"#, ["/expiryYear": "card-expired"]),
                (#"{"expiryMonth": 13, "expiryYear": 2040}"#, ["/expiryMonth": "out-of-range"]),
                (#"{"isDefault": false}"#, ["/isDefault": "invalid-value"]),
                (#"{"holder": "X"}"#, ["/holder": "too-short"]),
            ] {
                let answer = try await wallet.call(.patch, "cards/\(first)", salem, body)
                #expect(answer.status == 422 && answer.codes == codes, "\(body) \(answer.text)")
            }
            // What is not changed there is not changed here.
            wallet.setProviderDown(true)
            let down = try await wallet.call(.patch, "cards/\(first)", salem, #"{"holder": "NOBODY"}"#)
            #expect(down.status == 503)
            wallet.setProviderDown(false)
            #expect(!(try await wallet.get("cards", salem).text.contains("NOBODY")))
            // Without its default card an account has another.
            #expect(try await wallet.call(.delete, "cards/\(second)?confirm=true", salem, nil).status == 204)
            #expect(try await flags() == [true])
        }
    }

    @Test("W3: a removed card goes at the payment provider too, however often it has to be asked")
    func removed() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let card = try await wallet.card(salem)
            #expect(wallet.sandbox.attachedCount == 1 && wallet.sandbox.customerCount == 1)
            // One that a charge is still to be asked for with waits.
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, card)
            #expect(try await wallet.call(.delete, "cards/\(card)?confirm=true", salem, nil).status == 204)
            let worker = wallet.parts.removalWorker
            #expect(try await worker.removeSome() == 0)
            try await wallet.working { try await wallet.eventually(order, is: .held) }
            wallet.setProviderDown(true)
            #expect(try await worker.removeSome() == 1)
            #expect(wallet.sandbox.attachedCount == 1)
            wallet.setProviderDown(false)
            try await TestKit.eventually("it is gone", poll: .milliseconds(100)) {
                _ = try await worker.removeSome()
                return wallet.sandbox.attachedCount == 0
            }
            #expect(try await wallet.pool.query(ListRemovals()).isEmpty)
            // What was held with it is captured all the same.
            try await wallet.hear(order.now(.completed))
            try await wallet.working { try await wallet.eventually(order, is: .captured) }
        }
    }

    @Test("W3: a card that the payment provider has, and that was not stored here after all, is taken away there")
    func orphan() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            let form = try CardForm.of(try #require(wallet.sandbox.handOver("4242424242424242")))
            let stored = try await StoreCard.atProvider(form, of: salem.account, at: Date(), wallet.parts)
            #expect(wallet.sandbox.attachedCount == 1)
            // Meanwhile others were stored.
            try await wallet.fillCards(salem)
            await #expect(throws: Problem.self) {
                try await wallet.pool.withTransaction { transaction in
                    _ = try await StoreCard.here(form, stored, of: salem.account, at: Date(), in: transaction)
                }
            }
            #expect(try await wallet.parts.removalWorker.removeSome() == 0)
            try await wallet.pool.execute(EndGrace())
            #expect(try await wallet.parts.removalWorker.removeSome() == 1)
            #expect(wallet.sandbox.attachedCount == 0 && wallet.sandbox.customerCount == 1)
            #expect(try await wallet.get("cards", salem).items.count == StoredCard.limit)
        }
    }

    @Test("W3: a number is stored once: added again it is the same card, with the new expiry, holder and consent")
    func again() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, huda) = (try await wallet.people.customer(), try await wallet.people.customer("Huda"))
            let card = try await wallet.card(salem)
            func add(_ month: Int, _ person: Person, _ more: String = "") async throws -> Answer {
                try await wallet.post(
                    "cards", person,
                    wallet.newCard("4242 4242 4242 4242", month: month, year: 2040, holder: "SALEM S", more))
            }
            let again = try await add(7, salem, #", "consent": true"#)
            #expect(again.status == 200 && again.json["card"]?.string == card, "\(again.text)")
            #expect(again.json["expiryMonth"]?.integer == 7 && again.json["holder"]?.string == "SALEM S")
            #expect(again.json["consentedAt"]?.string != nil)
            // Not said again, the consent stays.
            #expect(try await add(8, salem).json["consentedAt"]?.string != nil)
            #expect(try await wallet.get("cards", salem).items.count == 1)
            #expect(wallet.sandbox.attachedCount == 1)
            // Another account has a card of its own.
            #expect(try await add(7, huda).status == 201)
            // Removed, it is a new one.
            #expect(try await wallet.call(.delete, "cards/\(card)?confirm=true", salem, nil).status == 204)
            let new = try await add(7, salem)
            #expect(new.status == 201 && new.json["card"]?.string != card, "\(new.text)")
        }
    }

    @Test("W3: of a number that is added several times at once one card is stored, there and here")
    func againAtOnce() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            let cards = try await withThrowingTaskGroup(of: String.self) { tasks in
                for _ in 0..<6 { tasks.addTask { try await wallet.card(salem) } }
                return try await tasks.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(cards.count == 1)
            #expect(try await wallet.get("cards", salem).items.count == 1)
            try await wallet.pool.execute(HastenRemovals())
            while try await wallet.parts.removalWorker.removeSome() > 0 {}
            #expect(wallet.sandbox.attachedCount == 1 && wallet.sandbox.customerCount == 1)
        }
    }

    @Test("W3: one payment method that is named several times at once, also by a request that dies, stays its card's")
    func oneMethodAtOnce() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            let body = wallet.newCard()
            let statuses = try await WalletFixture.statuses(6) { _ in
                try await wallet.post("cards", salem, body).status
            }
            #expect(Set(statuses.keys).isSubset(of: [200, 201]) && statuses[201] == 1, "\(statuses)")
            let card = try #require(try await wallet.pool.first(ListCards(account: salem.account)))
            // As a request leaves it that ends between its two steps.
            try await wallet.pool.execute(
                InsertRemoval(removal: Removal(reference: card.reference, kind: .card), seconds: 0))
            try await wallet.pool.execute(HastenRemovals())
            while try await wallet.parts.removalWorker.removeSome() > 0 {}
            #expect(wallet.sandbox.attachedCount == 1)
            #expect(try await wallet.post("cards", salem, body).status == 200)
        }
    }

    @Test("I12: with an account that is deleted its cards and its customer go at the payment provider")
    func deletedAccount() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            for index in 0..<3 { _ = try await wallet.card(salem, WalletFixture.cardNumber(index)) }
            for _ in 0..<2 {
                try await wallet.pool.withTransaction { transaction in
                    try await WalletDeletionHandlers.forget(
                        AccountDeleted(account: salem.account, version: 9, at: Date()), transaction)
                }
            }
            #expect(try await wallet.pool.query(ListRemovals()).count == 4)
            while try await wallet.parts.removalWorker.removeSome() > 0 {}
            #expect(wallet.sandbox.attachedCount == 0 && wallet.sandbox.customerCount == 0)
            #expect(try await wallet.pool.query(ListRemovals()).isEmpty)
        }
    }

    @Test("W9: who has a card that expires next month or this is told once for each expiry, by any number of processes")
    func expiring() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            let card = try await wallet.card(salem)
            func pass(_ year: Int, _ month: Int) async throws {
                let day = try #require(
                    CardExpiry.calendar.date(from: DateComponents(year: year, month: month, day: 2)))
                let pass = CardExpiryPass(pool: wallet.pool, clock: wallet.parts.clock, logger: wallet.parts.logger)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 { group.addTask { try await pass.pass(at: day) } }
                    try await group.waitForAll()
                }
            }
            func told() async throws -> [String] { try await wallet.outbox("wallet.card.expiring.v1") }
            try await pass(2039, 10)
            #expect(try await told().isEmpty)
            for month in [11, 11, 12] { try await pass(2039, month) }
            #expect(try await told().count == 1)
            let notice = try #require(try await told().first)
            #expect(notice.contains("\"4242\"") && notice.contains(card) && !notice.contains("pm_"))
            // A new date is a new expiry.
            try await wallet.pool.execute(Renew(year: 2041))
            try await pass(2041, 11)
            #expect(try await told().count == 2)
            // One that is over already is told of as such, once.
            try await wallet.pool.execute(Renew(year: 2042))
            for _ in 0..<2 { try await pass(2043, 3) }
            #expect(try await told().count == 2)
            let over = try await wallet.outbox("wallet.card.expired.v1")
            #expect(over.count == 1 && over.first?.contains("\"expiryYear\":2042") == true)
        }
    }

    @Test("W3: an account's cards, and whether one can be charged, are told when that changes, and only then")
    func methodChanged() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            func told() async throws -> [String] {
                try await wallet.outbox("wallet.method.changed.v1").map { body in
                    let json = try JSONValue(parsing: body.utf8)
                    return "\(json["version"]?.integer ?? 0) \(json["hasMethod"]?.bool == true)"
                }
            }
            let (first, second) = (
                try await wallet.card(salem), try await wallet.card(salem, WalletFixture.cardNumber(1))
            )
            #expect(try await told() == ["1 true", "2 true"])
            // A name is nobody else's business; consent is.
            _ = try await wallet.call(.patch, "cards/\(first)", salem, #"{"holder": "SALEM S"}"#)
            _ = try await wallet.call(.patch, "cards/\(first)", salem, #"{"consent": true}"#)
            let last = try #require(try await wallet.outbox("wallet.method.changed.v1").last)
            let cards = try JSON.wire.decode(MethodChanged.self, last.utf8).cards ?? []
            #expect(cards.map(\.card.text) == [first, second] && cards.map(\.isConsented) == [true, false])
            #expect(cards.first?.expiryMonth == 12 && cards.first?.expiryYear == 2039)
            for card in [first, second] {
                #expect(try await wallet.call(.delete, "cards/\(card)?confirm=true", salem, nil).status == 204)
            }
            let before = ["1 true", "2 true", "3 true", "4 true", "5 false"]
            #expect(try await told() == before)
            _ = try await wallet.card(salem)
            // Its last month is over.
            let later = try #require(CardExpiry.calendar.date(from: DateComponents(year: 2040, month: 1, day: 2)))
            for _ in 0..<2 {
                try await CardExpiryPass(pool: wallet.pool, clock: wallet.parts.clock, logger: wallet.parts.logger)
                    .pass(at: later)
            }
            #expect(try await told() == before + ["6 true", "7 false"])
        }
    }
}

private struct HastenRemovals: Statement {
    static let sql: SQL = "UPDATE removals SET due_at = now()"
}

private struct ListRemovals: Statement {
    static let sql: SQL = "SELECT reference FROM removals"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

struct EndGrace: Statement {
    static let sql: SQL = "UPDATE removals SET due_at = now()"
}

private struct Renew: Statement {
    static let sql: SQL = "UPDATE cards SET expiry_year = $1::integer"
    let year: Int
    func bind(_ bindings: inout Bindings) { bindings.append(year) }
}
