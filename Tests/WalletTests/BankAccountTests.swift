import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet
@testable import ServiceKit

@Suite("Bank accounts", .timeLimit(.minutes(15)))
struct BankAccountTests {
    @Test(
        "P10, W5: a number is the same however it is typed or pasted",
        arguments: [
            "SA0380000000608010167519", "sa03 8000 0000 6080 1016 7519",
            "SA03\u{00A0}8000\u{00A0}0000\u{00A0}6080 1016 7519",
            "\u{202D}SA03-8000-0000-6080-1016-7519\u{202C}", "ＳＡ０３８０００００００６０８０１０１６７５１９", "SA٠٣٨٠٠٠٠٠٠٠٦٠٨٠١٠١٦٧٥١٩",
            "SA03\u{2011}8000\u{200B}0000608010167519\n",
        ])
    func typed(text: String) {
        let code = Form(.object(["iban": .string(text)])).code("iban", length: 10...60)
        #expect(code.flatMap { IBAN($0.revealed) }?.characters == "SA0380000000608010167519")
    }

    @Test("W5: an IBAN is of a country, as long as its numbers are, and has the right check digits")
    func ibans() {
        for good in [
            "SA03 8000 0000 6080 1016 7519", "GB82WEST12345698765432", "de89-3704-0044-0532-0130-00",
            "NO9386011117947", "MT84MALT011000012345MTLCAST001S", WalletFixture.iban(endingIn: "0002"),
        ] { #expect(IBAN(good) != nil, "\(good)") }
        for bad in [
            "SA0480000000608010167519", "SA038000000060801016751", "XX0380000000608010167519", "", "SA03",
            "GB82WEST1234569876543٢", "SAAA80000000608010167519",
        ] { #expect(IBAN(bad) == nil, "\(bad)") }
        // The same remainder, by check digits that no bank gives: 02 becomes 99, 97 becomes 00, 98 becomes 01.
        for (right, wrong) in [("02", "99"), ("97", "00"), ("98", "01")] {
            let good = (0..<1_000).map { WalletFixture.iban(endingIn: String(1_000 + $0)) }.first {
                $0.hasPrefix("SA" + right)
            }
            #expect(good.map { IBAN("SA" + wrong + $0.dropFirst(4)) == nil } == true, "\(wrong)")
        }
        #expect("\(IBAN("GB82WEST12345698765432") as Any)".contains("WEST") == false)
    }

    @Test("W5, W9: bank accounts are saved masked, changed, listed and removed by their owner alone")
    func bankAccounts() async throws {
        try await WalletFixture.run { wallet in
            let (noura, other) = (try await wallet.people.provider(), try await wallet.people.provider("Huda"))
            let body =
                #"{"market": "assef", "iban": "\#(WalletFixture.iban(endingIn: "7519"))", "holder": "NOURA", "bankName": "Al Rajhi"}"#
            let saved = try await wallet.post("bank-accounts", noura, body)
            #expect(saved.status == 201 && saved.json["lastFour"]?.string == "7519", "\(saved.text)")
            let id = try #require(saved.json["bankAccount"]?.string)
            #expect(
                try await wallet.post("bank-accounts", noura, body.replacing("SA", with: "SB")).codes == [
                    "/iban": "not-an-iban"
                ])
            #expect(
                try await wallet.post("bank-accounts", noura, "{}").codes
                    == ["/market": "required", "/iban": "required", "/holder": "required", "/bankName": "required"])
            #expect(try await wallet.get("bank-accounts", other).items.isEmpty)
            let change = #"{"holder": "NOURA ALI", "bankName": "Alinma"}"#
            #expect(try await wallet.call(.put, "bank-accounts/\(id)", other, change).status == 404)
            let changed = try await wallet.call(.put, "bank-accounts/\(id)", noura, change)
            #expect(changed.json["bankName"]?.string == "Alinma" && changed.json["lastFour"]?.string == "7519")
            let moved =
                #"{"market": "assef", "iban": "\#(WalletFixture.iban(endingIn: "1111"))", "holder": "NOURA ALI", "bankName": "Alinma"}"#
            #expect(try await wallet.call(.put, "bank-accounts/\(id)", noura, moved).json["lastFour"]?.string == "1111")
            // Other words leave the number as it is then, and money goes to no former one.
            let account = try #require(UUID(uuidString: id))
            let former = try #require(
                try await wallet.pool.first(FindBankAccount(bankAccount: account, account: noura.account)))
            _ = try await wallet.call(.put, "bank-accounts/\(id)", noura, moved)
            _ = try await wallet.pool.first(
                UpdateBankAccount(
                    bankAccount: account, account: noura.account, holder: "NOURA ALI", bankName: "Alinma", number: nil))
            let now = try #require(
                try await wallet.pool.first(FindBankAccount(bankAccount: account, account: noura.account)))
            #expect(now.destination.lastFour == "1111" && now.destination.country == "SA")
            #expect(now.destination.reference != former.destination.reference)
            for (saved, isKept) in [(former, false), (now, true)] {
                let keep = ShareLockBankAccount(
                    bankAccount: account, account: noura.account, reference: saved.destination.reference)
                #expect(try await wallet.pool.first(keep) == (isKept ? true : nil))
            }

            try await wallet.give(5_000, to: noura)
            let ask = #"{"market": "assef", "amount": 1000, "bankAccount": "\#(id)"}"#
            #expect(try await wallet.post("cash-outs", other, ask).codes == ["/bankAccount": "no-such-bank-account"])
            #expect(try await wallet.post("cash-outs", noura, ask).status == 201)
            let card = try await wallet.card(noura)
            #expect(
                try await wallet.post(
                    "cash-outs", noura, ask.replacing("bankAccount", with: "card").replacing(id, with: card)
                )
                .json["destination"]?["kind"]?.string == "card")
            #expect(
                try await wallet.post("cash-outs", noura, ask.replacing("}", with: #", "card": "\#(card)"}"#)).codes
                    == ["/card": "only-one-destination"])
            // Nor is an account that is typed in beside one that is chosen.
            let typed = #", "iban": "SA0380000000608010167519", "holder": "Noura", "bankName": "Alinma"}"#
            for body in [ask, ask.replacing("bankAccount", with: "card").replacing(id, with: card)] {
                let answer = try await wallet.post("cash-outs", noura, body.replacing("}", with: typed))
                #expect(answer.codes == ["/iban": "only-one-destination"], "\(answer.text)")
            }
            // A currency that is none is not the market's.
            for code in ["SA", "", "sar", "SARR", "\\u0000", "SA\\u0000"] {
                let answer = try await wallet.post(
                    "cash-outs", noura, ask.replacing("}", with: #", "currency": "\#(code)"}"#))
                #expect(answer.status == 422 || answer.status == 400, "\(code) \(answer.text)")
            }
            #expect(try await wallet.call(.delete, "bank-accounts/\(id)?confirm=true", other, nil).status == 404)
            // Asks first.
            let asks = try await wallet.call(.delete, "bank-accounts/\(id)", noura, nil)
            #expect(asks.status == 409 && asks.slug == "bank-account-confirmation-needed", "\(asks.text)")
            #expect(asks.text.contains("Alinma") && asks.text.contains("1111"))
            #expect(try await wallet.call(.delete, "bank-accounts/\(id)?confirm=true", noura, nil).status == 204)
            #expect(try await wallet.get("bank-accounts", noura).items.isEmpty)
        }
    }

    @Test(
        "W9: a number that is saved again, or ten times at once, is saved once, with the newest words; others' are their own"
    )
    func sameNumber() async throws {
        try await WalletFixture.run { wallet in
            let (noura, huda) = (try await wallet.people.provider(), try await wallet.people.provider("Huda"))
            @Sendable func save(
                _ person: Person, _ bank: String = "Al Rajhi", endingIn end: String = "7519"
            ) async throws -> Answer {
                try await wallet.post(
                    "bank-accounts", person,
                    #"{"market": "assef", "iban": "\#(WalletFixture.iban(endingIn: end))", "holder": "NOURA", "bankName": "\#(bank)"}"#
                )
            }
            let statuses = try await WalletFixture.statuses(10) { _ in try await save(noura).status }
            #expect(statuses == [201: 1, 200: 9])
            let saved = try await wallet.get("bank-accounts", noura).items
            #expect(saved.count == 1)
            let again = try await save(noura, "Alinma")
            #expect(again.json["bankAccount"]?.string == saved.first?["bankAccount"]?.string, "\(again.text)")
            #expect(try await wallet.get("bank-accounts", noura).items.first?["bankName"]?.string == "Alinma")
            // Saved with a cash-out it is the same, too.
            try await wallet.give(5_000, to: noura)
            let asked = try await wallet.post(
                "cash-outs", noura,
                #"{"market": "assef", "amount": 1000, "iban": "\#(WalletFixture.iban(endingIn: "7519"))", "holder": "NOURA", "bankName": "Alinma", "save": true}"#
            )
            #expect(asked.status == 201, "\(asked.text)")
            #expect(try await save(noura, endingIn: "1111").status == 201)
            #expect(try await wallet.get("bank-accounts", noura).items.count == 2)
            #expect(try await save(huda).status == 201)
        }
    }

    @Test("I14: the number of a bank account is in no table and no log, in whatever form it is")
    func noNumberStays() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(5_000, to: noura)
            let id = try #require(try await wallet.cashOut(1_000, noura).json["cashOut"]?.string)
            _ = try await wallet.decide(id, admin, accept: true)
            try await wallet.pays(id, until: .paid)
            let driver = try await wallet.people.person("Olivia", "provider", in: "btnc")
            let partner = try await wallet.people.person("Paul", "provider", in: "edencare")
            #expect(try await wallet.post("bank-accounts", driver, BankNumberTests.perth).status == 201)
            #expect(try await wallet.post("bank-accounts", partner, BankNumberTests.regina).status == 201)
            for number in [WalletFixture.iban(endingIn: "7519"), "83154627", "40916728835"] {
                #expect(!wallet.logs.text.contains(number))
                for table in try await wallet.pool.query(ListTables()) {
                    let found = try await wallet.pool.query(SearchTable(table: table, text: number))
                    #expect(found.isEmpty, "\(table)")
                }
            }
        }
    }
}

private struct ListTables: Statement {
    static let sql: SQL =
        "SELECT tablename::text FROM pg_tables WHERE schemaname = ANY (current_schemas(false))"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Rows of a table with a text anywhere in them.
private struct SearchTable: Statement {
    static let sql: SQL = """
        SELECT content::text FROM unnest(xpath('//text()', query_to_xml(
            format('SELECT * FROM %I', $1::text), false, false, ''))) AS content
        WHERE strpos(content::text, $2) > 0
        """
    let table: String
    let text: String
    func bind(_ bindings: inout Bindings) { bindings.append(table, text) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
