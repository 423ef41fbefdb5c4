import Foundation

/// A payout to a bank account or a card.
struct Payout: Sendable, Equatable {
    enum Status: String, Sendable {
        /// The result follows by webhook.
        case pending, paid, failed
    }

    let id: String
    /// In minor units.
    let amount: Int
    /// Lower case, as at Stripe.
    let currency: String
    let destination: String
    let metadata: [String: String]
    /// In seconds since 1970.
    let created: Int
    var status = Status.pending
    var failureCode: String?
}

/// A bank account at the payment provider, with the result of payouts to it.
struct TestBankAccount: Sendable, Equatable {
    enum Behaviour: Sendable, Equatable {
        case pays
        /// Pays and closes the connection without an answer.
        case losesAnswer
        /// The provider answers 503 and does nothing.
        case isUnavailable
        /// The provider answers the first payout with a 500 and does nothing; repeats with its key get the same answer.
        case failsInside
        /// The payout is accepted and fails a moment later.
        case fails(code: String)
    }

    let country: String
    /// Lower case; payouts are made in this one alone.
    let currency: String
    let lastFour: String
    let holder: String
    /// Equal for equal numbers.
    let fingerprint: String
    let behaviour: Behaviour

    /// By the last four characters of the number; all other accounts are paid.
    static let behaviours: [String: Behaviour] = [
        "0002": .fails(code: "account_closed"), "5000": .failsInside, "6660": .isUnavailable,
        "7775": .losesAnswer,
    ]

    init(_ form: FormParameters) throws(StripeError) {
        let number = try form.required("bank_account[account_number]")
        country = try form.required("bank_account[country]")
        let routing = form["bank_account[routing_number]"]
        currency = try ProviderCurrencies.checked(
            try form.required("bank_account[currency]"), param: "bank_account[currency]")
        try Self.check(number, routing, of: country, paidIn: currency)
        holder = try form.required("bank_account[account_holder_name]")
        lastFour = String(number.suffix(4))
        fingerprint = TestFingerprint.of((routing.map { $0 + " " } ?? "") + number)
        behaviour = Self.behaviours[lastFour] ?? .pays
    }

    /// Accounts in Australia have a routing number of six digits and are paid in AUD; those in Canada one of transit and
    /// institution, `12345-678`, and are paid in CAD. All others are written as IBANs.
    private static func check(
        _ number: String, _ routing: String?, of country: String, paidIn currency: String
    ) throws(StripeError) {
        let (lengths, shape, only): (ClosedRange<Int>, String, String?) =
            switch country {
            case "AU": (5...9, "######", "aud")
            case "CA": (7...12, "#####-###", "cad")
            default: (15...34, "", nil)
            }
        let isNumber = only == nil || number.utf8.allSatisfy { (48...57).contains($0) }
        guard lengths.contains(number.utf8.count), isNumber else {
            throw .invalid(
                "Invalid account number.", code: "account_number_invalid", param: "bank_account[account_number]")
        }
        let drawn = (routing ?? "").map { ("0"..."9").contains($0) ? "#" : String($0) }.joined()
        guard drawn == shape else {
            throw .invalid(
                "Invalid routing number.", code: "routing_number_invalid", param: "bank_account[routing_number]")
        }
        guard only == nil || only == currency else {
            throw .invalid(
                "A bank account of this country is not paid in this currency.", param: "bank_account[currency]")
        }
    }
}
