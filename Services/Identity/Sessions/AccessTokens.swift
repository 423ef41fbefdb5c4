import Foundation
import Messaging
import ServiceKit

/// Issues the access tokens that every service verifies by itself (I15): short-lived, and signed with the current key.
struct AccessTokens: Sendable {
    struct WrongKeys: Error, CustomStringConvertible {
        var description: String { "the published key set does not accept tokens of the signing key" }
    }

    let ring: SigningKeyRing
    let issuer: String
    let audience: String
    let lifetimeSeconds: Int
    /// Whether rights of admins and of support require a session that more than a password began.
    var adminsNeedSecondFactor = false

    /// False for an admin, or a person of support, whose session does not meet the requirement for these rights.
    func givesRights(to account: Account, isStrong: Bool) -> Bool {
        isStrong || !adminsNeedSecondFactor || !account.isStaff
    }

    /// - Parameters:
    ///   - isStrong: whether more than a password began the session.
    ///   - asked: the markets whose terms come first: until then the account has no role there but an admin's or
    ///     support's.
    func issue(
        to account: Account, session: UUID, isStrong: Bool, terms asked: Set<String> = [], at now: Date
    ) async throws -> String {
        let seconds = now.timeIntervalSince1970.rounded(.down)
        let hasRights = givesRights(to: account, isStrong: isStrong)
        let roles = account.roles(at: now).filter {
            $0.isStaff ? hasRights : !asked.contains($0.market)
        }
        // Two titles in a market are one role there (B2), which is verified if one of them is.
        let verified = Self.once(roles.filter { $0.kind == .provider && $0.isVerified }.map(\.market))
        guard let signer = ring.signer(at: now) else { throw WrongKeys() }
        return try await signer.sign(
            AccessTokenClaims(
                sub: account.id.text, iss: issuer, aud: audience, exp: seconds + Double(lifetimeSeconds), nbf: seconds,
                iat: seconds, roles: Self.once(roles.map { MarketRole(market: $0.market, role: $0.kind.rawValue) }),
                sid: session.text, locale: account.language.rawValue, verified: verified.isEmpty ? nil : verified,
                jti: UUID.timeOrdered().text, terms: asked.isEmpty ? nil : asked.sorted()))
    }

    private static func once<Value: Hashable>(_ values: [Value]) -> [Value] {
        var seen: Set<Value> = []
        return values.filter { seen.insert($0).inserted }
    }

    /// A token for a program of a business: within the key's scopes a customer of the key's market, and nothing else. Its
    /// session is the key, so that a revoked key's tokens are refused at once.
    func issue(to account: Account, key: APIKeyRow, at now: Date) async throws -> String {
        let seconds = now.timeIntervalSince1970.rounded(.down)
        guard let signer = ring.signer(at: now) else { throw WrongKeys() }
        return try await signer.sign(
            AccessTokenClaims(
                sub: account.id.text, iss: issuer, aud: audience, exp: seconds + Double(lifetimeSeconds), nbf: seconds,
                iat: seconds, roles: [MarketRole(market: key.market, role: Role.Kind.customer.rawValue)],
                sid: key.id.text, locale: account.language.rawValue, jti: UUID.timeOrdered().text, scopes: key.scopes))
    }

    /// Checks at the start that verifiers accept these tokens: otherwise every login would succeed and no token would
    /// work.
    func check(with verifier: TokenVerifier, at now: Date) async throws {
        let probe = Account(
            id: .timeOrdered(), name: PersonName(stored: "probe"), gender: nil, language: .english,
            role: .customer(in: "probe"))
        let token = try await issue(to: probe, session: .timeOrdered(), isStrong: false, at: now)
        do {
            _ = try await verifier.verify(token, now: now)
        } catch {
            throw WrongKeys()
        }
    }
}
