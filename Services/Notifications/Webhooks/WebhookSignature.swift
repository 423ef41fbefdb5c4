import Crypto
import Foundation
import SeraiJSON

/// The signing secret of a webhook and its signatures, in the form of Standard Webhooks 1.0: HMAC-SHA256 over
/// `id.timestamp.body`, as `v1,` and base64.
struct WebhookSecret: Sendable, Equatable {
    static let prefix = "whsec_"
    static let bytes = 32

    /// As its owner keeps it: `whsec_` and base64.
    let text: String
    private let key: Data

    static func generate() -> WebhookSecret {
        let key = Data((0..<bytes).map { _ in UInt8.random(in: .min ... .max) })
        return WebhookSecret(text: prefix + key.base64EncodedString(), key: key)
    }

    private init(text: String, key: Data) {
        self.text = text
        self.key = key
    }

    /// Nil for a text that is no secret.
    init?(_ text: String) {
        guard text.hasPrefix(Self.prefix),
            let key = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))), key.count >= 24
        else { return nil }
        self.init(text: text, key: key)
    }

    /// - Parameters:
    ///   - id: the message's id; the same for each try.
    ///   - timestamp: of the try, in whole seconds since 1970.
    func signature(id: String, timestamp: Int, body: String) -> String {
        let signed = Data("\(id).\(timestamp).\(body)".utf8)
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: key))
        return "v1," + Data(code).base64EncodedString()
    }
}
