import Contracts
import Foundation
import Messaging
import Postgres

/// Takes the word of whoever shows what was sent to the account: it is confirmed, and others are told of it (I2).
struct ConfirmAccount: Sendable {
    let pool: PostgresPool
    let cipher: PersonalDataCipher

    /// - Parameter link: what the mail's link holds.
    /// - Throws: ``IdentityError/proofRefused``.
    func callAsFunction(link: String, at now: Date, in transaction: PostgresTransaction) async throws {
        let hash = try SendProof.hash(link: link)
        guard let id = try await transaction.first(UseProof(hash: hash, purpose: .confirm, now: now)) else {
            throw IdentityError.proofRefused
        }
        try await confirm(id, at: now, in: transaction)
    }

    /// Whether the code is the one that was sent. A try counts, whatever becomes of the request.
    ///
    /// - Throws: ``IdentityError/proofRefused``, for unknown accounts too.
    func check(code: String, of login: FindPassword, at now: Date) async throws -> UUID {
        guard let account = try await pool.first(login)?.account else { throw IdentityError.proofRefused }
        let isRight = try await pool.first(
            TryCode(
                account: account, hash: cipher.hash(code: code, of: account), now: now,
                maximumFailures: ProofRule.maximumFailures))
        guard isRight == true else { throw IdentityError.proofRefused }
        return account
    }

    /// Repeats do nothing.
    func confirm(_ id: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        let account = try await Accounts.lock(id, in: transaction)
        guard try await transaction.first(ConfirmOwner(account: id, now: now)) != nil else { return }
        try transaction.publish(AccountRegistered(account: AccountSnapshot(account, at: now), at: now))
    }
}
