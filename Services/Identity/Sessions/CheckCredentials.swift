import Foundation
import Messaging
import Postgres
import ServiceKit

/// Checks a login's password (I4). An unknown account costs the same statements and the same hash as a known one, and
/// gets the same answer.
struct CheckCredentials: Sendable {
    let pool: PostgresPool
    let cipher: PersonalDataCipher
    let hasher: PasswordHasher

    /// - Returns: the account and the hash that matched.
    /// - Parameter address: the client's address; failures are also counted by it.
    /// - Throws: ``IdentityError/wrongCredentials``, ``IdentityError/loginDelayed(seconds:)``, ``PasswordHasher/Busy``.
    func callAsFunction(
        _ name: LoginName, _ password: Redacted<String>, from address: String, at now: Date
    ) async throws -> CheckedPassword {
        // Counted by the typed name, not by the account: common counts of its e-mail address and mobile number would
        // show that they belong together.
        let subject = cipher.hash(name.normalized, for: .failuresOfName)
        let origin = cipher.hash(address, for: .failuresOfAddress)
        let (found, attempt) = try await begin(subject: subject, origin: origin, finding: find(name), at: now)
        let isRight: Bool
        do {
            isRight = try await hasher.verify(password, against: found?.hash)
        } catch {
            // The hasher is busy or the caller has gone. The password was not compared, so this is no failure.
            try await forgive(attempt, of: subject, at: now)
            throw error
        }
        guard let found, let hash = found.hash, isRight else {
            try await countFailure(of: origin, at: now)
            throw IdentityError.wrongCredentials
        }
        try await pool.execute(ClearLoginFailures(subject: subject))
        return try await renewed(CheckedPassword(account: found.account, hash: hash), password)
    }

    /// The counts before and after an attempt.
    struct Attempt: Sendable {
        let previous: LoginThrottle.Failures
        let counted: LoginThrottle.Failures
    }

    /// Checks the password of a logged-in caller. Failures slow down and lock as those of logins do, and are counted
    /// apart from them.
    ///
    /// - Throws: ``IdentityError/wrongPassword``, ``IdentityError/loginDelayed(seconds:)``, ``PasswordHasher/Busy``.
    func again(_ account: UUID, _ password: Redacted<String>, at now: Date) async throws -> CheckedPassword {
        let subject = cipher.hash(account.text, for: .failuresOfOwner)
        let (stored, attempt) = try await begin(
            subject: subject, origin: subject, finding: FindOwnPassword(account: account), at: now)
        let isRight: Bool
        do {
            isRight = try await hasher.verify(password, against: stored)
        } catch {
            try await forgive(attempt, of: subject, at: now)
            throw error
        }
        guard isRight, let stored else { throw IdentityError.wrongPassword }
        try await pool.execute(ClearLoginFailures(subject: subject))
        return try await renewed(CheckedPassword(account: account, hash: stored), password)
    }

    /// Counts an owner's attempt at something beside the password, before it is checked.
    ///
    /// - Returns: the subject to clear, and the attempt to take back, after a success.
    /// - Throws: ``IdentityError/loginDelayed(seconds:)``.
    func count(
        _ purpose: PersonalDataCipher.Purpose, of account: UUID, by throttle: LoginThrottle, at now: Date
    ) async throws -> (subject: [UInt8], attempt: Attempt) {
        let subject = cipher.hash(account.text, for: purpose)
        let (_, attempt) = try await begin(
            subject: subject, origin: subject, finding: FindOwnPassword(account: account), by: throttle, at: now)
        return (subject, attempt)
    }

    /// Hashes the password again when its hash has other parameters: the password is known only now. Its age does not
    /// change.
    private func renewed(_ old: CheckedPassword, _ password: Redacted<String>) async throws -> CheckedPassword {
        guard !hasher.isCurrent(old.hash) else { return old }
        let fresh: String
        do {
            fresh = try await hasher.hash(password)
        } catch is PasswordHasher.Busy {
            // The next login does it.
            return old
        }
        if try await pool.execute(RenewHash(account: old.account, old: old.hash, new: fresh)) == 1 {
            return CheckedPassword(account: old.account, hash: fresh)
        }
        // Another login has replaced the hash at the same moment, or the password was changed.
        guard let stored = try await pool.first(FindOwnPassword(account: old.account)),
            try await hasher.verify(password, against: stored)
        else { throw IdentityError.wrongCredentials }
        return CheckedPassword(account: old.account, hash: stored)
    }

    func find(_ name: LoginName) -> FindPassword {
        switch name {
        case .email(let email):
            FindPassword(emailHash: cipher.hash(email.normalized, for: .email), mobileHash: nil)
        case .mobile(let mobile):
            FindPassword(
                emailHash: nil, mobileHash: cipher.hash(mobile.text, for: .mobile),
                formerMobileHash: mobile.former.map { cipher.hash($0, for: .mobile) })
        case .neither(let text): FindPassword(emailHash: cipher.hash(text, for: .email), mobileHash: nil)
        }
    }

    /// Counts the attempt and commits before the password is compared, so that concurrent attempts cannot pass the
    /// limit. The data for the check is read in the same round trip.
    private func begin<Found: Statement>(
        subject: [UInt8], origin: [UInt8], finding statement: Found, by throttle: LoginThrottle = .account,
        at now: Date
    ) async throws -> (found: Found.Row?, attempt: Attempt) {
        try await pool.withTransaction { transaction in
            let (mine, others, found) = try await transaction.queryAll(
                LockLoginFailures(subject: subject, now: now), FindLoginFailures(subject: origin), statement)
            if let seconds = LoginThrottle.address.wait(others.first, at: now) {
                throw IdentityError.loginDelayed(seconds: seconds)
            }
            switch throttle.attempt(mine.first, at: now) {
            case .refused(let seconds): throw IdentityError.loginDelayed(seconds: seconds)
            case .allowed(let next):
                transaction.send(StoreLoginFailures(subject: subject, failures: next))
                let none = LoginThrottle.Failures(count: 0, lastAt: now, blockedUntil: nil)
                return (found.first, Attempt(previous: mine.first ?? none, counted: next))
            }
        }
    }

    /// Takes an attempt back, in a task of its own, because the request's task may be cancelled.
    func forgive(_ attempt: Attempt, of subject: [UInt8], at now: Date) async throws {
        try await Task { [pool] in
            try await pool.withTransaction { transaction in
                guard let current = try await transaction.first(LockLoginFailures(subject: subject, now: now)) else {
                    return
                }
                let rest = LoginThrottle.account.forgive(
                    attempt.counted, previous: attempt.previous, current: current)
                transaction.send(StoreLoginFailures(subject: subject, failures: rest))
            }
        }.value
    }

    /// Counts an address's failure afterwards, because many people behind one address may log in at once.
    private func countFailure(of origin: [UInt8], at now: Date) async throws {
        try await pool.withTransaction { transaction in
            let failures = try await transaction.first(LockLoginFailures(subject: origin, now: now))
            transaction.send(
                StoreLoginFailures(subject: origin, failures: LoginThrottle.address.failed(failures, at: now)))
        }
    }
}
