import Foundation
import SeraiJSON
import Testing

@testable import SeraiWallet

@Suite("What the OpenAPI document says of refusals")
struct DocumentTests {
    private static let text = String(decoding: WalletService.openAPI, as: UTF8.self)
    private static let ofCards = [
        "card-declined", "insufficient-funds", "card-expired", "provider-down", "authentication-failed",
        "authentication-required", "abandoned",
    ]

    @Test(
        "W3, W4: each operation names the problems that only it answers with, and has their statuses",
        arguments: [
            ("addCard", ["card-refused", "too-many-cards", "account-leaving"], ["409", "422", "503"]),
            ("changeCard", ["card-refused"], ["422", "503"]),
            ("topUp", ["card-refused", "account-leaving"], ["403", "409", "422"]),
            (
                "payOrder",
                ["card-refused", "account-leaving", "amount-too-large", "insufficient-funds", "account-blocked"],
                ["403", "409", "422"]
            ),
            ("refundPayment", ["account-leaving", "amount-too-large", "payment-state"], ["409"]),
            (
                "tipProvider", ["insufficient-funds", "account-blocked", "account-leaving", "amount-too-large"],
                ["403", "409"]
            ),
            ("addBankAccount", ["too-many-bank-accounts", "account-leaving"], ["409"]),
            ("cashOut", ["account-leaving", "amount-too-large", "too-many-bank-accounts"], ["403", "409"]),
            ("subscribe", ["card-refused", "account-leaving", "amount-too-large"], ["409", "422"]),
            ("takeWebhook", ["invalid-signature", "malformed-body"], ["400"]),
        ] as [(String, [String], [String])])
    func problems(operation: String, slugs: [String], statuses: [String]) throws {
        let words = try Self.operation(operation)
        for slug in slugs { #expect(words.contains("`\(slug)`"), "\(operation) does not name \(slug)") }
        for status in statuses { #expect(words.contains("\"\(status)\":"), "\(operation) has no \(status)") }
    }

    @Test("W9: every operation but the webhook and this document says that it wants a token")
    func unauthorized() throws {
        let operations = Self.text.matches(of: /operationId: (\w+)/).map { String($0.1) }
        #expect(operations.count > 40)
        for operation in operations where !["takeWebhook", "walletDocument"].contains(operation) {
            #expect(try Self.operation(operation).contains("\"401\":"), "\(operation)")
        }
    }

    @Test("W1: why a line, a top-up or a payment was refused is one of the words that the document names")
    func reasons() throws {
        let line =
            Self.ofCards + [
                "given-back", "method-not-allowed", "account-blocked", "authorisation-lost", "order-cancelled",
                "order-refused", "order-expired", "order-disputed", "order-reassigned", "order-cost-nothing",
                "cash-for-nobody", "deposit-returned", "hold-released", "hold-expired", "reversed", "account-closed",
                "payout-refused",
            ]
        for (schema, words) in [
            ("StatementLine", line), ("TopUp", Self.ofCards + ["given-back"]),
            ("PaymentRefusal", Self.ofCards + ["method-not-allowed", "account-blocked", "authorisation-lost"]),
            ("CashOut", ["account-closed", "payout-refused"]),
        ] {
            let text = Self.schema(schema)
            for word in words { #expect(text.contains("`\(word)`"), "\(schema) does not name \(word)") }
        }
        for schema in ["Payment", "MarketPayment", "PaymentHistory"] {
            #expect(Self.schema(schema).contains("refusal: { $ref: \"#/components/schemas/PaymentRefusal\" }"))
        }
    }

    private static func operation(_ id: String) throws -> Substring {
        let start = try #require(text.range(of: "operationId: \(id)\n"), "\(id)").upperBound
        let end = text[start...].range(of: "operationId: ")?.lowerBound ?? text.endIndex
        return text[start..<end]
    }

    private static func schema(_ name: String) -> String {
        let lines = text.split(separator: "\n").drop { $0 != "    \(name):" }.dropFirst()
        return lines.prefix { $0.hasPrefix("      ") }.joined(separator: "\n")
    }
}
