import Contracts
import Foundation
import Messaging
import Postgres

/// Creates an admin from the command line; the first admin of a deployment cannot be made in another way (I13).
struct CreateAdmin: Sendable {
    enum Outcome: Equatable, Sendable {
        case created(account: UUID)
        /// The existing account is now an admin's. It keeps its password.
        case granted(account: UUID)
        case alreadyAdmin(account: UUID)
    }

    let pool: PostgresPool
    let register: RegisterAccount

    /// - Parameters:
    ///   - existing: the account that may be given the role. Registration proves neither address nor number, so an
    ///     account that has both may belong to a stranger who knows its password.
    ///   - secondFactor: the second factor of a new account; without one the first login may only enrol one.
    /// - Throws: ``IdentityError/taken(email:mobile:)`` when another account than the named one has the address or the
    ///   number.
    func callAsFunction(
        _ registration: Registration, passwordHash: String, secondFactor: TOTP? = nil, grantingTo existing: UUID? = nil,
        at now: Date
    ) async throws -> Outcome {
        let cipher = register.cipher
        let emailHash = cipher.hash(registration.email.normalized, for: .email)
        let mobileHash = cipher.hash(registration.mobile.text, for: .mobile)
        return try await pool.withTransaction { transaction in
            let taken = try await transaction.query(FindTaken(emailHash: emailHash, mobileHash: mobileHash))
                .filter { $0.email && $0.mobile }
            if let same = taken.first(where: { $0.account == existing }) ?? taken.first {
                let outcome = try await grant(registration.role, to: same.account, at: now, in: transaction)
                if case .granted(let account) = outcome, account != existing {
                    throw IdentityError.taken(email: true, mobile: true)
                }
                return outcome
            }
            let account = try await register(registration, passwordHash: passwordHash, at: now, in: transaction)
            if let secondFactor {
                // Step 0: no code has been used yet, so every current code is accepted.
                let sealed = try cipher.seal(bytes: secondFactor.secret, .secondFactor, of: account.id)
                transaction.send(PutSecondFactor(account: account.id, sealed: sealed, now: now))
                transaction.send(ConfirmSecondFactor(account: account.id, sealed: sealed, now: now, step: 0))
            }
            try tell(account, registration.role, at: now, in: transaction)
            return .created(account: account.id)
        }
    }

    private func grant(
        _ role: Role, to id: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Outcome {
        do {
            let account = try await ChangeAccount().add(role, to: id, at: now, in: transaction)
            try tell(account, role, at: now, in: transaction)
            return .granted(account: id)
        } catch AccountError.hasRole {
            return .alreadyAdmin(account: id)
        }
    }

    /// For the audit log. No admin did this, so `by` is nil.
    private func tell(_ account: Account, _ role: Role, at now: Date, in transaction: PostgresTransaction) throws {
        try transaction.publish(AdminChanged(account: account.id, market: role.market, isAdmin: true, by: nil, at: now))
    }
}
