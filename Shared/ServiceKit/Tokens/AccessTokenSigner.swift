public import JWTKit

/// Signs access tokens. Used by the service that owns sessions, and by tests.
public struct AccessTokenSigner: Sendable {
    private let collection: JWTKeyCollection
    private let keyID: String
    public let publicKey: EdDSA.PublicKey

    /// - Parameter keyID: goes into the token's head and must be in the key set of those who check it.
    public init(key: EdDSA.PrivateKey, keyID: String) async {
        collection = JWTKeyCollection()
        await collection.add(eddsa: key, kid: JWKIdentifier(string: keyID))
        self.keyID = keyID
        publicKey = key.publicKey
    }

    public func sign(_ claims: AccessTokenClaims) async throws -> String {
        // RFC 9068, 2.1: nobody takes it for another kind of token.
        try await collection.sign(claims, kid: JWKIdentifier(string: keyID), header: ["typ": "at+jwt"])
    }

    /// The JSON Web Key Set with this key alone.
    public var keySetJSON: String {
        let x = Base64URL.encode(publicKey.rawRepresentation)
        return #"{"keys":[{"kty":"OKP","crv":"Ed25519","use":"sig","alg":"EdDSA","kid":"\#(keyID)","x":"\#(x)"}]}"#
    }
}
