import Foundation
public import JWTKit

/// What an access token says (RFC 7519, RFC 9068 in spirit). Times are seconds since 1970.
///
/// The checks are ``TokenVerifier``'s, which knows the time and what to expect.
public struct AccessTokenClaims: JWTPayload, Equatable {
    /// The account's id, a UUID.
    public var sub: String
    public var iss: String
    public var aud: AudienceClaim
    public var exp: Double
    public var nbf: Double?
    public var iat: Double
    public var roles: [MarketRole]
    /// The session's id, a UUID.
    public var sid: String?
    /// The account's language (OpenID Connect's `locale`).
    public var locale: String?
    /// The markets in which the account is a verified provider.
    public var verified: [String]?

    public init(
        sub: String, iss: String, aud: String, exp: Double, nbf: Double? = nil, iat: Double, roles: [MarketRole],
        sid: String?, locale: String? = nil, verified: [String]? = nil
    ) {
        self.sub = sub
        self.iss = iss
        self.aud = AudienceClaim(value: aud)
        self.exp = exp
        self.nbf = nbf
        self.iat = iat
        self.roles = roles
        self.sid = sid
        self.locale = locale
        self.verified = verified
    }

    public func verify(using algorithm: some JWTAlgorithm) async throws {}
}
