import Foundation

/// Makes a transfer's deterministic key: a word such as `capture`, a colon and an id in lower case.
enum TransferKey {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Formats the id by hand: Foundation uses C's formatted printing, which is slow, and each command needs its key
    /// several times.
    static func make(_ what: String, _ id: UUID) -> String {
        let length = what.utf8.count + 37
        return String(unsafeUninitializedCapacity: length) { text in
            var place = 0
            func put(_ byte: UInt8) {
                text[place] = byte
                place += 1
            }
            for byte in what.utf8 { put(byte) }
            put(UInt8(ascii: ":"))
            withUnsafeBytes(of: id.uuid) { bytes in
                for index in 0..<16 {
                    if index == 4 || index == 6 || index == 8 || index == 10 { put(UInt8(ascii: "-")) }
                    put(digits[Int(bytes[index] >> 4)])
                    put(digits[Int(bytes[index] & 0xf)])
                }
            }
            return length
        }
    }
}
