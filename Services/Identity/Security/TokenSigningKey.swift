import Crypto
import Foundation
import JWTKit

/// The private key that access tokens are signed with: a JSON Web Key (RFC 8037) in a file of its own.
struct TokenSigningKey: Sendable {
    enum Fault: Error, Equatable, CustomStringConvertible {
        case unreadable
        var description: String { "the file of the signing key is not a private Ed25519 JSON Web Key" }
    }

    private struct Document: Codable {
        let kty: String
        let crv: String
        let kid: String
        let x: String
        let d: String
    }

    let id: String
    private let key: Curve25519.Signing.PrivateKey

    /// A new key. Its id is its thumbprint (RFC 7638), so that no two keys share one.
    static func generate() -> TokenSigningKey {
        let key = Curve25519.Signing.PrivateKey()
        let x = Base64URL.encode(key.publicKey.rawRepresentation)
        let thumbprint = SHA256.hash(data: Data(#"{"crv":"Ed25519","kty":"OKP","x":"\#(x)"}"#.utf8))
        return TokenSigningKey(id: Base64URL.encode(Data(thumbprint)), key: key)
    }

    private init(id: String, key: Curve25519.Signing.PrivateKey) {
        self.id = id
        self.key = key
    }

    init(json: Data) throws(Fault) {
        do {
            let document = try JSONDecoder().decode(Document.self, from: json)
            guard document.kty == "OKP", document.crv == "Ed25519", let secret = Base64URL.decode(document.d) else {
                throw Fault.unreadable
            }
            id = document.kid
            key = try Curve25519.Signing.PrivateKey(rawRepresentation: secret)
        } catch {
            throw .unreadable
        }
    }

    /// What goes into the private file.
    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            return try encoder.encode(
                Document(
                    kty: "OKP", crv: "Ed25519", kid: id,
                    x: Base64URL.encode(key.publicKey.rawRepresentation),
                    d: Base64URL.encode(key.rawRepresentation)))
        }
    }

    var privateKey: EdDSA.PrivateKey { EdDSA.PrivateKey(backing: key) }
}
