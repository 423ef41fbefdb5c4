import Foundation
import Messaging
import Postgres
import ServiceKit

/// Limits how often an account may try cards, so that nobody can test stolen cards here. Attempts are counted in the
/// database for all processes together. A charge without an answer counts as refused for five minutes, so that many
/// concurrent charges cannot bypass the limit.
enum CardAttempts {
    enum Kind: String, Sendable, CaseIterable {
        case added
        /// A charge that is being asked for.
        case open
        case refused

        /// How long an attempt of this kind counts.
        var seconds: Double {
            switch self {
            case .added: 86_400
            case .open: 300
            case .refused: 3_600
            }
        }
    }

    static let addedLimit = 10
    static let refusedLimit = 5

    /// Counts a card that is about to be handed to the payment provider.
    ///
    /// - Returns: the attempt's id.
    /// - Throws: a 429 ``Problem`` after too many added or refused cards.
    static func add(_ account: UUID, _ pool: PostgresPool) async throws -> UUID {
        try await pool.withTransaction { transaction in
            transaction.send(LockCardAttempts(account: account))
            try await refuse(account, isAdding: true, in: transaction)
            try await refuse(account, isAdding: false, in: transaction)
            let attempt = UUID.timeOrdered()
            transaction.send(SetCardAttempt(id: attempt, account: account, kind: .added))
            return attempt
        }
    }

    /// Checks the limit before the payment provider is asked about a card. ``begin(_:of:in:)`` makes the decision.
    ///
    /// - Throws: a 429 ``Problem`` after too many refused cards.
    static func admit(_ account: UUID, _ pool: PostgresPool) async throws {
        try await pool.withTransaction(.readOnly) { try await refuse(account, isAdding: false, in: $0) }
    }

    /// Counts a new charge that the card's owner has asked for.
    ///
    /// - Throws: a 429 ``Problem`` after too many refused cards.
    static func begin(_ charge: Charge?, of account: UUID, in transaction: PostgresTransaction) async throws {
        guard let charge, charge.triesCard else { return }
        transaction.send(LockCardAttempts(account: account))
        try await refuse(account, isAdding: false, in: transaction)
        transaction.send(SetCardAttempt(id: charge.id, account: account, kind: .open))
    }

    /// Updates the attempt when the charge has a result.
    static func end(_ charge: Charge, of account: UUID?, in transaction: PostgresTransaction) {
        guard let account, charge.triesCard else { return }
        switch charge.state {
        case .asked, .requiresAction: break
        // A failure of the payment provider says nothing about the card, so it does not count.
        case .declined where charge.reason != "provider-down":
            transaction.send(SetCardAttempt(id: charge.id, account: account, kind: .refused))
        case .declined, .authorised, .captured, .cancelled, .refunded, .lapsed:
            transaction.send(DeleteCardAttempt(id: charge.id))
        }
    }

    /// Counts a card, or the CVV or token that came with it, that the payment provider refused.
    ///
    /// - Parameter attempt: the attempt of a card being added; it is deleted when the payment provider did not answer.
    static func note(
        _ error: PaymentProvider.CardError, of account: UUID, adding attempt: UUID? = nil, _ pool: PostgresPool
    ) async throws {
        switch error {
        case .refused: try await pool.execute(SetCardAttempt(id: .timeOrdered(), account: account, kind: .refused))
        case .unavailable: if let attempt { try await pool.execute(DeleteCardAttempt(id: attempt)) }
        }
    }

    private static func refuse(_ account: UUID, isAdding: Bool, in transaction: PostgresTransaction) async throws {
        let limit = isAdding ? addedLimit : refusedLimit
        let pause = FindCardPause(account: account, isAdding: isAdding, limit: limit)
        guard let seconds = try await transaction.first(pause) else { return }
        throw Problem.tooManyRequests(retryAfterSeconds: seconds)
    }
}

extension Charge {
    /// Whether the bank's answer shows a present customer if the card is good.
    fileprivate var triesCard: Bool {
        purpose != .refund && consentedAt == nil && (method == .card || method.isPhoneWallet)
    }
}
