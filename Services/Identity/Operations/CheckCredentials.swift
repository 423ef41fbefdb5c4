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

    /// - Returns: the account.
    /// - Parameter address: the client's; failures are counted by it, too.
    /// - Throws: ``IdentityError/wrongCredentials``, ``IdentityError/loginDelayed(seconds:)``, ``PasswordHasher/Busy``.
    func callAsFunction(
        _ name: LoginName, _ password: Redacted<String>, from address: String, at now: Date
    ) async throws -> UUID {
        let found = try await pool.first(find(name))
        let account =
            found.map { cipher.hash($0.account.text, for: .failuresOfAccount) }
            ?? cipher.hash(name.normalized, for: .failuresOfName)
        let origin = cipher.hash(address, for: .failuresOfAddress)
        try await begin(account: account, origin: origin, at: now)
        let isRight: Bool
        do {
            isRight = try await hasher.verify(password, against: found?.hash)
        } catch let busy as PasswordHasher.Busy {
            // The password was not looked at, so this was no failure.
            try await pool.execute(ForgiveLoginFailure(subject: account))
            throw busy
        }
        guard let found, isRight else {
            try await countFailure(of: origin, at: now)
            throw IdentityError.wrongCredentials
        }
        try await pool.execute(ClearLoginFailures(subject: account))
        return found.account
    }

    private func find(_ name: LoginName) -> FindPassword {
        switch name {
        case .email(let email):
            FindPassword(emailHash: cipher.hash(email.normalized, for: .email), mobileHash: nil)
        case .mobile(let mobile): FindPassword(emailHash: nil, mobileHash: cipher.hash(mobile.text, for: .mobile))
        case .neither(let text): FindPassword(emailHash: cipher.hash(text, for: .email), mobileHash: nil)
        }
    }

    /// Counts the account's attempt, and commits that before the password is looked at: attempts at once cannot pass
    /// each other.
    private func begin(account: [UInt8], origin: [UInt8], at now: Date) async throws {
        try await pool.withTransaction { transaction in
            let (mine, others) = try await transaction.queryAll(
                LockLoginFailures(subject: account, now: now), FindLoginFailures(subject: origin))
            if let seconds = LoginThrottle.address.wait(others.first, at: now) {
                throw IdentityError.loginDelayed(seconds: seconds)
            }
            switch LoginThrottle.account.attempt(mine.first, at: now) {
            case .refused(let seconds): throw IdentityError.loginDelayed(seconds: seconds)
            case .allowed(let next): transaction.send(StoreLoginFailures(subject: account, failures: next))
            }
        }
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
