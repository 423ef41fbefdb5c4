import Crypto
public import Foundation

/// An authenticator app with one secret in it: six digits each half minute (RFC 6238).
public struct AuthenticatorApp: Sendable {
    public static let stepSeconds = 30.0
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    private let secret: [UInt8]

    /// - Parameter text: base 32; nil for anything else.
    public init?(_ text: String) {
        var (bytes, buffer, bits): ([UInt8], Int, Int) = ([], 0, 0)
        for character in text {
            guard let value = Self.alphabet.firstIndex(of: character) else { return nil }
            buffer = (buffer << 5 | value) & 0xfff
            bits += 5
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(buffer >> bits & 255))
        }
        secret = bytes
    }

    public func code(at now: Date) -> String {
        let step = UInt64(now.timeIntervalSince1970 / Self.stepSeconds)
        let counter = withUnsafeBytes(of: step.bigEndian) { Array($0) }
        let mac = Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: secret)))
        let offset = Int(mac[mac.count - 1] & 15)
        let number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let text = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - text.count) + text
    }
}
