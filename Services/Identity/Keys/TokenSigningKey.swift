import Crypto
import CryptoExtras
import Foundation
import SeraiJSON
import ServiceKit

/// The private key that signs access tokens: a JSON Web Key (RFC 7517) in a file of its own.
struct TokenSigningKey: Sendable {
    enum Fault: Error, Equatable, CustomStringConvertible {
        case unreadable
        var description: String {
            "the file of the signing key is not a private JSON Web Key for EdDSA, ES256 or RS256"
        }
    }

    /// The algorithm of a new key.
    enum Algorithm: String, Sendable, CaseIterable {
        case edDSA = "EdDSA"
        case es256 = "ES256"
        case rs256 = "RS256"
    }

    /// A key as stored in its file. RSA's private half is `der` (PKCS #1) and not the members of RFC 7518, because the
    /// crypto library gives only that form.
    struct Document: Codable {
        var kty: String
        var crv: String?
        var kid: String
        var x: String?
        var y: String?
        var n: String?
        var e: String?
        var d: String?
        var der: String?
        /// Seconds since 1970; see ``TokenSigningKeys``.
        var from: Double?
    }

    let id: String
    let key: AccessTokenKey

    /// Generates a key. Its id is its thumbprint (RFC 7638), so no two keys have the same id.
    static func generate(_ algorithm: Algorithm = .edDSA) throws -> TokenSigningKey {
        let key: AccessTokenKey =
            switch algorithm {
            case .edDSA: .ed25519(Curve25519.Signing.PrivateKey())
            case .es256: .p256(P256.Signing.PrivateKey())
            case .rs256: .rsa(try _RSA.Signing.PrivateKey(keySize: .bits3072))
            }
        let members = try key.publicMembers.map { "\"\($0.name)\":\"\($0.value)\"" }.joined(separator: ",")
        return TokenSigningKey(
            id: Base64URL.encode(Data(SHA256.hash(data: Data("{\(members)}".utf8)))), key: key)
    }

    private init(id: String, key: AccessTokenKey) {
        self.id = id
        self.key = key
    }

    init(json: Data) throws(Fault) {
        do {
            try self.init(try JSON.stored.decode(Document.self, json))
        } catch {
            throw .unreadable
        }
    }

    init(_ document: Document) throws(Fault) {
        func bytes(_ text: String?) throws(Fault) -> Data {
            guard let bytes = text.flatMap({ Base64URL.decode($0) }) else { throw .unreadable }
            return bytes
        }
        id = document.kid
        do {
            switch (document.kty, document.crv) {
            case ("OKP", "Ed25519"):
                key = .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: try bytes(document.d)))
            case ("EC", "P-256"):
                key = .p256(try P256.Signing.PrivateKey(rawRepresentation: try bytes(document.d)))
            case ("RSA", nil):
                key = .rsa(try _RSA.Signing.PrivateKey(derRepresentation: try bytes(document.der)))
            default: throw Fault.unreadable
            }
        } catch {
            throw .unreadable
        }
    }

    /// The contents of the private file.
    var document: Document {
        get throws {
            let members = Dictionary(uniqueKeysWithValues: try key.publicMembers.map { ($0.name, $0.value) })
            var document = Document(
                kty: members["kty"] ?? "", crv: members["crv"], kid: id, x: members["x"], y: members["y"],
                n: members["n"], e: members["e"])
            switch key {
            case .ed25519(let key): document.d = Base64URL.encode(key.rawRepresentation)
            case .p256(let key): document.d = Base64URL.encode(key.rawRepresentation)
            case .rsa(let key): document.der = Base64URL.encode(key.derRepresentation)
            }
            return document
        }
    }

    var json: Data {
        get throws {
            Data(try JSON.sorted.encode(try document))
        }
    }

    var algorithm: Algorithm { Algorithm(rawValue: key.algorithm) ?? .edDSA }
}
