import Foundation
import Postgres
import ServiceKit

/// A stored card that a charge is to be made with, or a cash-out goes to.
enum CardToCharge {
    /// Lets nobody remove it until the transaction's end; who removes it afterwards sees the charge and waits for it. What
    /// is good for one payment is nobody's to remove.
    ///
    /// - Throws: a 422 ``Problem`` when the account has it no more.
    static func keep(_ instrument: Instrument?, of account: UUID, in transaction: PostgresTransaction) async throws {
        guard let instrument, instrument.method == .card, let reference = instrument.reference else { return }
        try await keep(reference, of: account, in: transaction)
    }

    /// The same of a card that money goes to.
    static func keep(_ reference: String, of account: UUID, in transaction: PostgresTransaction) async throws {
        guard try await transaction.first(KeepCard(account: account, reference: reference)) == nil else { return }
        throw Problem.invalidFields([FieldProblem(JSONPointer.root.appending("card"), "no-such-card")])
    }
}
