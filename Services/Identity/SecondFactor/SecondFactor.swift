import Foundation
import Messaging
import Postgres
import ServiceKit

/// The second factor of an account: enrolled, confirmed by a first code, required after the password, removed.
struct SecondFactor: Sendable {
    let pool: PostgresPool
    let cipher: PersonalDataCipher
    let checkCredentials: CheckCredentials
    let deliver: RequestDelivery

    /// A code that was right at the time of the check; of two requests at once only one can use it.
    enum Proof: Sendable {
        case step(Int64)
        case recovery(hash: [UInt8])
    }

    // MARK: Enrolling and removing

    /// Creates a secret, which is in force once its owner has entered a code of it. An earlier unconfirmed secret is
    /// replaced.
    ///
    /// - Throws: ``IdentityError/secondFactor(isThere:)``.
    func enrol(_ account: UUID, at now: Date, in transaction: PostgresTransaction) async throws -> TOTP {
        _ = try await Accounts.lock(account, in: transaction)
        let totp = TOTP.generate()
        let sealed = try cipher.seal(bytes: totp.secret, .secondFactor, of: account)
        guard try await transaction.execute(PutSecondFactor(account: account, sealed: sealed, now: now)) == 1 else {
            throw IdentityError.secondFactor(isThere: true)
        }
        return totp
    }

    /// Checks a first code of the enrolled secret. The try counts, even if the request fails afterwards.
    ///
    /// - Throws: ``IdentityError/secondFactor(isThere:)``, ``IdentityError/proofRefused``,
    ///   ``IdentityError/loginDelayed(seconds:)``.
    func checkFirst(_ code: String, of account: UUID, at now: Date) async throws -> (sealed: [UInt8], step: Int64) {
        guard let row = try await pool.first(FindSecondFactor(account: account)) else {
            throw IdentityError.secondFactor(isThere: false)
        }
        guard row.confirmedAt == nil else { throw IdentityError.secondFactor(isThere: true) }
        let counted = try await checkCredentials.count(
            .failuresOfSecondFactor, of: account, by: .secondFactor, at: now)
        let totp = TOTP(secret: try cipher.open(bytes: row.sealed, .secondFactor, of: account))
        guard let step = totp.step(of: code, at: now, after: nil) else { throw IdentityError.proofRefused }
        try await pool.execute(ClearLoginFailures(subject: counted.subject))
        return (row.sealed, step)
    }

    /// Confirms the enrolled secret. The current session counts as begun with the second factor.
    ///
    /// - Returns: the recovery codes, which cannot be read later.
    func confirm(
        _ checked: (sealed: [UInt8], step: Int64), of id: UUID, session: UUID?, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> [RecoveryCode] {
        let account = try await Accounts.lock(id, in: transaction)
        let confirm = ConfirmSecondFactor(account: id, sealed: checked.sealed, now: now, step: checked.step)
        guard try await transaction.execute(confirm) == 1 else { throw IdentityError.proofRefused }
        if let session { transaction.send(SetStrong(account: id, session: session, isStrong: true)) }
        try await tell(.secondFactorAdded, account, at: now, in: transaction)
        return newCodes(of: id, in: transaction)
    }

    /// Replaces the recovery codes.
    ///
    /// - Throws: ``IdentityError/secondFactor(isThere:)``.
    func renewCodes(of id: UUID, in transaction: PostgresTransaction) async throws -> [RecoveryCode] {
        _ = try await Accounts.lock(id, in: transaction)
        guard try await transaction.first(FindSecondFactor(account: id))?.confirmedAt != nil else {
            throw IdentityError.secondFactor(isThere: false)
        }
        return newCodes(of: id, in: transaction)
    }

    /// Removes the second factor; the caller has checked the password. Sessions go on. Where admins need a second
    /// factor, theirs lose the rights at the next refresh.
    ///
    /// - Throws: ``IdentityError/secondFactor(isThere:)``.
    func remove(of id: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        let account = try await Accounts.lock(id, in: transaction)
        guard try await transaction.execute(DeleteSecondFactor(account: id)) == 1 else {
            throw IdentityError.secondFactor(isThere: false)
        }
        transaction.send(DeleteRecoveryCodes(account: id))
        transaction.send(DeleteLoginChallenges(account: id))
        // Failures with the old factor must not lock the next one.
        transaction.send(ClearLoginFailures(subject: cipher.hash(id.text, for: .failuresOfSecondFactor)))
        transaction.send(SetStrong(account: id, session: nil, isStrong: false))
        try await tell(.secondFactorRemoved, account, at: now, in: transaction)
    }

    private func newCodes(of id: UUID, in transaction: PostgresTransaction) -> [RecoveryCode] {
        let codes = (0..<SecondFactorRule.recoveryCodes).map { _ in RecoveryCode.generate() }
        transaction.send(DeleteRecoveryCodes(account: id))
        transaction.send(
            InsertRecoveryCodes(account: id, hashes: codes.map { RecoveryCode.hash($0.text, of: id) }))
        return codes
    }

    private func tell(
        _ text: RequestDelivery.Text, _ account: Account, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        try await deliver(
            text, to: account, until: now.addingTimeInterval(SecondFactorRule.mailSeconds), at: now, in: transaction)
    }

    // MARK: Using it in a login

    /// Checks a code of the app or a recovery code. The caller knows the password, so failures are counted apart,
    /// before the code is compared, and a right code takes back only its own count: otherwise the owner's logins would
    /// give a guesser new tries. The owner is told when failures lock the codes. A recovery code is too long to be
    /// guessed, so it is accepted during a lock.
    ///
    /// - Throws: ``IdentityError/proofRefused``, ``IdentityError/loginDelayed(seconds:)``.
    func check(_ code: String, of account: UUID, at now: Date) async throws -> Proof {
        guard let row = try await pool.first(FindSecondFactor(account: account)), row.confirmedAt != nil else {
            throw IdentityError.proofRefused
        }
        let hash = RecoveryCode.hash(code, of: account)
        if try await pool.first(FindRecoveryCode(account: account, hash: hash)) == true { return .recovery(hash: hash) }
        let counted = try await checkCredentials.count(
            .failuresOfSecondFactor, of: account, by: .secondFactor, at: now)
        let totp = TOTP(secret: try cipher.open(bytes: row.sealed, .secondFactor, of: account))
        guard let step = totp.step(of: code, at: now, after: row.lastStep) else {
            if counted.attempt.counted.count >= LoginThrottle.secondFactor.failuresToLock {
                try await tellOfGuesses(counted.subject, account, at: now)
            }
            throw IdentityError.proofRefused
        }
        try await checkCredentials.forgive(counted.attempt, of: counted.subject, at: now)
        return .step(step)
    }

    /// Sends at most one mail a day.
    private func tellOfGuesses(_ subject: [UInt8], _ account: UUID, at now: Date) async throws {
        try await pool.withTransaction { transaction in
            let before = now.addingTimeInterval(-SecondFactorRule.guessMailSeconds)
            guard try await transaction.execute(RecordTold(subject: subject, now: now, before: before)) == 1,
                let account = try await Accounts.find(account, in: transaction)
            else { return }
            try await tell(.secondFactorGuessed, account, at: now, in: transaction)
        }
    }

    /// Uses the code up; the caller has locked the account.
    ///
    /// - Throws: ``IdentityError/proofRefused`` when another request has used it.
    func use(_ proof: Proof, of account: Account, at now: Date, in transaction: PostgresTransaction) async throws {
        switch proof {
        case .step(let step):
            guard try await transaction.execute(UseStep(account: account.id, step: step)) == 1 else {
                throw IdentityError.proofRefused
            }
        case .recovery(let hash):
            guard try await transaction.execute(UseRecoveryCode(account: account.id, hash: hash)) == 1 else {
                throw IdentityError.proofRefused
            }
            try await tell(.recoveryCodeUsed, account, at: now, in: transaction)
        }
    }
}
