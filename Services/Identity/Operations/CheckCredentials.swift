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
        try await countAttempt(account: account, origin: origin, at: now)
        let isRight: Bool
        do {
            isRight = try await hasher.verify(password, against: found?.hash)
        } catch let busy as PasswordHasher.Busy {
            // The password was not looked at, so this was no failure.
            try await pool.execute(ForgiveLoginFailure(subjects: [account, origin]))
            throw busy
        }
        guard let found, isRight else { throw IdentityError.wrongCredentials }
        try await forgetFailures(account: account, origin: origin)
        return found.account
    }

    private func forgetFailures(account: [UInt8], origin: [UInt8]) async throws {
        try await pool.withTransaction { transaction in
            // In the order in which attempts lock, so that none waits for another in a circle.
            transaction.send(LockLoginFailures(subjects: [account, origin]))
            transaction.send(ClearLoginFailures(subject: account))
            transaction.send(ForgiveLoginFailure(subjects: [origin]))
        }
    }

    private func find(_ name: LoginName) -> FindPassword {
        switch name {
        case .email(let email):
            FindPassword(emailHash: cipher.hash(email.normalized, for: .email), mobileHash: nil)
        case .mobile(let mobile): FindPassword(emailHash: nil, mobileHash: cipher.hash(mobile.text, for: .mobile))
        case .neither(let text): FindPassword(emailHash: cipher.hash(text, for: .email), mobileHash: nil)
        }
    }

    /// Commits before the password is looked at: attempts at once cannot pass each other.
    private func countAttempt(account: [UInt8], origin: [UInt8], at now: Date) async throws {
        try await pool.withTransaction { transaction in
            transaction.send(BeginLoginFailures(subjects: [account, origin], now: now))
            let rows = try await transaction.query(LockLoginFailures(subjects: [account, origin]))
            for (subject, throttle) in [(account, LoginThrottle.account), (origin, LoginThrottle.address)] {
                let failures = rows.first { $0.subject == subject }?.failures
                switch throttle.attempt(failures, at: now) {
                case .refused(let seconds): throw IdentityError.loginDelayed(seconds: seconds)
                case .allowed(let next): transaction.send(StoreLoginFailures(subject: subject, failures: next))
                }
            }
        }
    }
}
