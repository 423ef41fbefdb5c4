import Crypto
import Foundation
import ServiceKit

/// Verifies that a webhook comes from the payment provider and is at most five minutes old: `Stripe-Signature:
/// t=…,v1=…`, where v1 is the hexadecimal HMAC-SHA256 of the time, a full stop and the body. Several v1 may be given
/// while the provider rotates its secret.
struct WebhookSignature: Sendable {
    static let toleranceSeconds = 300.0

    private let key: SymmetricKey

    init(secret: Redacted<String>) {
        key = SymmetricKey(data: Data(secret.revealed.utf8))
    }

    func accepts(_ header: String, body: Data, at now: Date) -> Bool {
        var time: String?
        var signatures: [Data] = []
        for part in header.prefix(2_000).split(separator: ",").prefix(20) {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2 else { continue }
            if pair[0] == "t" { time = time ?? pair[1] }
            if pair[0] == "v1", let bytes = Self.bytes(hexadecimal: pair[1]) { signatures.append(bytes) }
        }
        guard let time, let seconds = Int64(time),
            abs(now.timeIntervalSince1970 - Double(seconds)) <= Self.toleranceSeconds
        else { return false }
        let signed = Data("\(time).".utf8) + body
        // Compared in constant time.
        return signatures.contains { HMAC<SHA256>.isValidAuthenticationCode($0, authenticating: signed, using: key) }
    }

    private static func bytes(hexadecimal text: String) -> Data? {
        guard text.utf8.count == 64 else { return nil }
        var bytes = Data()
        var rest = text[...]
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
