import Foundation
import Messaging
import Postgres
import ServiceKit

/// Changes and removes cards at their owner's request. Each operation locks the account's cards, so that there is
/// always one default.
enum ChangeCard {
    struct Change: Sendable {
        var holder: String?
        var expiry: CardExpiry?
        /// Whether the card becomes the default.
        var isDefault = false
        /// Whether recurring orders may charge the card; nil keeps the current consent.
        var consents: Bool?
    }

    /// - Returns: the changed card; nil when the account has no such card.
    static func change(
        _ card: UUID, of account: UUID, _ change: Change, at: Date, in transaction: PostgresTransaction
    ) async throws -> StoredCard? {
        transaction.send(LockCards(account: account))
        let touched = try await transaction.execute(
            UpdateCard(
                card: card, account: account, holder: change.holder, expiry: change.expiry, consents: change.consents,
                at: at))
        guard touched == 1 else { return nil }
        if change.isDefault {
            transaction.send(ClearDefaultCard(account: account))
            transaction.send(ChooseDefaultCard(card: card, account: account))
        }
        try await PublishAccountMethod.tell(account, at: at, in: transaction)
        return try await transaction.first(FindCard(card: card, account: account))
    }

    /// Removes the card here at once; ``RemovalWorker`` removes it at the payment provider after the commit.
    ///
    /// - Returns: whether the account had the card.
    static func remove(
        _ card: UUID, of account: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws -> Bool {
        transaction.send(LockCards(account: account))
        guard let reference = try await transaction.first(DeleteCard(card: card, account: account)) else {
            return false
        }
        transaction.send(InsertRemoval(removal: Removal(reference: reference, kind: .card), seconds: 0))
        transaction.send(ReplaceDefaultCard(account: account))
        try await PublishAccountMethod.tell(account, at: at, in: transaction)
        return true
    }
}
