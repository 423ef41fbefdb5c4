import Crypto
import Foundation

/// A refresh token: 256 random bits. The database stores its SHA-256, which is enough for a value that cannot be
/// guessed, and its successor, sealed with a key derived from the token itself.
struct RefreshToken: Equatable, Sendable {
    static let bytes = 32

    private let secret: [UInt8]

    static func generate() -> RefreshToken {
        RefreshToken(secret: (0..<bytes).map { _ in UInt8.random(in: .min ... .max) })
    }

    private init(secret: [UInt8]) { self.secret = secret }

    /// Nil for a text that is not a token.
    init?(text: String) {
        guard text.utf8.count <= 64, let bytes = Base64URL.decode(text), bytes.count == Self.bytes else { return nil }
        secret = Array(bytes)
    }

    /// The text that the phone keeps.
    var text: String { Base64URL.encode(Data(secret)) }

    var hash: [UInt8] { Array(SHA256.hash(data: secret)) }

    func seal(successor: RefreshToken) throws -> [UInt8] {
        let box = try AES.GCM.seal(Data(successor.secret), using: successorKey)
        return Array(box.combined ?? Data())
    }

    func open(successor sealed: [UInt8]) throws -> RefreshToken {
        RefreshToken(secret: Array(try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: successorKey)))
    }

    private var successorKey: SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Data("serai refresh successor v1".utf8),
            outputByteCount: 32)
    }
}
