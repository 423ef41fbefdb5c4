import Contracts
import Foundation
import HTTPTypes
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
        "incorrect_number": "number", "invalid_number": "number", "invalid_expiry_month": "expiryMonth",
        "invalid_expiry_year": "expiryYear", "expired_card": "expiryYear", "invalid_cvc": "cvv", "incorrect_cvc": "cvv",
        "invalid_token": "token",
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

    /// 409: the account has as many cards as it may.
    static let tooManyCards = Problem(
        "too-many-cards", status: .conflict, arguments: ["maximum": String(StoredCard.limit)])
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
