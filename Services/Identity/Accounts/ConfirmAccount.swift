import Contracts
import Foundation
import Messaging
import Postgres

/// Confirms an account by the link or code that was sent to it, and tells other services of the account (I2).
struct ConfirmAccount: Sendable {
    let pool: PostgresPool
    let cipher: PersonalDataCipher
    let takeContact: TakeContact

    /// - Parameter link: the token in the mail's link.
    /// - Throws: ``IdentityError/proofRefused``; ``IdentityError/taken(email:mobile:)`` when another account has proved
    ///   the address in the meantime.
    func callAsFunction(link: String, at now: Date, in transaction: PostgresTransaction) async throws {
        let hash = try SendProof.hash(link: link)
        guard let id = try await transaction.first(UseProof(hash: hash, purposes: [.confirm], now: now)) else {
            throw IdentityError.proofRefused
        }
        try await takeContact.prove(.email, of: id, at: now, in: transaction)
        try await confirm(id, at: now, in: transaction)
    }

    /// A code that was right at the time of the check.
    struct CheckedCode: Sendable {
        let account: UUID
        let hash: [UInt8]
    }

    /// Checks whether the code is the one that was sent. The try counts, even if the request fails afterwards. An
    /// unknown name costs the same statements and as many commits as a known one.
    ///
    /// - Throws: ``IdentityError/proofRefused``, also for unknown accounts.
    func check(code: String, of login: FindPassword, at now: Date) async throws -> CheckedCode {
        let account = try await pool.first(FindWaiting(login: login))
        let hash = cipher.hash(code: code, of: account ?? .timeOrdered())
        let name = Data(login.emailHash ?? login.mobileHash ?? []).base64EncodedString()
        let isRight = try await pool.first(
            TryCode(
                account: account, hash: hash, now: now, maximumFailures: ProofRule.maximumFailures,
                maximumDayFailures: ProofRule.maximumDayFailures, subject: cipher.hash(name, for: .failuresOfCode)))
        guard isRight == true, let account else { throw IdentityError.proofRefused }
        return CheckedCode(account: account, hash: hash)
    }

    /// Checks the code for the person who registered, whose tries are counted apart from those of others.
    ///
    /// - Parameter secret: the secret in the registration's answer.
    func check(code: String, secret: String, at now: Date) async throws -> CheckedCode {
        guard let secret = RefreshToken(text: secret)?.hash,
            let account = try await pool.first(FindBySecret(secret: secret))
        else { throw IdentityError.proofRefused }
        let hash = cipher.hash(code: code, of: account)
        guard try await pool.first(TryOwnCode(account: account, hash: hash, now: now, secret: secret)) == true else {
            throw IdentityError.proofRefused
        }
        return CheckedCode(account: account, hash: hash)
    }

    /// Uses the code up: of two requests at once only one succeeds.
    ///
    /// - Throws: ``IdentityError/proofRefused`` when the code was used, or another one was sent, since the check;
    ///   ``IdentityError/taken(email:mobile:)``.
    func callAsFunction(_ code: CheckedCode, at now: Date, in transaction: PostgresTransaction) async throws {
        // Locks the account, after the locks that come before it.
        try await takeContact.prove(.mobile, of: code.account, at: now, in: transaction)
        guard try await transaction.first(UseCode(account: code.account, hash: code.hash, now: now)) != nil else {
            throw IdentityError.proofRefused
        }
        try await confirm(code.account, at: now, in: transaction)
    }

    /// Marks the account as confirmed and publishes it. Repeats do nothing.
    func confirm(_ id: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        let account = try await Accounts.lock(id, in: transaction)
        guard try await transaction.first(ConfirmOwner(account: id, now: now)) != nil else { return }
        for role in account.roles where role.kind == .provider {
            try await NotifyVerified(deliver: takeContact.deliver)(account, in: role.market, at: now, in: transaction)
        }
        if account.roles.contains(where: { $0.kind == .customer }) {
            FamilyWishes.ask(of: id, at: now, in: transaction)
        }
        try transaction.publish(AccountRegistered(account: AccountSnapshot(account, at: now), at: now))
    }
}
