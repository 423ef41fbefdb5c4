import Foundation
import SeraiJSON
import ServiceKit

/// An ID token (OpenID Connect Core 1.0, section 2) before and after its validation (3.1.3.7).
struct IDToken: Sendable {
    enum Refusal: Error, Equatable {
        case tooLarge, malformed, wrongAlgorithm, unknownKey, badSignature
        case wrongIssuer, wrongAudience, wrongNonce, expired, notYetValid, badClaims
    }

    /// The values that a token must have.
    struct Expectation: Sendable {
        let issuer: String
        let clientID: String
        let nonce: String
        let now: Date
    }

    /// Longer tokens are refused.
    static let maximumBytes = 16_384
    /// Allowed difference between the clocks of two machines.
    static let leewaySeconds: Double = 60

    /// The id of the signing key, from the token's header.
    let keyID: String
    private let algorithm: String
    private let signed: Data
    private let signature: Data
    private let claims: JSONValue

    /// Parses a token. Nothing in it is verified yet.
    init(_ text: String) throws(Refusal) {
        guard text.utf8.count <= Self.maximumBytes else { throw .tooLarge }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let headBytes = Base64URL.decode(String(parts[0])),
            let claimBytes = Base64URL.decode(String(parts[1])), let signature = Base64URL.decode(String(parts[2])),
            let head = Self.json(headBytes), let claims = Self.json(claimBytes)
        else { throw .malformed }
        // `crit` names extensions that must be understood (RFC 7515, 4.1.11); none are supported here.
        guard case .string(let algorithm)? = head["alg"], head["crit"] == nil,
            ["RS256", "ES256", "EdDSA"].contains(algorithm)
        else { throw .wrongAlgorithm }
        guard case .string(let keyID)? = head["kid"] else { throw .unknownKey }
        self.keyID = keyID
        self.algorithm = algorithm
        self.signature = signature
        self.claims = claims
        signed = Data(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
    }

    /// Verifies the token and returns its claims.
    func check(with key: IDTokenKeys.Key, _ expected: Expectation) throws(Refusal) -> JSONValue {
        guard key.algorithm == algorithm else { throw .wrongAlgorithm }
        guard key.isValid(signature, for: signed) else { throw .badSignature }
        guard claims["iss"] == .string(expected.issuer) else { throw .wrongIssuer }
        let client = JSONValue.string(expected.clientID)
        switch claims["aud"] {
        case .string(let audience)?: guard audience == expected.clientID else { throw .wrongAudience }
        case .array(let audiences)?:
            // A token for several audiences must name the authorized party (`azp`).
            guard audiences.contains(client), audiences.count == 1 || claims["azp"] != nil else { throw .wrongAudience }
        default: throw .wrongAudience
        }
        guard claims["azp"] ?? client == client else { throw .wrongAudience }
        let now = expected.now.timeIntervalSince1970
        guard let expiry = Self.seconds(claims["exp"]), let issuedAt = Self.seconds(claims["iat"]) else {
            throw .badClaims
        }
        guard now < expiry + Self.leewaySeconds else { throw .expired }
        let begin = claims["nbf"] == nil ? issuedAt : Self.seconds(claims["nbf"]) ?? .infinity
        guard max(begin, issuedAt) <= now + Self.leewaySeconds else { throw .notYetValid }
        guard claims["nonce"] == .string(expected.nonce) else { throw .wrongNonce }
        guard case .string(let subject)? = claims["sub"], (1...255).contains(subject.utf8.count) else {
            throw .badClaims
        }
        return claims
    }

    private static func json(_ bytes: Data) -> JSONValue? {
        // try?: a text that is no JSON object, or has a duplicate name, is a malformed token.
        guard let value = try? JSONValue(parsing: bytes), case .object = value else { return nil }
        return value
    }

    private static func seconds(_ value: JSONValue?) -> Double? {
        switch value {
        case .integer(let seconds)?: Double(seconds)
        case .number(let seconds)?: seconds
        default: nil
        }
    }
}
