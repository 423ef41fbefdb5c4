import Contracts
import Foundation
import HTTPTypes
import SeraiJSON
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet
@testable import ServiceKit

@Suite("Bank accounts of countries without IBAN", .timeLimit(.minutes(15)))
struct BankNumberTests {
    static let perth =
        #"{"market": "btnc", "bsb": "036-001", "accountNumber": "8315 4627", "holder": "OLIVIA", "bankName": "Westpac"}"#
    static let regina =
        #"{"market": "edencare", "transit": "00-498", "institution": "003", "accountNumber": "40916728835", "holder": "PAUL", "bankName": "RBC"}"#

    @Test("B1, W5: BSB, transit, institution and account number have their lengths; spaces and hyphens do not count")
    func parts() {
        for good in ["036-001", "036001", "110 000"] { #expect(AustralianBankNumber.bsb(good)?.count == 6, "\(good)") }
        for bad in ["36-001", "0360011", "000-001", "03600A", "٠٣٦٠٠١", ""] {
            #expect(AustralianBankNumber.bsb(bad) == nil, "\(bad)")
        }
        for good in ["12345", "1234 56789", "00012"] { #expect(AustralianBankNumber.account(good) != nil, "\(good)") }
        for bad in ["1234", "1234567890", "00000", "12-34x"] {
            #expect(AustralianBankNumber.account(bad) == nil, "\(bad)")
        }
        #expect(CanadianBankNumber.transit("00498") == "00498" && CanadianBankNumber.transit("0498") == nil)
        #expect(CanadianBankNumber.institution("003") == "003" && CanadianBankNumber.institution("0003") == "003")
        for bad in ["03", "1003", "00003", "000", "a03"] {
            #expect(CanadianBankNumber.institution(bad) == nil, "\(bad)")
        }
        for good in ["1234567", "123456789012"] { #expect(CanadianBankNumber.account(good) != nil, "\(good)") }
        for bad in ["123456", "1234567890123"] { #expect(CanadianBankNumber.account(bad) == nil, "\(bad)") }
        let number = BankNumber.canadian(
            CanadianBankNumber(transit: "00498", institution: "003", account: "40916728835"))
        #expect(number.routingNumber == "00498-003" && number.lastFour == "8835" && number.country == "CA")
        #expect(!"\(number)".contains("8835") && String(reflecting: number).contains("8835") == false)
    }

    @Test(
        "B1, W5, W9: a driver in Perth is paid to BSB and account, a partner in Regina to transit, institution and account",
        arguments: [
            ("btnc", "AUD", perth, "AU", "australian", "4627"), ("edencare", "CAD", regina, "CA", "canadian", "8835"),
        ])
    func paid(
        market: String, currency: String, body: String, country: String, form: String, lastFour: String
    ) async throws {
        try await WalletFixture.run { wallet in
            let person = try await wallet.people.person("Olivia", "provider", in: market)
            let admin = try await wallet.admin(in: market)
            let saved = try await wallet.post("bank-accounts", person, body)
            #expect(saved.status == 201, "\(saved.text)")
            #expect(saved.json["country"]?.string == country && saved.json["form"]?.string == form)
            #expect(saved.json["lastFour"]?.string == lastFour)
            // Typed otherwise it is the same account.
            let again = try await wallet.post("bank-accounts", person, body.replacing("-", with: ""))
            #expect(again.status == 200, "\(again.text)")
            let id = try #require(saved.json["bankAccount"]?.string)
            try await wallet.give(5_000, to: person, currency: currency)
            let asked = try await wallet.post(
                "cash-outs", person, #"{"market": "\#(market)", "amount": 1000, "bankAccount": "\#(id)"}"#)
            #expect(asked.status == 201, "\(asked.text)")
            let cashOut = try #require(asked.json["cashOut"]?.string)
            #expect(try await wallet.decide(cashOut, admin, accept: true, market: market).status == 200)
            try await wallet.pays(cashOut, until: .paid)
            // Such an account has one currency.
            let others = try await wallet.people.person("Olivia", roles: ["provider"], in: "assef")
            let refused = try await wallet.post(
                "bank-accounts", others, body.replacing(#""\#(market)""#, with: #""assef""#))
            let field = form == "australian" ? "/bsb" : "/transit"
            #expect(refused.codes == [field: "bank-account-other-currency"], "\(refused.text)")
        }
    }

    @Test("W5, P10: a number is given in one form, whole, and each part that is wrong is named")
    func oneForm() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let driver = try await wallet.people.person("Olivia", "provider", in: "btnc")
            func refusal(_ fields: String) async throws -> [String: String] {
                try await wallet.post(
                    "bank-accounts", driver,
                    #"{"market": "btnc", "holder": "OLIVIA", "bankName": "Westpac", \#(fields)}"#
                ).codes
            }
            #expect(try await refusal(#""bsb": "036001""#) == ["/accountNumber": "required"])
            #expect(try await refusal(#""accountNumber": "831546""#) == ["/bsb": "required"])
            #expect(
                try await refusal(#""bsb": "36-001", "accountNumber": "12""#)
                    == ["/bsb": "not-a-bsb", "/accountNumber": "not-an-account-number"])
            #expect(
                try await refusal(#""transit": "123", "institution": "1003""#)
                    == [
                        "/transit": "not-a-transit-number", "/institution": "not-an-institution",
                        "/accountNumber": "required",
                    ])
            let iban = WalletFixture.iban(endingIn: "7519")
            #expect(
                try await refusal(#""bsb": "036001", "accountNumber": "831546", "iban": "\#(iban)""#)
                    == ["/iban": "only-one-bank-number"])
            #expect(try await refusal(#""bsb": 36001, "accountNumber": 831546"#).count == 2)
            try await wallet.give(5_000, to: driver, currency: "AUD")
            let saved = try await wallet.post("bank-accounts", driver, Self.perth)
            let id = saved.json["bankAccount"]?.string ?? ""
            let both = try await wallet.post(
                "cash-outs", driver,
                #"{"market": "btnc", "amount": 1000, "bankAccount": "\#(id)", "bsb": "036001"}"#)
            #expect(both.codes == ["/bsb": "only-one-destination"], "\(both.text)")
        }
    }
}
