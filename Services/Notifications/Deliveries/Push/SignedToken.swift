import Crypto
import CryptoExtras
import Foundation
import SeraiJSON
import ServiceKit

/// Signs the tokens by which push services know who sends: JSON Web Tokens (RFC 7519).
enum SignedToken {
    private struct Head: Encodable {
        let alg: String
        let kid: String?
        let typ = "JWT"
        private enum CodingKeys: String, CodingKey { case alg, kid, typ }
    }

    static func es256(_ claims: some Encodable, keyID: String? = nil, _ key: P256.Signing.PrivateKey) throws -> String {
        try token("ES256", claims, keyID) { try key.signature(for: $0).rawRepresentation }
    }

    static func rs256(_ claims: some Encodable, keyID: String?, _ key: _RSA.Signing.PrivateKey) throws -> String {
        try token("RS256", claims, keyID) {
            try key.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5).rawRepresentation
        }
    }

    private static func token(
        _ algorithm: String, _ claims: some Encodable, _ keyID: String?, _ sign: (Data) throws -> Data
    ) throws -> String {
        let head = try JSON.wire.encode(Head(alg: algorithm, kid: keyID))
        let text = Base64URL.encode(head) + "." + Base64URL.encode(try JSON.wire.encode(claims))
        return text + "." + Base64URL.encode(try sign(Data(text.utf8)))
    }
}
