import CArgon2

/// libargon2, with the parameters that OWASP's password storage cheat sheet names first: 19 MiB, two passes, one lane.
/// One hash takes some tens of milliseconds of one core.
enum Argon2id {
    static let memoryKiB: UInt32 = 19_456
    static let passes: UInt32 = 2
    static let lanes: UInt32 = 1
    static let hashBytes = 32
    static let saltBytes = 16

    struct Failure: Error, CustomStringConvertible {
        let code: Int32
        var description: String { "argon2 failed with \(code)" }
    }

    /// Whether a hash was made with these parameters, as its encoded form says.
    static func isCurrent(_ encoded: String) -> Bool {
        encoded.hasPrefix("$argon2id$v=19$m=\(memoryKiB),t=\(passes),p=\(lanes)$")
    }

    /// - Returns: the encoded form, with parameters and salt.
    static func hash(
        _ password: [UInt8], salt: [UInt8], passes: UInt32 = Argon2id.passes
    ) throws(Failure) -> String {
        let length = argon2_encodedlen(
            passes, memoryKiB, lanes, UInt32(salt.count), UInt32(hashBytes), Argon2_id)
        var encoded = [CChar](repeating: 0, count: length)
        let code = argon2id_hash_encoded(
            passes, memoryKiB, lanes, password, password.count, salt, salt.count, hashBytes, &encoded, length)
        guard code == ARGON2_OK.rawValue else { throw Failure(code: code) }
        return String(decoding: encoded.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Takes the same time wherever the hashes differ.
    static func verify(_ password: [UInt8], encoded: String) throws(Failure) -> Bool {
        let code = argon2id_verify(encoded, password, password.count)
        switch code {
        case ARGON2_OK.rawValue: return true
        case ARGON2_VERIFY_MISMATCH.rawValue: return false
        default: throw Failure(code: code)
        }
    }
}
