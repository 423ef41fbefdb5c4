import Foundation
import Postgres
import ServiceKit

/// Makes an instrument of the caller's stored card and the token of the CVV just entered.
enum CardWithCVV {
    /// - Throws: a 422 ``Problem`` when the account has no such card or the card has expired;
    ///   a 429 ``Problem`` after too many refused cards.
    static func take(
        _ card: UUID, of account: UUID, cvv: String, _ parts: WalletParts
    ) async throws -> Instrument {
        guard let stored = try await parts.pool.first(FindCard(card: card, account: account)) else {
            throw Problem.invalidFields([FieldProblem(JSONPointer.root.appending("card"), "no-such-card")])
        }
        if stored.expiry.isPast(at: parts.clock()) {
            throw Problem.invalidFields([FieldProblem(JSONPointer.root.appending("card"), "card-expired")])
        }
        try await CardAttempts.admit(account, parts.pool)
        return Instrument(stored, cvvReference: cvv)
    }
}
