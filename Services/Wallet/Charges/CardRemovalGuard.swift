import Foundation
import Postgres
import ServiceKit

/// A stored card that a charge is made with or a cash-out goes to.
enum CardRemovalGuard {
    /// Prevents the card's removal until the transaction ends; a later removal sees the charge and waits for it.
    /// Instruments that are good for one payment need no protection.
    ///
    /// - Throws: a 422 ``Problem`` when the account no longer has the card.
    static func keep(_ instrument: Instrument?, of account: UUID, in transaction: PostgresTransaction) async throws {
        guard let instrument, instrument.method == .card, let reference = instrument.reference else { return }
        try await keep(reference, of: account, in: transaction)
    }

    /// Prevents the removal of a card that a cash-out goes to.
    static func keep(_ reference: String, of account: UUID, in transaction: PostgresTransaction) async throws {
        guard try await transaction.first(ShareLockCard(account: account, reference: reference)) == nil else { return }
        throw Problem.invalidFields([FieldProblem(JSONPointer.root.appending("card"), "no-such-card")])
    }
}
