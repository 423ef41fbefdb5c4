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

@Suite("Secrets of cards", .timeLimit(.minutes(15)))
struct SecretTests {
    @Test("W3: neither a card's number nor its CVV is in any table or log line, also where an app sends them")
    func nowhere() async throws {
        try await WalletFixture.run(tries: 1) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (number, cvv) = ("5555555555554444", "9173")
            let body = wallet.newCard(number)
            let added = try await wallet.post("cards", salem, body)
            let card = try #require(added.json["card"]?.string)
            let topUp = #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#
            #expect(try await wallet.post("topups", salem, topUp).status == 202)
            let order = try await wallet.accepted(salem, noura)
            #expect(try await wallet.payByCard(order, salem, card).status == 202)
            try await wallet.eventually(order, is: .held)
            // An app that sends them all the same is refused, and nothing of them is kept.
            for (path, sent) in [
                ("cards", #"{"number": "\#(number)", "expiryMonth": 12, "expiryYear": 2039, "cvv": "\#(cvv)"}"#),
                ("cards", #"{"paymentMethod": "\#(number)", "holder": "S SALEM"}"#),
                ("cards", #"{"paymentMethod": "pm_\#(number)", "holder": "S SALEM"}"#),
                ("topups", #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvv": "\#(cvv)"}"#),
                ("topups", #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvvToken": "\#(cvv)"}"#),
            ] {
                #expect(try await wallet.post(path, salem, sent).status == 422, "\(sent)")
            }
            // The same key with another token of the CVV is the same request.
            let key = UUID.timeOrdered().text
            let first = try await wallet.post("topups", salem, topUp, key: key)
            let again = topUp.replacing("cvctok_test", with: "cvctok_other")
            #expect(try await wallet.post("topups", salem, again, key: key).text == first.text)

            // A recurring order charges it without anybody's CVV.
            #expect(try await wallet.call(.patch, "cards/\(card)", salem, #"{"consent": true}"#).status == 200)
            var recurring = Orders.accepted(by: salem, noura)
            recurring.paysByConsent = true
            try await wallet.hear(recurring)
            try await wallet.eventually(recurring, is: .held)

            var seen = ""
            for table in try await wallet.pool.query(ListTables()) {
                for row in try await wallet.pool.query(DumpTable(table: table)) {
                    #expect(
                        !row.contains(number) && !row.contains("\"\(cvv)\"") && !row.contains(":\(cvv)"), "\(table)")
                    seen += row
                    #expect(!row.contains("cvctok_") || table == "charges", "\(table)")
                }
            }
            // What may be there was found.
            #expect(seen.contains("S SALEM") && seen.contains("pm_") && seen.contains("4444"))
            #expect(!wallet.logs.text.contains(number) && !wallet.logs.text.contains(cvv))
            #expect(!wallet.logs.text.contains("cvctok_") && !wallet.logs.text.contains(wallet.providerKey))
        }
    }

    @Test("W3: what the payment provider gave for a CVV is not kept once it was used")
    func used() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            try await wallet.eventually(order, is: .held)
            let charge = try #require(try await wallet.pool.first(FindPayment(order: order.order))?.charge)
            #expect(try await wallet.pool.first(FindCharge(charge: charge))?.cvvReference == nil)
        }
    }
}

private struct ListTables: Statement {
    static let sql: SQL =
        "SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema()"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Each row of a table as text.
private struct DumpTable: Statement {
    static let sql: SQL = """
        SELECT line FROM unnest(xpath('//row/text()', query_to_xml(
            format('SELECT t::text AS row FROM %I AS t', $1), false, false, ''))::text[]) AS line
        """
    let table: String
    func bind(_ bindings: inout Bindings) { bindings.append(table) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
