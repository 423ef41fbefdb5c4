import Foundation

/// A card at the payment provider, with its bank's answer to every payment.
struct TestCard: Sendable, Equatable {
    enum Behaviour: Sendable, Equatable {
        case approves
        /// Authorises and closes the connection without an answer.
        case losesAnswer
        /// The provider answers 503 and does nothing.
        case isUnavailable
        /// The provider answers the first request of a kind with a 500; repeats with its key get the same answer.
        case failsInside(Step, isDone: Bool)
        case declines(StripeError)
        /// Approves; refunds fail.
        ///
        /// - Parameter isLater: whether the refund is answered as pending and its failure follows by webhook.
        case failsRefunds(isLater: Bool)
        /// Asks the customer first (3-D Secure).
        /// - Parameters:
        ///   - offSession: whether it also asks without the customer's presence, where he or she cannot answer.
        ///   - declines: the bank's error after a yes; nil approves.
        case asks(offSession: Bool, declines: StripeError? = nil)
    }

    enum Step: Sendable {
        case confirmation
        /// The first capture, cancellation and refund of each payment.
        case later
    }

    let brand: String
    let lastFour: String
    private(set) var expiryMonth: Int
    private(set) var expiryYear: Int
    let behaviour: Behaviour
    /// Equal for equal numbers, whatever else is said of the card, as Stripe's `card.fingerprint`.
    let fingerprint: String
    /// `apple_pay` or `google_pay`; nil for the card itself.
    let wallet: String?

    /// The numbers with a special result; every other plausible number is approved. Two of them have a twin with a
    /// correct check digit, for callers that check it first.
    static let behaviours: [String: Behaviour] = [
        "4242424242424242": .approves,
        "4000000000000002": .declines(
            .card("card_declined", "Your card was declined.", declineCode: "generic_decline")),
        "4000000000009995": .declines(
            .card("card_declined", "Your card has insufficient funds.", declineCode: "insufficient_funds")),
        "4000000000000069": .declines(.card("expired_card", "Your card has expired.", declineCode: "expired_card")),
        "4000000000000127": .declines(
            .card("incorrect_cvc", "Your card's security code is incorrect.", declineCode: "incorrect_cvc")),
        "4000000000000119": .declines(
            .card(
                "processing_error", "An error occurred while processing your card. Try again in a little bit.",
                declineCode: "processing_error")),
        "4000000000006666": .isUnavailable, "4000000000006660": .isUnavailable,
        "4000000000007777": .losesAnswer, "4000000000007775": .losesAnswer,
        "4000000000005001": .failsInside(.confirmation, isDone: false),
        "4000000000005019": .failsInside(.confirmation, isDone: true),
        "4000000000005027": .failsInside(.later, isDone: false), "4000000000005035": .failsInside(.later, isDone: true),
        "4000000000005126": .failsRefunds(isLater: true), "4000000000005134": .failsRefunds(isLater: false),
        "4000000000000341": .declines(
            .card("card_declined", "Your card was declined.", declineCode: "do_not_honor")),
        "4000002760003184": .asks(offSession: true), "4000002500003155": .asks(offSession: false),
        "4000008260003178": .asks(
            offSession: true,
            declines: .card("card_declined", "Your card has insufficient funds.", declineCode: "insufficient_funds")),
    ]

    /// The tokens of phones' wallets; usable any number of times, like Stripe's test tokens.
    static let walletTokens: [String: TestCard] = [
        "tok_sandbox_apple_pay": TestCard("apple_pay", "4242", .approves),
        "tok_sandbox_apple_pay_declined": TestCard(
            "apple_pay", "0002",
            .declines(.card("card_declined", "Your card was declined.", declineCode: "generic_decline"))),
        "tok_sandbox_google_pay": TestCard("google_pay", "1111", .approves),
        "tok_sandbox_google_pay_asks": TestCard("google_pay", "3184", .asks(offSession: true)),
    ]

    private init(_ wallet: String, _ lastFour: String, _ behaviour: Behaviour) {
        brand = "visa"
        self.lastFour = lastFour
        // A phone has a number of its own for the card.
        fingerprint = TestFingerprint.of("\(wallet) \(lastFour)")
        expiryMonth = 12
        expiryYear = 2060
        self.behaviour = behaviour
        self.wallet = wallet
    }

    /// - Parameter today: the year and month for the check of the expiry.
    init(_ form: FormParameters, today: (year: Int, month: Int)) throws(StripeError) {
        let number = try form.required("card[number]").filter { $0 != " " }
        guard Self.behaviours[number] != nil || Self.isPlausible(number) else {
            throw .card("incorrect_number", "Your card number is incorrect.", param: "number")
        }
        let (month, year) = try Self.expiry(form, today: today)
        if let code = form["card[cvc]"] { try Self.checkCode(code) }
        brand = Self.brand(number)
        lastFour = String(number.suffix(4))
        fingerprint = TestFingerprint.of(number)
        expiryMonth = month
        expiryYear = year
        behaviour = Self.behaviours[number] ?? .approves
        wallet = nil
    }

    /// Replaces the expiry, as for a new card from the bank.
    mutating func renew(_ form: FormParameters, today: (year: Int, month: Int)) throws(StripeError) {
        guard form["card[exp_month]"] != nil || form["card[exp_year]"] != nil else { return }
        (expiryMonth, expiryYear) = try Self.expiry(form, today: today)
    }

    private static func expiry(
        _ form: FormParameters, today: (year: Int, month: Int)
    ) throws(StripeError) -> (month: Int, year: Int) {
        guard let month = try form.integer("card[exp_month]") else { throw .missing("card[exp_month]") }
        guard (1...12).contains(month) else {
            throw .card("invalid_expiry_month", "Your card's expiration month is invalid.", param: "exp_month")
        }
        guard var year = try form.integer("card[exp_year]") else { throw .missing("card[exp_year]") }
        if (0...99).contains(year) { year += 2000 }
        guard (today.year, today.month) <= (year, month), year <= today.year + 50 else {
            throw .card("invalid_expiry_year", "Your card's expiration year is invalid.", param: "exp_year")
        }
        return (month, year)
    }

    static func checkCode(_ code: String) throws(StripeError) {
        guard (3...4).contains(code.utf8.count), code.utf8.allSatisfy(isDigit) else {
            throw .card("invalid_cvc", "Your card's security code is invalid.", param: "cvc")
        }
    }

    /// 12 to 19 digits with the check digit of ISO/IEC 7812-1.
    static func isPlausible(_ number: String) -> Bool {
        guard (12...19).contains(number.utf8.count), number.utf8.allSatisfy(isDigit) else { return false }
        let sum = number.utf8.reversed().enumerated().reduce(0) { sum, entry in
            let digit = Int(entry.element) - 48
            guard !entry.offset.isMultiple(of: 2) else { return sum + digit }
            return sum + (digit > 4 ? digit * 2 - 9 : digit * 2)
        }
        return sum.isMultiple(of: 10)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static func brand(_ number: String) -> String {
        switch (number.prefix(1), number.prefix(2)) {
        case ("4", _): "visa"
        case ("5", _), ("2", _): "mastercard"
        case (_, "34"), (_, "37"): "amex"
        default: "unknown"
        }
    }
}
