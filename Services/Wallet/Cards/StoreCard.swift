import Foundation
import Messaging
import Postgres
import ServiceKit

/// Stores a card at the payment provider, then here. A card that is not stored here does not stay there: before it is
/// attached to its owner, a row in `removals` schedules its removal, and storing it here deletes that row.
enum StoreCard {
    /// A card as the payment provider stored it.
    struct AtProvider: Sendable {
        let reference: String
        let customer: String
        let brand: String
        let lastFour: String
    }

    /// Stores the card at the payment provider, outside of any transaction.
    ///
    /// - Throws: ``PaymentProvider/CardError``; ``Problem/accountLeaving``; ``Problem/tooManyCards``; a 429 ``Problem``
    ///   after too many added or refused cards.
    static func atProvider(
        _ form: CardForm, of account: UUID, at: Date, _ parts: WalletParts
    ) async throws -> AtProvider {
        // A first check, before the payment provider gets the card; the transaction that stores the card decides.
        guard try await parts.pool.query(ListCards(account: account)).count < StoredCard.limit else {
            throw Problem.tooManyCards
        }
        let attempt = try await CardAttempts.add(account, parts.pool)
        do {
            return try await store(form, of: account, at: at, parts)
        } catch let error as PaymentProvider.CardError {
            try await CardAttempts.note(error, of: account, adding: attempt, parts.pool)
            throw error
        }
    }

    private static func store(
        _ form: CardForm, of account: UUID, at: Date, _ parts: WalletParts
    ) async throws -> AtProvider {
        let stored = try await parts.provider.store(
            number: form.number, expiry: form.expiry, cvv: form.cvv, holder: form.holder)
        let customer = try await customer(account, at: at, parts)
        try await parts.pool.execute(
            InsertRemoval(
                removal: Removal(reference: stored.reference, kind: .card), seconds: RemovalWorker.graceSeconds))
        try await parts.provider.attach(stored.reference, to: customer)
        return AtProvider(
            reference: stored.reference, customer: customer, brand: stored.brand, lastFour: stored.lastFour)
    }

    /// Stores the card in the database.
    ///
    /// - Throws: ``Problem/tooManyCards``; ``Problem/accountLeaving``.
    static func here(
        _ form: CardForm, _ stored: AtProvider, of account: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws -> StoredCard {
        let card = StoredCard(
            id: .timeOrdered(), account: account, reference: stored.reference, brand: stored.brand,
            lastFour: stored.lastFour, expiry: form.expiry, holder: form.holder, customer: stored.customer,
            consentedAt: form.consents ? at : nil)
        try await AccountDeletionGuard.refuse(account, in: transaction)
        transaction.send(LockCards(account: account))
        guard let inserted = try await transaction.first(InsertCard(card: card, limit: StoredCard.limit)) else {
            throw Problem.tooManyCards
        }
        transaction.send(DeleteRemoval(reference: stored.reference))
        try await PublishAccountMethod.tell(account, at: at, in: transaction)
        return inserted
    }

    private static func customer(_ account: UUID, at: Date, _ parts: WalletParts) async throws -> String {
        if let known = try await parts.pool.first(FindProviderCustomer(account: account)) { return known }
        let made = try await parts.provider.makeCustomer(account, at: at)
        // The new customer is removed again unless it is stored below: the account may be leaving, or may already have
        // another customer.
        try await parts.pool.execute(
            InsertRemoval(removal: Removal(reference: made, kind: .customer), seconds: RemovalWorker.graceSeconds))
        return try await parts.pool.withTransaction { transaction in
            // The deletion of an account also removes its customer, so none may be added afterwards.
            try await AccountDeletionGuard.refuse(account, in: transaction)
            let (_, found) = try await transaction.queryAll(
                InsertProviderCustomer(account: account, reference: made), FindProviderCustomer(account: account))
            let kept = found.first ?? made
            transaction.send(DeleteRemoval(reference: kept))
            return kept
        }
    }
}
