import Foundation
import Postgres
import ServiceKit

/// Redeems the code with which Nafath sent the person back, and reads who the person is (I5).
struct FinishNafathSignIn: Sendable {
    enum Outcome: Sendable {
        case person(NafathPerson, claims: NafathClaims, market: String)
        /// This app has used the attempt already. A caller with the same Idempotency-Key gets the stored answer; others
        /// get none.
        case repeated
    }

    let pool: PostgresPool
    let provider: OpenIDProvider

    /// - Parameter account: the caller's account when Nafath is added to it, else nil. An attempt of one kind cannot
    ///   finish the other.
    /// - Throws: ``IdentityError/nafathRefused``, ``IdentityError/nafathUnavailable``,
    ///   ``IdentityError/nafathIncomplete(_:)``.
    func callAsFunction(
        state: String, secret: Redacted<String>, code: Redacted<String>, account: UUID?, at now: Date
    ) async throws -> Outcome {
        guard let state = RefreshToken(text: state), let secret = OpenIDSecret(text: secret.revealed) else {
            throw IdentityError.nafathRefused
        }
        let attempt = UseNafathAttempt(state: state.hash, secret: secret.hash, account: account, now: now)
        guard let market = try await pool.first(attempt) else {
            let used = FindUsedNafathAttempt(state: state.hash, secret: secret.hash, account: account)
            guard try await pool.first(used) != nil else { throw IdentityError.nafathRefused }
            return .repeated
        }
        let claims: NafathClaims
        do throws(OpenIDProvider.Fault) {
            claims = try await provider.redeem(code, secret: secret, at: now)
        } catch {
            switch error {
            case .unavailable: throw IdentityError.nafathUnavailable
            case .refused: throw IdentityError.nafathRefused
            }
        }
        do throws(NafathPerson.Incomplete) {
            return .person(try claims.person(), claims: claims, market: market)
        } catch {
            throw IdentityError.nafathIncomplete(error.missing)
        }
    }
}
