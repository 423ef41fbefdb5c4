import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("What is kept of who is gone", .timeLimit(.minutes(10)))
struct ForgottenWordsTests {
    /// In every text that is about the person.
    private static let word = "Zaffrani"

    private func forget(_ person: Person, _ wallet: WalletFixture) async throws {
        try await wallet.pool.withTransaction {
            try await WalletDeletionHandlers.forget(
                AccountDeleted(account: person.account, version: 9, at: Date()), $0)
        }
    }

    private func columns(_ wallet: WalletFixture) async throws -> [String] {
        try await StoredWords.columns(with: Self.word, in: wallet.pool)
    }

    @Test("I12: of a customer who is gone no column of any table has a word; the sums stay")
    func customer() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer("Salem \(Self.word)")
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.set(.cardHoldDays, "0")
            try await wallet.give(50_000, to: salem)
            try await money(salem, admin, wallet)
            // The customer names what is carried.
            let parcel = Orders.accepted(by: salem, noura, amount: 1_000).now(.accepted, version: 2) {
                $0.kind = "parcel"
                $0.services = [.init(service: "parcel", name: ["en": "Ring of \(Self.word)"], price: 1_000)]
            }
            try await wallet.hear(parcel)
            #expect(try await wallet.pay(parcel, salem, by: "wallet").status == 202)
            try await wallet.hear(parcel.now(.completed))
            try await wallet.eventually(parcel, is: .captured)
            try await decisions(salem, noura, admin, wallet)
            let before = try await columns(wallet)
            #expect(
                Set(before).isSuperset(of: [
                    "payments.customer_name", "payments.title", "statement_lines.payer", "cards.holder",
                    "top_ups.holder", "cash_outs.holder", "cash_outs.reason", "approvals.wish", "refunds.reason",
                    "report_decisions.reason", "disputes.unfreeze_reason", "write_offs.reason", "bank_accounts.holder",
                ]), "\(before)")
            let paid = try await wallet.pool.query(SumAccounts())
            try await forget(salem, wallet)
            #expect(try await columns(wallet) == [])
            #expect(try await wallet.pool.query(SumAccounts()).map(\.balance) == paid.map(\.balance))
            let left = try await wallet.get("markets/assef/cash-outs", admin).items
            #expect(left.count == 2 && left.allSatisfy { $0["destination"]?["lastFour"]?.string == "" }, "\(left)")
            #expect(try await wallet.pool.first(CountUnattended()) == 0)
            // Nothing of it is unreadable now.
            #expect(try await wallet.get("markets/assef/approvals?state=rejected", admin).items.count == 1)
            try await wallet.expectSound()
        }
    }

    /// In and out of the wallet.
    private func money(_ salem: Person, _ admin: Person, _ wallet: WalletFixture) async throws {
        let card = try await wallet.post(
            "cards", salem,
            wallet.newCard(holder: "SALEM \(Self.word)")
        ).json["card"]?.string
        let topUp = try await wallet.post(
            "topups", salem,
            #"{"market": "assef", "amount": 5000, "card": "\#(card ?? "")", "cvvToken": "cvctok_test"}"#)
        let subject = try #require(topUp.json["topUp"]?.string.flatMap(UUID.init(uuidString:)), "\(topUp.text)")
        try await TestKit.eventually("it is in the wallet") { try await wallet.balance(salem) == 55_000 }
        let charge = try #require(try await wallet.pool.first(FindChargeOf(subject: subject)))
        try await wallet.dispute(
            try #require(try await wallet.pool.first(FindCharge(charge: charge))), "created", "warning_needs_response")
        let unfreezing = try await wallet.post(
            "markets/assef/wallets/\(salem.account.text)/unfreezing", admin, #"{"reason": "\#(Self.word) has called."}"#
        )
        #expect(unfreezing.status == 200, "\(unfreezing.text)")
        for (end, accepts) in [("7519", true), ("7520", false)] {
            let asked = try await wallet.post(
                "cash-outs", salem,
                #"{"market": "assef", "amount": 1000, "iban": "\#(WalletFixture.iban(endingIn: end))", "holder": "SALEM \#(Self.word)", "bankName": "Bank of \#(Self.word)", "save": true}"#
            )
            let id = try #require(asked.json["cashOut"]?.string, "\(asked.text)")
            let word = accepts ? #"{"accept": true}"# : #"{"accept": false, "reason": "\#(Self.word) holds it not."}"#
            let decided = try await wallet.post("markets/assef/cash-outs/\(id)/decision", admin, word)
            #expect(decided.status == 200, "\(decided.text)")
            if accepts { try await wallet.pays(id, until: .paid) }
        }
    }

    /// What admins write.
    private func decisions(
        _ salem: Person, _ noura: Person, _ admin: Person, _ wallet: WalletFixture
    ) async throws {
        let order = try await wallet.captured(salem, noura, amount: 5_000)
        func refund(_ amount: Int) async throws -> Answer {
            try await wallet.post(
                "orders/\(order.order.text)/refunds", admin,
                #"{"amount": \#(amount), "to": "wallet", "fundedBy": "platform", "reason": "\#(Self.word) was late."}"#)
        }
        #expect(try await refund(100).status == 201)
        try await wallet.set(.secondApprovalAmount, "200")
        let waits = try await refund(1_000)
        let approval = try #require(waits.json["approval"]?.string, "\(waits.text)")
        let rejected = try await wallet.post(
            "markets/assef/approvals/\(approval)/decision", admin,
            #"{"approve": false, "reason": "\#(Self.word) was in time."}"#)
        #expect(rejected.status == 200)
        let reported = try await wallet.held(salem, noura, amount: 1_000)
        try await wallet.hear(reported.now(.disputed, version: 6))
        let decided = ReportDecided(
            report: .timeOrdered(), order: reported.order, market: "assef", decision: .returnToCustomer,
            toCustomer: nil, deposit: nil, reason: "\(Self.word) is right.", by: admin.account, at: Date())
        try await wallet.pool.withTransaction { try await DecideReport.decide(decided, at: Date(), in: $0) }
        // Far more than the wallet holds.
        try await wallet.hear(Orders.accepted(by: salem, noura).fined(200_000))
        let written = try await wallet.post(
            "markets/assef/debtors/\(salem.account.text)/write-off", try await wallet.admin(),
            #"{"amount": 100, "reason": "\#(Self.word) has moved."}"#)
        #expect(written.status == 200, "\(written.text)")
        try await wallet.pool.execute(
            InsertUnattendedPayment(
                payment: UnattendedPayment(
                    order: order.order, method: .card, card: .timeOrdered(), agreedAt: Date(), upTo: 5_000,
                    endsAt: Date() + 86_400)))
    }

    @Test("I12: of a provider and a merchant who are gone no column has a word either")
    func payees() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            let noura = try await wallet.people.provider("Noura \(Self.word)")
            let (shop, admin) = (try await wallet.people.provider("Shop of \(Self.word)"), try await wallet.admin())
            try await wallet.give(30_000, to: salem)
            let order = Orders.accepted(by: salem, noura).now(.accepted, version: 2) {
                $0.shares = [
                    .init(party: .merchant, account: shop.account, name: shop.name, amount: 7_000),
                    .init(party: .provider, account: noura.account, name: noura.name, amount: 5_000),
                ]
            }
            try await wallet.hear(order)
            #expect(try await wallet.pay(order, salem, by: "wallet").status == 202)
            try await wallet.hear(order.now(.completed))
            let refund = try await wallet.post(
                "orders/\(order.order.text)/refunds", admin,
                #"{"amount": 100, "to": "wallet", "fundedBy": "merchant", "funder": "\#(shop.account.text)", "reason": "\#(Self.word) has burnt it."}"#
            )
            #expect(refund.status == 201, "\(refund.text)")
            let parcel = Orders.accepted(by: salem, noura, amount: 1_000).now(.accepted, version: 2) {
                $0.deposit = Money(amount: 500, currency: "SAR")
            }
            try await wallet.give(500, to: noura)
            try await wallet.hear(parcel)
            #expect(try await columns(wallet).contains("deposits.provider_name"))
            for person in [noura, shop] { try await forget(person, wallet) }
            #expect(try await columns(wallet) == [])
        }
    }
}

private struct CountUnattended: Statement {
    static let sql: SQL = "SELECT count(*) FROM unattended_payments"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct FindChargeOf: Statement {
    static let sql: SQL = "SELECT id FROM charges WHERE subject = $1"
    let subject: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(subject) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
