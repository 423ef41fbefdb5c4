import Crypto
import Foundation
import ServiceKit

/// The encryption of a Web Push message for one browser (RFC 8291): a key is agreed on with the browser's, and the
/// message is one record of the content coding `aes128gcm` (RFC 8188).
struct WebPushCipher: Sendable {
    enum Fault: Error, Equatable { case tooLong, notAKey }

    /// What fits into the 4096 bytes that a push service has to take (RFC 8030, 7.2).
    static let longestText = 3_993
    private static let recordSize: UInt32 = 4_096

    /// The browser's `p256dh`: a point of P-256, uncompressed.
    let receiver: P256.KeyAgreement.PublicKey
    /// The browser's `auth`, 16 bytes.
    let secret: Data

    /// - Parameters:
    ///   - p256dh: base64url, as the browser gives it.
    ///   - auth: base64url.
    init(p256dh: String, auth: String) throws(Fault) {
        guard let point = Base64URL.decode(p256dh), let secret = Base64URL.decode(auth), secret.count == 16 else {
            throw .notAKey
        }
        do {
            receiver = try P256.KeyAgreement.PublicKey(x963Representation: point)
        } catch {
            throw .notAKey
        }
        self.secret = secret
    }

    func encrypt(_ text: Data) throws -> Data {
        let salt = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        return try encrypt(text, sender: P256.KeyAgreement.PrivateKey(), salt: salt)
    }

    /// - Parameters:
    ///   - sender: a key for this message alone.
    ///   - salt: 16 random bytes.
    func encrypt(_ text: Data, sender: P256.KeyAgreement.PrivateKey, salt: Data) throws -> Data {
        guard text.count <= Self.longestText else { throw Fault.tooLong }
        let senderPoint = sender.publicKey.x963Representation
        let shared = try sender.sharedSecretFromKeyAgreement(with: receiver)
        let input = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: secret,
            sharedInfo: Data("WebPush: info\0".utf8) + receiver.x963Representation + senderPoint, outputByteCount: 32)
        let pseudorandom = HKDF<SHA256>.extract(inputKeyMaterial: input, salt: salt)
        let key = HKDF<SHA256>.expand(
            pseudoRandomKey: pseudorandom, info: Data("Content-Encoding: aes128gcm\0".utf8), outputByteCount: 16)
        let nonce = HKDF<SHA256>.expand(
            pseudoRandomKey: pseudorandom, info: Data("Content-Encoding: nonce\0".utf8), outputByteCount: 12)
        // The octet 2 ends the last record; there is no further padding.
        let box = try AES.GCM.seal(
            text + Data([2]), using: key, nonce: try AES.GCM.Nonce(data: nonce.withUnsafeBytes { Data($0) }))
        let size = withUnsafeBytes(of: Self.recordSize.bigEndian) { Data($0) }
        return salt + size + Data([UInt8(senderPoint.count)]) + senderPoint + box.ciphertext + box.tag
    }
}
