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
        guard (15...34).contains(number.utf8.count) else {
            throw .invalid(
                "Invalid account number.", code: "account_number_invalid", param: "bank_account[account_number]")
        }
        country = try form.required("bank_account[country]")
        holder = try form.required("bank_account[account_holder_name]")
        lastFour = String(number.suffix(4))
        // FNV-1a with 64 bits, sufficient for test numbers.
        let hash = number.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        fingerprint = String(hash, radix: 16)
        behaviour = Self.behaviours[lastFour] ?? .pays
    }
}
