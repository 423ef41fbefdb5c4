import Foundation
import Postgres
import ServiceKit

/// Before something that cannot be taken back: whoever holds the phone shows that he is the owner, by the password or by
/// having logged in just now.
struct ProveOwner: Sendable {
    static let freshSeconds: Double = 300

    let pool: PostgresPool
    let checkCredentials: CheckCredentials

    /// The same where a fresh login is not enough, but for an account that has no password.
    ///
    /// - Returns: the password that was right; nil for an account without one.
    /// - Throws: what ``callAsFunction(_:password:at:)`` does.
    @discardableResult
    func byPassword(
        _ caller: Caller, _ password: Redacted<String>?, at now: Date
    ) async throws -> CheckedPassword? {
        let own = try await pool.first(FindOwnPassword(account: caller.accountID))
        guard password != nil || own == nil else { throw IdentityError.notThePassword }
        return try await self(caller, password: password, at: now)
    }

    /// - Parameter password: nil where the login has to be fresh.
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
