import Foundation
import Postgres
import ServiceKit

/// Checks that the caller is the owner before an irreversible action: by the password, or by a login within the last
/// five minutes.
struct ProveOwner: Sendable {
    static let freshSeconds: Double = 300

    let pool: PostgresPool
    let checkCredentials: CheckCredentials

    /// The same where a fresh login is not enough, except for an account without a password.
    ///
    /// - Returns: the right password; nil for an account without one.
    /// - Throws: the errors of ``callAsFunction(_:password:at:)``.
    @discardableResult
    func byPassword(
        _ caller: Caller, _ password: Redacted<String>?, at now: Date
    ) async throws -> CheckedPassword? {
        let own = try await pool.first(FindOwnPassword(account: caller.accountID))
        guard password != nil || own == nil else { throw IdentityError.notThePassword }
        return try await self(caller, password: password, at: now)
    }

    /// - Parameter password: nil to require a fresh login instead.
    /// - Throws: ``IdentityError/notThePassword``, ``IdentityError/loginTooOld``,
    ///   ``IdentityError/loginDelayed(seconds:)``.
    @discardableResult
    func callAsFunction(
        _ caller: Caller, password: Redacted<String>?, at now: Date
    ) async throws -> CheckedPassword? {
        if let password {
            do {
                return try await checkCredentials.again(caller.accountID, password, at: now)
            } catch IdentityError.wrongPassword {
                throw IdentityError.notThePassword
            }
        }
        guard let session = caller.sessionID,
            let login = try await pool.first(FindLoginTime(session: session, account: caller.accountID)),
            now.timeIntervalSince(login) <= Self.freshSeconds
        else { throw IdentityError.loginTooOld }
        return nil
    }
}
