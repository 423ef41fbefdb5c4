import Contracts
import Foundation
import HTTPTypes
import SeraiJSON
import ServiceKit

extension LedgerError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .insufficientFunds: Problem("insufficient-funds", status: .conflict)
        case .overflow: .amountTooLarge
        }
    }
}

extension LedgerError {
    /// The same of a refund: whoever was to fund it has less.
    var asRefund: Problem {
        switch self {
        case .insufficientFunds: Problem("refund-not-covered", status: .conflict)
        case .overflow: .amountTooLarge
        }
    }
}

extension LedgerError {
    /// The same of a cash-out: there is nothing to pay otherwise.
    var asCashOut: Problem {
        switch self {
        case .insufficientFunds: Problem("cash-out-above-balance", status: .conflict)
        case .overflow: .amountTooLarge
        }
    }
}

extension ReturnTopUp.NotReturnable: ProblemConvertible {
    var problem: Problem { Problem("top-up-not-returnable", status: .conflict) }
}

extension WalletFreeze: ProblemConvertible {
    var problem: Problem { Problem("wallet-frozen", status: .forbidden) }
}

extension AmountOutOfBounds {
    /// As people write it: `100.00 SAR`.
    static func text(_ amount: Int, _ currency: String) -> String {
        "\(Money(amount: amount, currency: currency).decimal) \(currency)"
    }

    /// The wrong field of a top-up, with the same bounds as the problem.
    var fields: [FieldProblem] {
        guard matter == .topUp else { return [] }
        let words = [
            "minimum": Self.text(bounds.minimum, currency), "maximum": Self.text(bounds.maximum, currency),
        ]
        return [FieldProblem("amount", "out-of-range", words)]
    }
}

extension AmountOutOfBounds: ProblemConvertible {
    var problem: Problem {
        let slug =
            switch matter {
            case .payment: "amount-not-chargeable"
            case .topUp: "top-up-out-of-bounds"
            case .cashOut: "cash-out-out-of-bounds"
            case .refund: "refund-out-of-bounds"
            }
        func text(_ amount: Int) -> String { Money(amount: amount, currency: currency).decimal }
        return Problem(
            slug, status: .unprocessableContent,
            arguments: [
                "minimum": text(bounds.minimum), "maximum": text(bounds.maximum), "step": text(bounds.step),
                "currency": currency,
            ],
            fields: fields,
            extensions: [
                "minimum": .integer(Int64(bounds.minimum)), "maximum": .integer(Int64(bounds.maximum)),
                "step": .integer(Int64(bounds.step)), "currency": .string(currency),
            ])
    }
}

extension RequestCashOut.Held: ProblemConvertible {
    var problem: Problem {
        let next = leaving.later.first
        let more = Money(amount: next?.amount ?? 0, currency: currency).decimal
        var extensions: [String: JSONValue] = [
            "available": .integer(Int64(leaving.now)), "currency": .string(currency),
        ]
        if let next {
            extensions["nextAmount"] = .integer(Int64(next.amount))
            extensions["nextAt"] = .string(Timestamp.text(next.at))
        }
        return Problem(
            "cash-out-held", status: .conflict,
            arguments: [
                "amount": Money(amount: leaving.now, currency: currency).decimal, "currency": currency, "more": more,
                "at": next.map { Timestamp.text($0.at) } ?? "",
            ], extensions: extensions)
    }
}

extension DailyLimit.Reached: ProblemConvertible {
    var problem: Problem {
        Problem(
            matter == .topUp ? "daily-top-up-limit" : "daily-cash-out-limit", status: .conflict,
            arguments: [
                "left": Money(amount: left, currency: currency).decimal,
                "limit": Money(amount: limit, currency: currency).decimal, "currency": currency,
                "at": Timestamp.text(endsAt),
            ],
            extensions: [
                "left": .integer(Int64(left)), "limit": .integer(Int64(limit)), "currency": .string(currency),
                "endsAt": .string(Timestamp.text(endsAt)),
            ])
    }
}

extension AccountBlock: ProblemConvertible {
    var problem: Problem {
        Problem(
            "account-blocked", status: .forbidden,
            extensions: ["owed": .integer(Int64(owed.amount)), "currency": .string(owed.currency)])
    }
}

extension RefundRefusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notCaptured(let state): .paymentState(state)
        case .notByCard: .invalidFields([FieldProblem(JSONPointer.root.appending("to"), "not-paid-by-card")])
        case .noSuchFunder: .invalidFields([FieldProblem(JSONPointer.root.appending("funder"), "no-such-funder")])
        case .aboveCaptured(let left, let currency):
            Problem(
                "refund-above-captured", status: .conflict,
                arguments: ["amount": Money(amount: left, currency: currency).decimal, "currency": currency],
                extensions: ["left": .integer(Int64(left)), "currency": .string(currency)])
        case .funderLeaving: Problem("refund-funder-leaving", status: .conflict)
        case .disputed: Problem("refund-charge-disputed", status: .conflict)
        case .waits: Problem("refund-waits", status: .conflict)
        }
    }
}

extension TipRefusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notCaptured(let state): .paymentState(state)
        case .given: Problem("tip-given", status: .conflict)
        case .noProvider: .notFound
        }
    }
}

extension PaymentRefusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .tooEarly(let state):
            Problem(
                "order-state", status: .conflict, arguments: ["state": state], extensions: ["state": .string(state)],
                // The acceptance may be on its way.
                headers: [.retryAfter: "1"])
        case .tooLate(let state):
            Problem(
                "order-state", status: .conflict, arguments: ["state": state], extensions: ["state": .string(state)])
        case .payment(let state): .paymentState(state)
        }
    }
}

extension PaymentProvider.CardError: ProblemConvertible {
    /// Codes of the payment provider, by the field that they are about.
    private static let fields = [
        "no_such_method": "paymentMethod", "incorrect_number": "paymentMethod", "invalid_number": "paymentMethod",
        "invalid_cvc": "paymentMethod", "incorrect_cvc": "paymentMethod", "invalid_expiry_month": "expiryMonth",
        "invalid_expiry_year": "expiryYear", "expired_card": "expiryYear", "invalid_token": "token",
    ]

    var problem: Problem {
        switch self {
        case .unavailable: Problem("payment-provider-down", status: .serviceUnavailable, headers: [.retryAfter: "5"])
        case .refused(let code):
            if let field = Self.fields[code] {
                .invalidFields([FieldProblem(JSONPointer.root.appending(field), "card-refused")])
            } else {
                Problem("card-refused", status: .unprocessableContent)
            }
        }
    }
}

extension Problem {
    /// 409: the payment's state stands in the way.
    static func paymentState(_ state: PaymentState) -> Problem {
        Problem(
            "payment-state", status: .conflict, arguments: ["state": state.rawValue],
            extensions: ["state": .string(state.rawValue)])
    }

    /// 409: a balance would be more than the ledger can write.
    static let amountTooLarge = Problem("amount-too-large", status: .conflict)

    /// 409: such a promo code waits for a second admin already.
    static let promoCodeWaits = Problem("promo-code-waits", status: .conflict)
    /// 409: what waits for a second admin cannot be done any more, since there is such a code.
    static let promoCodeTaken = Problem("promo-code-taken", status: .conflict)

    /// 409: the account has as many cards as it may.
    static let tooManyCards = Problem(
        "too-many-cards", status: .conflict, arguments: ["maximum": String(StoredCard.limit)])
    /// 409: the card that was added again was removed at the same moment.
    static let cardRemovedMeanwhile = Problem("card-removed-meanwhile", status: .conflict)
    /// 409: the account has as many bank accounts as it may.
    static let tooManyBankAccounts = Problem(
        "too-many-bank-accounts", status: .conflict, arguments: ["maximum": String(BankAccount.limit)])
    /// 409: removing a card asks first.
    static func confirmRemoval(of card: StoredCard) -> Problem {
        Problem(
            "confirmation-needed", status: .conflict, arguments: ["brand": card.brand, "lastFour": card.lastFour])
    }
    /// 409: so does removing a bank account.
    static func confirmRemoval(of bankAccount: PayoutDestination) -> Problem {
        Problem(
            "bank-account-confirmation-needed", status: .conflict,
            arguments: ["bankName": bankAccount.bankName ?? "", "lastFour": bankAccount.lastFour])
    }
    /// 400: the webhook is not the payment provider's, or not of this moment.
    static let invalidSignature = Problem("invalid-signature", status: .badRequest)
}
