import Foundation
import Postgres

/// Checks the card that the visits of a series are to be charged to, by what the wallet has told of the customer's cards.
enum CheckSeriesCard {
    /// - Parameter isByPhone: whether an admin names it for a customer on the phone, who agrees on the card itself.
    /// - Throws: ``SeriesRefusal/card(_:)``
    static func check(
        _ method: Series.Consent.Method, _ card: UUID?, of customer: UUID, isByPhone: Bool = false, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard method == .card else { return }
        let known =
            try await transaction.first(FindKnownCards(account: customer)) ?? KnownCards(hasMethod: false, cards: nil)
        if let fault = known.fault(of: card, needsConsent: isByPhone, at: now) { throw SeriesRefusal.card(fault) }
    }
}
