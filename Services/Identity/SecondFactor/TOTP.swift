import Crypto
import Foundation

/// Time-based one-time passwords (RFC 6238) as authenticator apps make them: HMAC-SHA1, steps of 30 seconds, six
/// digits.
struct TOTP: Sendable {
    static let secretBytes = 20
    static let stepSeconds: Double = 30
    static let digits = 6
    /// Accepted steps before and after the present one, for clocks that differ and for slow typing.
    static let window: Int64 = 1

    let secret: [UInt8]

    static func generate() -> TOTP { TOTP(secret: (0..<secretBytes).map { _ in UInt8.random(in: .min ... .max) }) }

    /// A secret that an operator sets, in base 32; nil for another length.
    init?(text: String) {
        guard let secret = Base32.decode(text), secret.count == Self.secretBytes else { return nil }
        self.secret = secret
    }

    init(secret: [UInt8]) { self.secret = secret }

    static func step(at now: Date) -> Int64 { Int64((now.timeIntervalSince1970 / stepSeconds).rounded(.down)) }

    /// The code of a step (RFC 4226, 5.3).
    func code(at step: Int64) -> String {
        let counter = withUnsafeBytes(of: UInt64(bitPattern: step).bigEndian) { Array($0) }
        let mac = Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: secret)))
        let offset = Int(mac[mac.count - 1] & 15)
        let number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let text = String(number % 1_000_000)
        return String(repeating: "0", count: Self.digits - text.count) + text
    }

    /// The step near the present one whose code this is. All steps are compared in constant time.
    ///
    /// - Parameter used: the step of the last accepted code; this step and earlier ones are refused.
    func step(of code: String, at now: Date, after used: Int64?) -> Int64? {
        let given = Array(code.utf8)
        let present = Self.step(at: now)
        var found: Int64?
        for step in (present - Self.window)...(present + Self.window) {
            let isEqual = Self.isEqual(Array(self.code(at: step).utf8), given)
            if isEqual, step > used ?? .min { found = step }
        }
        return found
    }

    /// The secret in base 32, as authenticator apps read it.
    var text: String { Base32.encode(secret) }

    /// The URI for the QR code that apps scan (Google's "Key Uri Format").
    func uri(of account: String) -> String {
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        let label = account.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        return
            "otpauth://totp/Serai:\(label)?secret=\(text)&issuer=Serai&algorithm=SHA1&digits=\(Self.digits)&period=30"
    }

    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
