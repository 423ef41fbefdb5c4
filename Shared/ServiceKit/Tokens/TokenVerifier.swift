import Crypto
public import Foundation
import JWTKit
import Locks

/// Checks access tokens: signature by a known key, issuer, audience, times.
///
/// A key is for one algorithm, EdDSA, ES256 or RS256: a token whose head names another than its key's is refused. `none` and
/// symmetric algorithms are refused before anything else is looked at. The keys can be replaced while the service runs;
/// requests that are being checked keep the ones they began with.
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
        /// Signed and not expired, but its session has ended.
        case sessionEnded
        /// The claims are signed but are not what Serai's tokens hold.
        case badClaims
    }

    /// Longer tokens are not read.
    public static let maximumBytes = 4_096
    /// How far the clocks of two machines may differ.
    public static let leeway: Duration = .seconds(30)

    /// Tokens with a good signature, which is most of what checking costs and does not change. By their hash: nothing
    /// here is a token.
    static let knownLimit = 10_000

    private struct Keys {
        let publicKeys: [String: SignatureKey]
        /// Another one for each set of keys.
        let generation: Int
        var known: [SHA256.Digest: AccessTokenClaims] = [:]
    }

    private let issuer: String
    private let audience: String
    private let isEnded: @Sendable (UUID) -> Bool
    private let keys: Mutex<Keys>

    /// - Parameter isEnded: whether a session's tokens are refused although they have not expired; see
    ///   ``EndedSessions``.
    public init(
        keys: TokenKeySet, issuer: String, audience: String,
        isEnded: @escaping @Sendable (UUID) -> Bool = { _ in false }
    ) async {
        self.isEnded = isEnded
        self.issuer = issuer
        self.audience = audience
        self.keys = Mutex(Keys(publicKeys: keys.keys, generation: 0))
    }

    /// Takes the place of the keys that were known.
    public func replaceKeys(_ keySet: TokenKeySet) async {
        keys.withLock { $0 = Keys(publicKeys: keySet.keys, generation: $0.generation + 1) }
    }

    /// - Parameter now: the time to check against.
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
        // `crit` names extensions that must be understood (RFC 7515, 4.1.11); there are none here.
        guard SignatureKey.algorithms.contains(algorithm), header["crit"] == nil else { throw .wrongAlgorithm }
        // Tokens of before have none, or `JWT`; any other kind is not for us (RFC 9068, 4).
        guard Self.isAccessToken(header["typ"]) else { throw .malformed }
        guard case .string(let keyID)? = header["kid"],
            let (key, generation) = keys.withLock({ keys in keys.publicKeys[keyID].map { ($0, keys.generation) } })
        else { throw .unknownKey }
        // Never the algorithm that the token chooses: its key is for one.
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
            // Replaced meanwhile: the key may be one that is not believed any more.
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
            verifiedMarkets: Set(claims.verified ?? []))
    }

    /// Nil for what is no JSON object, or has a name twice: two readers could see two tokens in it.
    private static func json(_ bytes: Data) -> JSONValue? {
        // try?: why it cannot be read is nobody's business.
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
