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
    /// - Throws: what ``callAsFunction(_:password:at:)`` does.
    func byPassword(_ caller: Caller, _ password: Redacted<String>?, at now: Date) async throws {
        let own = try await pool.first(FindOwnPassword(account: caller.accountID))
        guard password != nil || own == nil else { throw IdentityError.notThePassword }
        try await self(caller, password: password, at: now)
    }

    /// - Parameter password: nil where the login has to be fresh.
    /// - Throws: ``IdentityError/notThePassword``, ``IdentityError/loginTooOld``,
    ///   ``IdentityError/loginDelayed(seconds:)``.
    func callAsFunction(_ caller: Caller, password: Redacted<String>?, at now: Date) async throws {
        if let password {
            do {
                _ = try await checkCredentials.again(caller.accountID, password, at: now)
            } catch IdentityError.wrongPassword {
                throw IdentityError.notThePassword
            }
            return
        }
        guard let session = caller.sessionID,
            let login = try await pool.first(FindLoginTime(session: session, account: caller.accountID)),
            now.timeIntervalSince(login) <= Self.freshSeconds
        else { throw IdentityError.loginTooOld }
    }
}
