import Foundation

/// Money that leaves for a bank account or a card.
struct Payout: Sendable, Equatable {
    enum Status: String, Sendable {
        /// On its way; how it ends is told afterwards.
        case pending, paid, failed
    }

    let id: String
    /// Minor units.
    let amount: Int
    /// Lower case, as Stripe has it.
    let currency: String
    let destination: String
    let metadata: [String: String]
    /// Seconds since 1970.
    let created: Int
    var status = Status.pending
    var failureCode: String?
}

/// A bank account as the payment provider keeps it, and how payouts to it end.
struct TestBankAccount: Sendable, Equatable {
    enum Behaviour: Sendable, Equatable {
        case pays
        /// Pays, and the connection closes before the answer is sent.
        case losesAnswer
        /// The provider answers 503 and does nothing.
        case isUnavailable
        /// The provider answers the first payout to it with a 500 and does nothing; every repeat under its key too.
        case failsInside
        /// Taken at first, and failed a moment later.
        case fails(code: String)
    }

    let country: String
    let lastFour: String
    let holder: String
    /// The same for the same number.
    let fingerprint: String
    let behaviour: Behaviour

    /// By the last four characters of the number; every other one is paid.
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
        // FNV-1a, 64 bits: numbers of tests need no more.
        let hash = number.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        fingerprint = String(hash, radix: 16)
        behaviour = Self.behaviours[lastFour] ?? .pays
    }
}
