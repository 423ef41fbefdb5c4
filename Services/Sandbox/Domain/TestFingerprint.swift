/// The sandbox's fingerprint of a number: FNV-1a with 64 bits, sufficient for test numbers.
enum TestFingerprint {
    static func of(_ number: String) -> String {
        let hash = number.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
