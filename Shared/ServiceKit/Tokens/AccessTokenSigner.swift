import Foundation
public import JWTKit

/// Signs access tokens. Used by the service that owns sessions, and by tests.
public struct AccessTokenSigner: Sendable {
    private let collection: JWTKeyCollection
    private let keyID: String
    /// The JSON Web Key Set with this key alone.
    public let keySetJSON: String

    /// - Parameter keyID: is written into the token's header and must be in the verifiers' key set.
    /// - Throws: for an RSA key of less than 2048 bits.
    public init(_ key: AccessTokenKey, keyID: String) async throws {
        collection = JWTKeyCollection()
        let kid = JWKIdentifier(string: keyID)
        switch key {
        case .ed25519(let key): await collection.add(eddsa: EdDSA.PrivateKey(backing: key), kid: kid)
        case .p256(let key): await collection.add(ecdsa: try ES256PrivateKey(backing: key), kid: kid)
        case .rsa(let key):
            await collection.add(rsa: try Insecure.RSA.PrivateKey(backing: key), digestAlgorithm: .sha256, kid: kid)
        }
        self.keyID = keyID
        keySetJSON = "{\"keys\":[\(try key.publicJWK(id: keyID))]}"
    }

    /// The same for an Ed25519 key of JWTKit.
    public init(key: EdDSA.PrivateKey, keyID: String) async {
        collection = JWTKeyCollection()
        await collection.add(eddsa: key, kid: JWKIdentifier(string: keyID))
        self.keyID = keyID
        let x = Base64URL.encode(key.publicKey.rawRepresentation)
        keySetJSON =
            #"{"keys":[{"use":"sig","alg":"EdDSA","kid":"\#(keyID)","crv":"Ed25519","kty":"OKP","x":"\#(x)"}]}"#
    }

    public func sign(_ claims: AccessTokenClaims) async throws -> String {
        // RFC 9068, 2.1: the type keeps the token from being taken for another kind.
        try await collection.sign(claims, kid: JWKIdentifier(string: keyID), header: ["typ": "at+jwt"])
    }
}
