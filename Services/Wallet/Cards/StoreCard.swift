import Foundation
import Messaging
import Postgres
import ServiceKit

/// Stores a card: at the payment provider first, then here. Whatever happens in between, a card that is not stored here
/// does not stay there: before it is attached to its owner, a row says that it is to be removed, and storing it here
/// removes that row.
enum StoreCard {
    /// What the payment provider has stored.
    struct AtProvider: Sendable {
        let reference: String
        let customer: String
        let brand: String
        let lastFour: String
    }

    /// Outside of any transaction.
    ///
    /// - Throws: ``PaymentProvider/CardError``; ``Problem/accountLeaving``; ``Problem/tooManyCards``; a 429 ``Problem``
    ///   after too many cards that were added or refused.
    static func atProvider(
        _ form: CardForm, of account: UUID, at: Date, _ parts: WalletParts
    ) async throws -> AtProvider {
        // Looked at before the payment provider has the card. Decided is it below.
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

    /// - Throws: ``Problem/tooManyCards``; ``Problem/accountLeaving``.
    static func here(
        _ form: CardForm, _ stored: AtProvider, of account: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws -> StoredCard {
        let card = StoredCard(
            id: .timeOrdered(), account: account, reference: stored.reference, brand: stored.brand,
            lastFour: stored.lastFour, expiry: form.expiry, holder: form.holder, customer: stored.customer,
            consentedAt: form.consents ? at : nil)
        try await LeavingAccounts.refuse(account, in: transaction)
        transaction.send(LockCards(account: account))
        guard let inserted = try await transaction.first(InsertCard(card: card, limit: StoredCard.limit)) else {
            throw Problem.tooManyCards
        }
        transaction.send(DeleteRemoval(reference: stored.reference))
        try await TellAccountMethod.tell(account, at: at, in: transaction)
        return inserted
    }

    private static func customer(_ account: UUID, at: Date, _ parts: WalletParts) async throws -> String {
        if let known = try await parts.pool.first(FindProviderCustomer(account: account)) { return known }
        let made = try await parts.provider.makeCustomer(account, at: at)
        // Unless it is kept below it goes again: the account may be leaving, or have another one already.
        try await parts.pool.execute(
            InsertRemoval(removal: Removal(reference: made, kind: .customer), seconds: RemovalWorker.graceSeconds))
        return try await parts.pool.withTransaction { transaction in
            // An account that goes takes its customer along.
            try await LeavingAccounts.refuse(account, in: transaction)
            let (_, found) = try await transaction.queryAll(
                InsertProviderCustomer(account: account, reference: made), FindProviderCustomer(account: account))
            let kept = found.first ?? made
            transaction.send(DeleteRemoval(reference: kept))
            return kept
        }
    }
}
