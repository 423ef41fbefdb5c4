import Foundation
import Messaging
import Postgres
import ServiceKit

/// Looks whether a login's password is right (I4). An account that there is not costs the same statements and the same
/// hash as one that there is, and gets the same answer.
struct CheckCredentials: Sendable {
    let pool: PostgresPool
    let cipher: PersonalDataCipher
    let hasher: PasswordHasher

    /// - Returns: whose it is, and the hash that was right.
    /// - Parameter address: the client's; failures are counted by it, too.
    /// - Throws: ``IdentityError/wrongCredentials``, ``IdentityError/loginDelayed(seconds:)``, ``PasswordHasher/Busy``.
    func callAsFunction(
        _ name: LoginName, _ password: Redacted<String>, from address: String, at now: Date
    ) async throws -> CheckedPassword {
        // By the name that was typed and not by the account: the counts of its e-mail address and its mobile number
        // must not tell that they are one person's.
        let subject = cipher.hash(name.normalized, for: .failuresOfName)
        let origin = cipher.hash(address, for: .failuresOfAddress)
        let (found, attempt) = try await begin(subject: subject, origin: origin, finding: find(name), at: now)
        let isRight: Bool
        do {
            isRight = try await hasher.verify(password, against: found?.hash)
        } catch {
            // Too many wait, or whoever asked has gone: the password was not looked at, so this was no failure.
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

    /// What an attempt found and what it left behind.
    struct Attempt: Sendable {
        let previous: LoginThrottle.Failures
        let counted: LoginThrottle.Failures
    }

    /// Whether somebody who is logged in knows the password. Failures slow down and lock as those of a login do, and are
    /// counted apart.
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

    /// Counts an attempt of an owner at something beside the password, before it is looked at.
    ///
    /// - Returns: what to clear, or to take the attempt back from, when it was right.
    /// - Throws: ``IdentityError/loginDelayed(seconds:)``.
    func count(
        _ purpose: PersonalDataCipher.Purpose, of account: UUID, by throttle: LoginThrottle, at now: Date
    ) async throws -> (subject: [UInt8], attempt: Attempt) {
        let subject = cipher.hash(account.text, for: purpose)
        let (_, attempt) = try await begin(
            subject: subject, origin: subject, finding: FindOwnPassword(account: account), by: throttle, at: now)
        return (subject, attempt)
    }

    /// Hashes a password anew whose hash was made with other parameters: only now it is known. The account's owner does not
    /// notice, and the password is no younger.
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
        // Another login did it at the same moment, or the password was changed.
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

    /// Counts the attempt, and commits that before the password is looked at: attempts at once cannot pass
    /// each other. What is needed for the look goes the same way, a round trip less.
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

    /// Takes an attempt back. In a task of its own, because the request's may be the one that was cancelled.
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

    /// An address's failures are counted afterwards: many people behind one may log in at the same moment.
    private func countFailure(of origin: [UInt8], at now: Date) async throws {
        try await pool.withTransaction { transaction in
            let failures = try await transaction.first(LockLoginFailures(subject: origin, now: now))
            transaction.send(
                StoreLoginFailures(subject: origin, failures: LoginThrottle.address.failed(failures, at: now)))
        }
    }
}
