import Crypto
import Foundation
import Postgres

/// Begins a sign-in with Nafath (I5). Only the app that began it can use the result.
struct BeginNafathSignIn: Sendable {
    struct Begun: Sendable {
        let url: String
        let state: String
        /// Kept by the app where no other page can read it, and sent back at the end.
        let secret: String
        let expiresAt: Date
    }

    let pool: PostgresPool
    let provider: OpenIDProvider

    /// - Parameter account: the logged-in account to which Nafath is added; nil for a sign-in.
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
