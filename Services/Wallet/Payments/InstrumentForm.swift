import Foundation
import Messaging
import ServiceKit

/// What somebody pays with, as the request says it.
enum InstrumentForm {
    /// The field that a phone's wallet's token comes in; it counts as a secret.
    static let secretFields: Set<String> = ["token"]

    case card(UUID, cvv: Redacted<String>)
    case phoneWallet(PaymentMethod, token: Redacted<String>)
    case payPal

    /// Notes what is missing or wrong in the form.
    ///
    /// - Returns: nil for methods that the payment provider has no part in, and when something is wrong.
    init?(_ method: PaymentMethod, _ form: Form) {
        switch method {
        case .wallet, .cash: return nil
        case .card:
            let card = form.uuid("card")
            let cvv = CardForm.cvv(form)
            guard let card, let cvv else { return nil }
            self = .card(card, cvv: cvv)
        case .applePay, .googlePay:
            guard let token = form.secret("token", length: 5...255) else { return nil }
            // Nothing else goes to the payment provider as one: a card's number typed there stays here.
            guard token.revealed.wholeMatch(of: /tok_[A-Za-z0-9_]+/) != nil else {
                form.reject("token", "invalid-value")
                return nil
            }
            self = .phoneWallet(method, token: token)
        case .payPal: self = .payPal
        }
    }

    /// - Throws: a 422 ``Problem`` when the account has no such card or it has expired;
    ///   ``PaymentProvider/CardError``; a 429 one after too many refused cards.
    func take(of account: UUID, _ parts: WalletParts) async throws -> Instrument {
        switch self {
        case .card(let card, let cvv): try await CardInHand.take(card, of: account, cvv: cvv, parts)
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

/// Where the customer has to go so that a payment or top-up can go on.
struct NextActionView: Encodable, Sendable {
    let type = "redirect"
    let url: String
}
