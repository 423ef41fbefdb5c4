import Contracts
import Foundation
import Messaging
import Postgres

/// Takes the word of whoever shows what was sent to the account: it is confirmed, and others are told of it (I2).
struct ConfirmAccount: Sendable {
    let pool: PostgresPool
    let cipher: PersonalDataCipher
    let takeContact: TakeContact

    /// - Parameter link: what the mail's link holds.
    /// - Throws: ``IdentityError/proofRefused``, ``IdentityError/taken(email:mobile:)`` when another account has proved the
    ///   address by now.
    func callAsFunction(link: String, at now: Date, in transaction: PostgresTransaction) async throws {
        let hash = try SendProof.hash(link: link)
        guard let id = try await transaction.first(UseProof(hash: hash, purposes: [.confirm], now: now)) else {
            throw IdentityError.proofRefused
        }
        try await takeContact.prove(.email, of: id, at: now, in: transaction)
        try await confirm(id, at: now, in: transaction)
    }

    /// A code that was right when it was looked at.
    struct CheckedCode: Sendable {
        let account: UUID
        let hash: [UInt8]
    }

    /// Whether the code is the one that was sent. A try counts, whatever becomes of the request. A name that nobody has
    /// costs the same statements, and as many commits, as one that somebody has.
    ///
    /// - Throws: ``IdentityError/proofRefused``, for unknown accounts too.
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

    /// The same for whoever registered: his tries are his own.
    ///
    /// - Parameter secret: that the registration was answered with.
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

    /// Uses the code up: of two requests at once one gets it.
    ///
    /// - Throws: ``IdentityError/proofRefused`` when it was used, or another one was sent, in between;
    ///   ``IdentityError/taken(email:mobile:)``.
    func callAsFunction(_ code: CheckedCode, at now: Date, in transaction: PostgresTransaction) async throws {
        // Locks the account, after what comes before that.
        try await takeContact.prove(.mobile, of: code.account, at: now, in: transaction)
        guard try await transaction.first(UseCode(account: code.account, hash: code.hash, now: now)) != nil else {
            throw IdentityError.proofRefused
        }
        try await confirm(code.account, at: now, in: transaction)
    }

    /// Repeats do nothing.
    func confirm(_ id: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        let account = try await Accounts.lock(id, in: transaction)
        guard try await transaction.first(ConfirmOwner(account: id, now: now)) != nil else { return }
        for role in account.roles where role.kind == .provider {
            try await TellVerified(deliver: takeContact.deliver)(account, in: role.market, at: now, in: transaction)
        }
        try transaction.publish(AccountRegistered(account: AccountSnapshot(account, at: now), at: now))
    }
}
