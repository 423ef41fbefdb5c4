import Crypto
public import Foundation
import SeraiJSON

/// Hides the recipient and the contents of a mail or an SMS from databases and broker (I14): the requesting service
/// seals them, and the sending service opens them at the moment of sending.
public struct DeliverySeal: Sendable {
    public static let key = ConfigurationKey<Redacted<String>>(
        "deliveries.key", "Seals addresses and contents of mails and SMS. The same for identity and notifications.",
        range: "at least 32 characters", isAllowed: { $0.revealed.utf8.count >= 32 })

    public struct Contents: Codable, Equatable, Sendable {
        /// The e-mail address or mobile number.
        public var to: String
        /// The values of the text's placeholders.
        public var arguments: [String: String]

        public init(to: String, arguments: [String: String]) {
            self.to = to
            self.arguments = arguments
        }
    }

    public enum Fault: Error, Equatable { case malformed }

    private let symmetricKey: SymmetricKey

    public init(secret: Redacted<String>) {
        symmetricKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.revealed.utf8)), info: Data("serai deliveries v1".utf8),
            outputByteCount: 32)
    }

    /// - Parameter delivery: the delivery's id; the sealed text is valid for no other.
    public func seal(_ contents: Contents, delivery: UUID) throws -> String {
        let box = try AES.GCM.seal(
            try JSON.stored.encode(contents), using: symmetricKey, authenticating: Self.context(delivery))
        // Nil only for nonces of unusual length.
        guard let combined = box.combined else { throw Fault.malformed }
        return combined.base64EncodedString()
    }

    public func open(_ sealed: String, delivery: UUID) throws -> Contents {
        guard let combined = Data(base64Encoded: sealed) else { throw Fault.malformed }
        let box = try AES.GCM.SealedBox(combined: combined)
        return try JSON.stored.decode(
            Contents.self, try AES.GCM.open(box, using: symmetricKey, authenticating: Self.context(delivery)))
    }

    private static func context(_ delivery: UUID) -> Data { Data(delivery.uuidString.lowercased().utf8) }
}
