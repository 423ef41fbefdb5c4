import CArgon2

/// Argon2id by libargon2, with one lane.
struct Argon2id: Sendable {
    /// The first choice of OWASP's password storage cheat sheet: 19 MiB, two passes, one lane. One hash takes some tens
    /// of milliseconds of one core.
    static let owasp = Argon2id(memoryKiB: 19_456, passes: 2)

    /// At least 8.
    let memoryKiB: UInt32
    /// At least 1.
    let passes: UInt32

    private static let lanes: UInt32 = 1
    private static let hashBytes = 32
    static let saltBytes = 16

    struct Failure: Error, CustomStringConvertible {
        let code: Int32
        var description: String { "argon2 failed with \(code)" }
    }

    /// Whether a hash was made with these parameters, by its encoded form.
    func made(_ encoded: String) -> Bool {
        encoded.hasPrefix("$argon2id$v=19$m=\(memoryKiB),t=\(passes),p=\(Self.lanes)$")
    }

    /// - Returns: the encoded form, with parameters and salt.
    func hash(_ password: [UInt8], salt: [UInt8]) throws(Failure) -> String {
        let length = argon2_encodedlen(
            passes, memoryKiB, Self.lanes, UInt32(salt.count), UInt32(Self.hashBytes), Argon2_id)
        var encoded = [CChar](repeating: 0, count: length)
        let code = argon2id_hash_encoded(
            passes, memoryKiB, Self.lanes, password, password.count, salt, salt.count, Self.hashBytes, &encoded, length)
        guard code == ARGON2_OK.rawValue else { throw Failure(code: code) }
        return String(decoding: encoded.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Verifies with the parameters of the hash. The comparison takes constant time.
    static func verify(_ password: [UInt8], encoded: String) throws(Failure) -> Bool {
        let code = argon2id_verify(encoded, password, password.count)
        switch code {
        case ARGON2_OK.rawValue: return true
        case ARGON2_VERIFY_MISMATCH.rawValue: return false
        default: throw Failure(code: code)
        }
    }
}
