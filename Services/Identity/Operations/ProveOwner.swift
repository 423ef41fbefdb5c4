import Foundation
import Postgres
import ServiceKit

/// Before something that cannot be taken back: whoever holds the phone shows that he is the owner, by the password or by
/// having logged in just now.
struct ProveOwner: Sendable {
    static let freshSeconds: Double = 300

    let pool: PostgresPool
    let checkCredentials: CheckCredentials

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
