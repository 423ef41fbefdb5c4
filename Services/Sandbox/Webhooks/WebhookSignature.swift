import Crypto
import Foundation

/// `Stripe-Signature: t=…,v1=…`; v1 is the HMAC-SHA256 of `t.body` in hexadecimal digits.
enum WebhookSignature {
    static func header(body: Data, secret: String, seconds: Int) -> String {
        var signed = Data("\(seconds).".utf8)
        signed.append(body)
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: Data(secret.utf8)))
        let hexadecimal = code.map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
        return "t=\(seconds),v1=\(hexadecimal)"
    }
}
