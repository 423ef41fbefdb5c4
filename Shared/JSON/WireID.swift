public import Foundation

/// Ids as text. Foundation formats each by C's printing functions, which costs as much as a lookup in a table, and a
/// message has several ids.
public enum WireID {
    /// Appends the 36 characters, in lower case as in messages, or in capitals.
    public static func append(_ id: UUID, inCapitals: Bool = false, to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { text in
            write(id, firstLetter: inCapitals ? UInt8(ascii: "A") : UInt8(ascii: "a"), to: text)
            bytes.append(contentsOf: text)
        }
    }

    private static let length = 36

    public static func text(_ id: UUID) -> String {
        String(unsafeUninitializedCapacity: length) { text in
            write(id, firstLetter: UInt8(ascii: "a"), to: text)
            return length
        }
    }

    private static func write(_ id: UUID, firstLetter: UInt8, to text: UnsafeMutableBufferPointer<UInt8>) {
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : firstLetter + value - 10 }
        withUnsafeBytes(of: id.uuid) { bytes in
            var place = 0
            for index in 0..<16 {
                if isHyphen(place) {
                    text[place] = UInt8(ascii: "-")
                    place += 1
                }
                text[place] = digit(bytes[index] >> 4)
                text[place + 1] = digit(bytes[index] & 0xf)
                place += 2
            }
        }
    }

    /// - Returns: nil for anything but the 36 characters of an id, in either case.
    public static func parse(_ text: String) -> UUID? {
        var text = text
        return text.withUTF8 { parse($0) }
    }

    /// - Returns: as ``parse(_:)-(String)``.
    static func parse(_ text: ArraySlice<UInt8>) -> UUID? { text.withUnsafeBufferPointer { parse($0) } }

    private static func parse(_ text: UnsafeBufferPointer<UInt8>) -> UUID? {
        guard text.count == length else { return nil }
        var id: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let isWhole = withUnsafeMutableBytes(of: &id) { bytes in
            var place = 0
            for index in 0..<16 {
                if isHyphen(place) {
                    guard text[place] == UInt8(ascii: "-") else { return false }
                    place += 1
                }
                guard let high = value(text[place]), let low = value(text[place + 1]) else { return false }
                bytes[index] = high << 4 | low
                place += 2
            }
            return true
        }
        return isWhole ? UUID(uuid: id) : nil
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func isHyphen(_ place: Int) -> Bool { place == 8 || place == 13 || place == 18 || place == 23 }
}
