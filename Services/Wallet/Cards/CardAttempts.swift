import Foundation
import Messaging
import Postgres
import ServiceKit

/// How often an account may try cards, lest somebody finds out here which stolen ones are good. Counted in the database, in
/// all processes together; a charge that is not answered yet counts as refused for a while, so that many at once are no
/// way around it.
enum CardAttempts {
    enum Kind: String, Sendable, CaseIterable {
        case added
        /// A charge that is being asked for.
        case open
        case refused

        /// How long it counts.
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

    /// A card is about to be handed over to the payment provider.
    ///
    /// - Returns: the attempt.
    /// - Throws: a 429 ``Problem`` after too many added or refused ones.
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

    /// Looks before the payment provider is asked about a card. Decided is it by ``begin(_:of:in:)``.
    ///
    /// - Throws: a 429 ``Problem`` after too many refused ones.
    static func admit(_ account: UUID, _ pool: PostgresPool) async throws {
        try await pool.withTransaction(.readOnly) { try await refuse(account, isAdding: false, in: $0) }
    }

    /// A charge that its owner has asked for begins.
    ///
    /// - Throws: a 429 ``Problem`` after too many refused ones.
    static func begin(_ charge: Charge?, of account: UUID, in transaction: PostgresTransaction) async throws {
        guard let charge, charge.triesCard else { return }
        transaction.send(LockCardAttempts(account: account))
        try await refuse(account, isAdding: false, in: transaction)
        transaction.send(SetCardAttempt(id: charge.id, account: account, kind: .open))
    }

    /// Something became of the charge.
    static func end(_ charge: Charge, of account: UUID?, in transaction: PostgresTransaction) {
        guard let account, charge.triesCard else { return }
        switch charge.state {
        case .asked, .requiresAction: break
        // What is no fault of the card's tells nothing of it.
        case .declined where charge.reason != "provider-down":
            transaction.send(SetCardAttempt(id: charge.id, account: account, kind: .refused))
        case .declined, .authorised, .captured, .cancelled, .refunded, .lapsed:
            transaction.send(DeleteCardAttempt(id: charge.id))
        }
    }

    /// The payment provider did not take a card, or what came with it.
    ///
    /// - Parameter attempt: of a card that is added; it counts only when it was looked at.
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
    /// Whether its bank's answer tells somebody who is there whether a card is good.
    fileprivate var triesCard: Bool {
        purpose != .refund && consentedAt == nil && (method == .card || method.isPhoneWallet)
    }
}
