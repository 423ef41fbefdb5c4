import Crypto
import Foundation
import Postgres

/// Sends somebody to Nafath (I5). What comes back is of use only to the app that asked.
struct BeginNafathSignIn: Sendable {
    struct Begun: Sendable {
        let url: String
        let state: String
        /// The app keeps it, where no other page can read it, and shows it at the end.
        let secret: String
        let expiresAt: Date
    }

    let pool: PostgresPool
    let provider: OpenIDProvider

    /// - Parameter account: of somebody who is logged in and adds Nafath to it.
    /// - Throws: ``IdentityError/nafathUnavailable``.
    func callAsFunction(
        for account: UUID?, in market: String, language: String, at now: Date
    ) async throws -> Begun {
        let secret = OpenIDSecret.generate()
        let state = RefreshToken.generate()
        let url: String
        do {
            url = try await provider.authorizationURL(state: state.text, secret: secret, language: language)
        } catch {
            throw IdentityError.nafathUnavailable
        }
        let end = now.addingTimeInterval(NafathRule.attemptSeconds)
        try await pool.execute(
            InsertNafathAttempt(
                state: state.hash, secret: secret.hash, market: market, account: account, expiresAt: end))
        return Begun(url: url, state: state.text, secret: secret.text, expiresAt: end)
    }
}
