import Crypto
import Foundation

/// The cryptography of stored answers. Answers contain personal data and sometimes tokens. Opening a stored one needs
/// both the service's signing key and the client's Idempotency-Key, of which only a hash is stored.
struct IdempotencySeal: Sendable {
    private let secret: SymmetricKey
    private let hashKey: SymmetricKey
    private let inputKey: SymmetricKey

    init(secret: Redacted<String>) {
        let secret = SymmetricKey(data: Data(secret.revealed.utf8))
        func derive(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, info: Data(purpose.utf8), outputByteCount: 32)
        }
        self.secret = secret
        hashKey = derive("serai idempotency key v1")
        inputKey = derive("serai idempotency input v1")
    }

    func keyHash(_ key: IdempotencyKey) -> [UInt8] { Self.mac(Data(key.value.utf8), using: hashKey) }

    func fingerprint(_ input: IdempotencyInput) -> [UInt8] { Self.mac(input.bytes, using: inputKey) }

    func mark(of row: IdempotencyRow) -> [UInt8] {
        var bytes = Data(row.scope.utf8)
        bytes.append(0)
        bytes.append(contentsOf: row.keyHash)
        bytes.append(contentsOf: row.fingerprint)
        return Self.mac(bytes, using: inputKey)
    }

    func seal(_ answer: Data, key: IdempotencyKey, scope: String) throws -> [UInt8] {
        let box = try AES.GCM.seal(answer, using: answerKey(key), authenticating: Data(scope.utf8))
        // Nonce, ciphertext and tag; nil only for nonces of unusual length.
        return Array(box.combined ?? Data())
    }

    func open(_ sealed: [UInt8], key: IdempotencyKey, scope: String) throws -> Data {
        try AES.GCM.open(
            AES.GCM.SealedBox(combined: sealed), using: answerKey(key), authenticating: Data(scope.utf8))
    }

    private func answerKey(_ key: IdempotencyKey) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, salt: Data(key.value.utf8), info: Data("serai idempotency answer v1".utf8),
            outputByteCount: 32)
    }

    private static func mac(_ message: Data, using key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
    }
}
