import Crypto
public import Foundation
import JWTKit
import Locks
import SeraiJSON

/// Verifies access tokens: signature by a known key, issuer, audience, times.
///
/// A key is for one algorithm, EdDSA, ES256 or RS256: a token whose header names another one than its key's is refused.
/// `none` and symmetric algorithms are refused before anything else. The keys can be replaced while the service runs;
/// requests in progress keep the keys that they began with.
public final class TokenVerifier: Sendable {
    public enum Refusal: Error, Equatable {
        case tooLarge
        case malformed
        case wrongAlgorithm
        case unknownKey
        case badSignature
        case wrongIssuer
        case wrongAudience
        case expired
        case notYetValid
        /// The token is signed and not expired, but its session has ended.
        case sessionEnded
        /// The claims are signed, but are not those of Serai's tokens.
        case badClaims
    }

    /// Longer tokens are refused.
    public static let maximumBytes = 4_096
    /// Allowed difference between the clocks of two machines.
    public static let leeway: Duration = .seconds(30)

    /// The claims of tokens with a valid signature, since verifying it is most of the cost and its result does not
    /// change. By hash, so that no token is stored here.
    static let knownLimit = 10_000

    private struct Keys {
        let publicKeys: [String: SignatureKey]
        /// Another number for each set of keys.
        let generation: Int
        var known: [SHA256.Digest: AccessTokenClaims] = [:]
    }

    private let issuer: String
    private let audience: String
    private let isEnded: @Sendable (UUID) -> Bool
    private let keys: Mutex<Keys>

    /// - Parameter isEnded: whether a session's unexpired tokens are refused; see ``EndedSessions``.
    public init(
        keys: TokenKeySet, issuer: String, audience: String,
        isEnded: @escaping @Sendable (UUID) -> Bool = { _ in false }
    ) async {
        self.isEnded = isEnded
        self.issuer = issuer
        self.audience = audience
        self.keys = Mutex(Keys(publicKeys: keys.keys, generation: 0))
    }

    /// Replaces the known keys.
    public func replaceKeys(_ keySet: TokenKeySet) async {
        keys.withLock { $0 = Keys(publicKeys: keySet.keys, generation: $0.generation + 1) }
    }

    /// - Parameter now: the time to verify against.
    /// - Throws: ``Refusal``; tell the caller no more than ``Problem/invalidToken`` or ``Problem/tokenExpired``.
    public func verify(_ token: String, now: Date = Date()) async throws(Refusal) -> Caller {
        guard token.utf8.count <= Self.maximumBytes else { throw .tooLarge }
        let digest = SHA256.hash(data: Data(token.utf8))
        if let claims = keys.withLock({ $0.known[digest] }) { return try check(claims, now: now.timeIntervalSince1970) }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let headerBytes = Base64URL.decode(parts[0]),
            let claimBytes = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2]),
            let header = Self.json(headerBytes), case .string(let algorithm)? = header["alg"]
        else { throw .malformed }
        // `crit` names extensions that must be understood (RFC 7515, 4.1.11); none are supported here.
        guard SignatureKey.algorithms.contains(algorithm), header["crit"] == nil else { throw .wrongAlgorithm }
        // Older tokens have no type or `JWT`; any other type is refused (RFC 9068, section 4).
        guard Self.isAccessToken(header["typ"]) else { throw .malformed }
        guard case .string(let keyID)? = header["kid"],
            let (key, generation) = keys.withLock({ keys in keys.publicKeys[keyID].map { ($0, keys.generation) } })
        else { throw .unknownKey }
        // The key's algorithm is used and never the one that the token names.
        guard key.algorithm == algorithm else { throw .wrongAlgorithm }
        let signed = Data(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        guard key.isValid(signature, for: signed) else { throw .badSignature }
        guard let claims = Self.json(claimBytes).flatMap(AccessTokenClaims.init(json:)) else { throw .badClaims }
        let caller = try check(claims, now: now.timeIntervalSince1970)
        remember(claims, digest, generation: generation)
        return caller
    }

    private func remember(_ claims: AccessTokenClaims, _ digest: SHA256.Digest, generation: Int) {
        keys.withLock { keys in
            // The keys were replaced in the meantime: this key may no longer be valid.
            guard keys.generation == generation else { return }
            if keys.known.count >= Self.knownLimit { keys.known.removeAll(keepingCapacity: true) }
            keys.known[digest] = claims
        }
    }

    private func check(_ claims: AccessTokenClaims, now: Double) throws(Refusal) -> Caller {
        let leeway = Double(Self.leeway.components.seconds)
        guard claims.iss == issuer else { throw .wrongIssuer }
        guard claims.aud.value.contains(audience) else { throw .wrongAudience }
        guard now < claims.exp + leeway else { throw .expired }
        guard claims.nbf ?? claims.iat <= now + leeway, claims.iat <= now + leeway else { throw .notYetValid }
        guard let accountID = UUID(uuidString: claims.sub) else { throw .badClaims }
        let sessionID = claims.sid.flatMap(UUID.init(uuidString:))
        guard claims.sid == nil || sessionID != nil else { throw .badClaims }
        if let sessionID, isEnded(sessionID) { throw .sessionEnded }
        return Caller(
            accountID: accountID, sessionID: sessionID, roles: Set(claims.roles),
            expires: Date(timeIntervalSince1970: claims.exp),
            language: claims.locale.flatMap { $0.split(separator: "-").first }.map { Language(rawValue: String($0)) },
            verifiedMarkets: Set(claims.verified ?? []), scopes: claims.scopes.map { Set($0) },
            askedTerms: Set(claims.terms ?? []))
    }

    /// Nil for a text that is no JSON object or has a duplicate name, which two readers could understand differently.
    private static func json(_ bytes: Data) -> JSONValue? {
        // try?: callers are not told why a token cannot be read.
        guard let value = try? JSONValue(parsing: bytes), case .object = value else { return nil }
        return value
    }

    private static func isAccessToken(_ type: JSONValue?) -> Bool {
        switch type {
        case nil: true
        case .string(let text)?: ["jwt", "at+jwt", "application/at+jwt"].contains(text.lowercased())
        default: false
        }
    }
}
