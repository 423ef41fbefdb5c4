import Foundation
import Messaging
import ServiceKit

/// Makes the access tokens that all services check by themselves (I15): short-lived, and signed with
/// the key that is in force.
struct AccessTokens: Sendable {
    struct WrongKeys: Error, CustomStringConvertible {
        var description: String { "the published key set does not accept tokens of the signing key" }
    }

    let ring: SigningKeyRing
    let issuer: String
    let audience: String
    let lifetimeSeconds: Int
    /// Whether only a session that more than a password began has an admin's rights.
    var adminsNeedSecondFactor = false

    /// False for an admin in a session that does not do for the rights.
    func givesRights(to account: Account, isStrong: Bool) -> Bool {
        isStrong || !adminsNeedSecondFactor || !account.isAdmin
    }

    /// - Parameter isStrong: whether more than a password began the session.
    func issue(to account: Account, session: UUID, isStrong: Bool, at now: Date) async throws -> String {
        let seconds = now.timeIntervalSince1970.rounded(.down)
        let hasRights = givesRights(to: account, isStrong: isStrong)
        let roles = account.roles(at: now).filter { hasRights || $0.kind != .admin }
        let verified = roles.filter { $0.kind == .provider && $0.isVerified }.map(\.market)
        guard let signer = ring.signer(at: now) else { throw WrongKeys() }
        return try await signer.sign(
            AccessTokenClaims(
                sub: account.id.text, iss: issuer, aud: audience, exp: seconds + Double(lifetimeSeconds), nbf: seconds,
                iat: seconds, roles: roles.map { MarketRole(market: $0.market, role: $0.kind.rawValue) },
                sid: session.text, locale: account.language.rawValue, verified: verified.isEmpty ? nil : verified,
                jti: UUID.timeOrdered().text))
    }

    /// Whether those who check tokens would take one of these. Asked at the start: else every login would succeed
    /// and nothing would work after it.
    func check(with verifier: TokenVerifier) async throws {
        let probe = Account(
            id: .timeOrdered(), name: PersonName(stored: "probe"), gender: nil, language: .english,
            role: .customer(in: "probe"))
        let token = try await issue(to: probe, session: .timeOrdered(), isStrong: false, at: Date())
        do {
            _ = try await verifier.verify(token)
        } catch {
            throw WrongKeys()
        }
    }
}
