import Foundation
import Messaging
import Postgres
import ServiceKit

/// Attaches a card, which the app has handed to the payment provider, to its owner there, then stores it here. A card that
/// is not stored here does not stay there: before it is attached, a row in `removals` schedules its removal, and storing
/// it here deletes that row.
enum StoreCard {
    /// A card as the payment provider stored it.
    struct AtProvider: Sendable {
        let reference: String
        let customer: String
        let brand: String
        let lastFour: String
        let expiry: CardExpiry
        let fingerprint: String?
    }

    /// The outcome of adding a card at the payment provider.
    enum Added: Sendable {
        case new(AtProvider)
        /// The account has stored this number before; the card there has the new expiry and holder now.
        case known(UUID, CardExpiry)
    }

    /// Attaches the card to its owner at the payment provider, outside of any transaction.
    ///
    /// - Throws: ``PaymentProvider/CardError``; ``Problem/accountLeaving``; ``Problem/tooManyCards``; a 422 ``Problem``
    ///   for a card that has expired; a 429 ``Problem`` after too many added or refused cards.
    static func atProvider(
        _ form: CardForm, of account: UUID, at: Date, _ parts: WalletParts
    ) async throws -> Added {
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
    ) async throws -> Added {
        let offered = try await parts.provider.offered(form.method)
        if offered.expiry.isPast(at: at) {
            throw Problem.invalidFields([FieldProblem(JSONPointer.root.appending("paymentMethod"), "card-expired")])
        }
        let cards = try await parts.pool.query(ListCards(account: account))
        if let known = try await known(offered, of: account, among: cards, parts) {
            // Not attached, so it does not stay there.
            try await parts.provider.update(known.reference, expiry: offered.expiry, holder: form.holder)
            return .known(known.id, offered.expiry)
        }
        // A first check, before the card is attached to its owner; the transaction that stores the card decides. The
        // number had to be known before: renewing a stored card is possible at the limit.
        guard cards.count < StoredCard.limit else { throw Problem.tooManyCards }
        let customer = try await customer(account, at: at, parts)
        // Somebody else's card, or one whose attachment got no answer before.
        guard offered.customer == nil || offered.customer == customer else {
            throw PaymentProvider.CardError.refused("no_such_method")
        }
        try await parts.pool.execute(
            InsertRemoval(
                removal: Removal(reference: offered.reference, kind: .card), seconds: RemovalWorker.graceSeconds))
        try await parts.provider.attach(offered.reference, to: customer)
        return .new(
            AtProvider(
                reference: offered.reference, customer: customer, brand: offered.brand, lastFour: offered.lastFour,
                expiry: offered.expiry, fingerprint: offered.fingerprint))
    }

    /// The account's card that is offered again: the same payment method, or another one of the same number.
    private static func known(
        _ offered: PaymentProvider.OfferedCard, of account: UUID, among cards: [StoredCard], _ parts: WalletParts
    ) async throws -> StoredCard? {
        if let same = cards.first(where: { $0.reference == offered.reference }) { return same }
        guard let fingerprint = offered.fingerprint else { return nil }
        return try await parts.pool.first(FindCardByNumber(account: account, fingerprint: fingerprint))
    }

    /// Stores the card in the database. A number that the account has stored already keeps its card, with the new expiry,
    /// holder and consent; a second one would count anew for whatever is limited for each card.
    ///
    /// - Returns: the card, and whether it is a new one.
    /// - Throws: ``Problem/tooManyCards``; ``Problem/accountLeaving``; a 409 ``Problem`` when the known card was removed
    ///   meanwhile.
    static func here(
        _ form: CardForm, _ added: Added, of account: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws -> (card: StoredCard, isNew: Bool) {
        try await AccountDeletionGuard.refuse(account, in: transaction)
        transaction.send(LockCards(account: account))
        let stored: AtProvider
        switch added {
        case .known(let card, let expiry):
            guard let again = try await renew(card, expiry, by: form, of: account, at: at, in: transaction) else {
                throw Problem.cardRemovedMeanwhile
            }
            return (again, false)
        case .new(let new): stored = new
        }
        // The second of two requests at once finds the first one's card; its own payment method is removed at the
        // provider.
        if let fingerprint = stored.fingerprint,
            let known = try await transaction.first(FindCardByNumber(account: account, fingerprint: fingerprint)),
            let again = try await renew(known.id, stored.expiry, by: form, of: account, at: at, in: transaction)
        {
            // Both requests may have named one payment method, which then stays.
            if known.reference == stored.reference { transaction.send(DeleteRemoval(reference: stored.reference)) }
            return (again, false)
        }
        let card = StoredCard(
            id: .timeOrdered(), account: account, reference: stored.reference, brand: stored.brand,
            lastFour: stored.lastFour, expiry: stored.expiry, holder: form.holder, customer: stored.customer,
            consentedAt: form.consents ? at : nil, fingerprint: stored.fingerprint)
        guard let inserted = try await transaction.first(InsertCard(card: card, limit: StoredCard.limit)) else {
            throw Problem.tooManyCards
        }
        transaction.send(DeleteRemoval(reference: stored.reference))
        try await PublishAccountMethod.tell(account, at: at, in: transaction)
        return (inserted, true)
    }

    private static func renew(
        _ card: UUID, _ expiry: CardExpiry, by form: CardForm, of account: UUID, at: Date,
        in transaction: PostgresTransaction
    ) async throws -> StoredCard? {
        try await ChangeCard.change(
            card, of: account,
            ChangeCard.Change(holder: form.holder, expiry: expiry, consents: form.consents ? true : nil), at: at,
            in: transaction)
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
