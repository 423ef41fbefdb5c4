import Foundation
public import JWTKit
import SeraiJSON

/// The claims of an access token (RFC 7519, similar to RFC 9068). Times are seconds since 1970.
///
/// ``TokenVerifier`` validates them, with the current time and the expected values.
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
    /// The token's own id, for gateways that record the tokens they have seen. Nil in older tokens.
    public var jti: String?
    /// The scopes of an API key (``KeyScope``); nil in a person's token.
    public var scopes: [String]?
    /// The markets whose present terms the account has to accept before it may act there (X8): its roles there, except an
    /// admin's, are left out.
    public var terms: [String]?

    public init(
        sub: String, iss: String, aud: String, exp: Double, nbf: Double? = nil, iat: Double, roles: [MarketRole],
        sid: String?, locale: String? = nil, verified: [String]? = nil, jti: String? = nil,
        scopes: [String]? = nil, terms: [String]? = nil
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
        self.jti = jti
        self.scopes = scopes
        self.terms = terms
    }

    public func verify(using algorithm: some JWTAlgorithm) async throws {}
}

extension AccessTokenClaims {
    /// Nil when a claim is missing or has another type.
    init?(json: JSONValue) {
        guard case .string(let subject)? = json["sub"], case .string(let issuer)? = json["iss"],
            let audience = Self.audience(json["aud"]), let expiry = Self.seconds(json["exp"]),
            let issuedAt = Self.seconds(json["iat"]), let roles = Self.roles(json["roles"])
        else { return nil }
        self.init(
            sub: subject, iss: issuer, aud: "", exp: expiry, nbf: Self.seconds(json["nbf"]), iat: issuedAt,
            roles: roles, sid: Self.text(json["sid"]), locale: Self.text(json["locale"]),
            verified: Self.texts(json["verified"]), jti: Self.text(json["jti"]), scopes: Self.texts(json["scopes"]),
            terms: Self.texts(json["terms"]))
        aud = AudienceClaim(value: audience)
        // An optional claim that is present must have its type.
        guard json["nbf"] == nil || nbf != nil, json["sid"] == nil || sid != nil,
            json["locale"] == nil || locale != nil, json["verified"] == nil || verified != nil,
            json["jti"] == nil || jti != nil, json["scopes"] == nil || scopes != nil,
            json["terms"] == nil || terms != nil
        else { return nil }
    }

    /// Never empty, because JWTKit's type would crash.
    private static func audience(_ value: JSONValue?) -> [String]? {
        let audience = text(value).map { [$0] } ?? texts(value)
        return audience?.isEmpty == false ? audience : nil
    }

    private static func text(_ value: JSONValue?) -> String? {
        guard case .string(let text)? = value else { return nil }
        return text
    }

    private static func texts(_ value: JSONValue?) -> [String]? {
        guard case .array(let values)? = value else { return nil }
        let texts = values.compactMap(text)
        return texts.count == values.count ? texts : nil
    }

    private static func seconds(_ value: JSONValue?) -> Double? {
        switch value {
        case .integer(let seconds)?: Double(seconds)
        case .number(let seconds)?: seconds
        default: nil
        }
    }

    private static func roles(_ value: JSONValue?) -> [MarketRole]? {
        guard case .array(let values)? = value else { return nil }
        let roles = values.compactMap { value -> MarketRole? in
            guard let market = text(value["market"]), let role = text(value["role"]) else { return nil }
            return MarketRole(market: market, role: role)
        }
        return roles.count == values.count ? roles : nil
    }
}
