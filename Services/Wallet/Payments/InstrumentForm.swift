import Foundation
import Messaging
import ServiceKit

/// The payment instrument as a request states it.
enum InstrumentForm {
    /// The tokens of a CVV, of Apple Pay and of Google Pay. They are secrets, and an app may make another one for a repeat.
    static let secretFields: Set<String> = ["token", "cvvToken"]

    /// A stored card, and the payment provider's token of its CVV.
    case card(UUID, cvv: String)
    case phoneWallet(PaymentMethod, token: Redacted<String>)
    case payPal

    /// Reports missing or invalid fields to the form.
    ///
    /// - Returns: nil for wallet and cash, and when a field is invalid.
    init?(_ method: PaymentMethod, _ form: Form) {
        switch method {
        case .wallet, .cash, .deskCash: return nil
        case .card:
            let card = form.uuid("card")
            let cvv = CardForm.cvv(form)
            guard let card, let cvv else { return nil }
            self = .card(card, cvv: cvv)
        case .applePay, .googlePay:
            guard let token = form.secret("token", length: 5...255) else { return nil }
            // Only a token is passed on: a card number typed into this field never reaches the payment provider.
            guard token.revealed.wholeMatch(of: /tok_[A-Za-z0-9_]+/) != nil else {
                form.reject("token", "invalid-value")
                return nil
            }
            self = .phoneWallet(method, token: token)
        case .payPal: self = .payPal
        }
    }

    /// - Throws: a 422 ``Problem`` when the account has no such card or the card has expired;
    ///   ``PaymentProvider/CardError``; a 429 ``Problem`` after too many refused cards.
    func take(of account: UUID, _ parts: WalletParts) async throws -> Instrument {
        switch self {
        case .card(let card, let cvv): try await CardWithCVV.take(card, of: account, cvv: cvv, parts)
        case .phoneWallet(let method, let token):
            try await Self.exchange(token, of: method, account, parts)
        case .payPal:
            Instrument(method: .payPal, reference: nil, holder: PaymentMethod.payPal.properName ?? "")
        }
    }

    private static func exchange(
        _ token: Redacted<String>, of method: PaymentMethod, _ account: UUID, _ parts: WalletParts
    ) async throws -> Instrument {
        try await CardAttempts.admit(account, parts.pool)
        do {
            return Instrument(
                method: method, reference: try await parts.provider.exchange(token, of: method),
                holder: method.properName ?? "")
        } catch {
            try await CardAttempts.note(error, of: account, parts.pool)
            throw error
        }
    }
}

/// The address where the customer must confirm before a payment or top-up continues.
struct NextActionView: Encodable, Sendable {
    let type = "redirect"
    let url: String
}
