import AsyncHTTPClient
import Contracts
import Foundation
import HTTPTypes
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet
@testable import ServiceKit

/// What the tests of card money and disputes share.
extension WalletFixture {
    /// Tops up by card and waits until the money is there.
    ///
    /// - Returns: its charge.
    @discardableResult
    func topUp(
        _ amount: Int, _ person: Person, with number: String = "4242424242424242"
    ) async throws -> SeraiWallet.Charge {
        let before = try await balance(person)
        let card = try await card(person, number)
        let answer = try await post(
            "topups", person,
            #"{"market": "assef", "amount": \#(amount), "card": "\#(card)", "cvvToken": "cvctok_test"}"#)
        let topUp = try #require(answer.json["topUp"]?.string.flatMap(UUID.init(uuidString:)), "\(answer.text)")
        try await TestKit.eventually("it is in the wallet") { try await balance(person) > before }
        let charge = try #require(try await pool.first(FindChargeOfSubject(subject: topUp)))
        return try #require(try await pool.first(FindCharge(charge: charge)))
    }

    /// A webhook about a dispute of a charge.
    func dispute(
        _ charge: SeraiWallet.Charge, _ event: String, _ status: String, id: String = "dp_1", amount: Int? = nil,
        event eventID: String = UUID().uuidString
    ) async throws {
        let body = """
            {"id": "evt_\(eventID)", "object": "event", "type": "charge.dispute.\(event)", "created": 1,
             "data": {"object": {"id": "\(id)", "object": "dispute", "payment_intent": "\(charge.reference ?? "")",
              "amount": \(amount ?? charge.amount), "currency": "\(charge.currency.lowercased())",
              "status": "\(status)", "reason": "fraudulent", "metadata": {}}}}
            """
        let answer = try await webhook(body)
        #expect(answer.status == 200, "\(answer.text)")
    }

    /// A webhook about what has been given back of a charge so far.
    @discardableResult
    func givenBack(_ charge: SeraiWallet.Charge, _ amount: Int) async throws -> Answer {
        try await webhook(
            """
            {"id": "evt_\(UUID().uuidString)", "object": "event", "type": "charge.refunded", "created": 1,
             "data": {"object": {"id": "ch_1", "object": "charge", "payment_intent": "\(charge.reference ?? "")",
              "amount": \(charge.amount), "amount_refunded": \(amount), "refunded": \(amount == charge.amount),
              "metadata": {"charge": "\(charge.id.text)"}}}}
            """)
    }

    /// The caller's wallet in riyals.
    func wallet(of person: Person) async throws -> JSONValue {
        try #require(try await get("wallets", person).items.first { $0["currency"]?.string == "SAR" })
    }

    /// Lets the market have a setting from now on.
    func set(_ key: MarketSettings.Key, _ value: String, in market: String = "assef") async throws {
        try await pool.execute(SetSetting(market: market, key: key.rawValue, value: value))
        try await parts.markets.refresh()
    }

    /// Lets the market assef have a currency from now on.
    func setCurrency(_ code: String) async throws {
        let amounts = "finePerKilometre=20; cancellationFee=0; tariffs=none; servicePrices=none; formerly SAR=50,0"
        try await set(.currency, "\(code); \(amounts)")
    }

    /// An accepted order in a currency.
    func accepted(
        _ customer: Person, _ provider: Person, amount: Int, currency: String
    ) async throws -> OrderSnapshot {
        var order = Orders.accepted(by: customer, provider, amount: amount)
        order.total.currency = currency
        try await hear(order)
        return order
    }
}

private struct FindChargeOfSubject: Statement {
    static let sql: SQL = "SELECT id FROM charges WHERE subject = $1"
    let subject: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(subject) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
