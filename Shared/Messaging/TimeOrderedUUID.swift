public import Foundation
import Glibc
import Locks
import SeraiJSON

extension UUID {
    /// A UUID version 7 (RFC 9562, 5.7): the first 48 bits are Unix milliseconds, so later ids sort after earlier ones.
    ///
    /// - Parameter milliseconds: since 1970, UTC.
    public static func timeOrdered(
        milliseconds: UInt64, using generator: inout some RandomNumberGenerator
    ) -> UUID {
        let head = milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0x0fff, using: &generator)
        let tail = 1 << 63 | UInt64.random(in: 0..<(1 << 62), using: &generator)
        return UUID(head, tail)
    }

    /// An id below every version 7 of the time, and above all of earlier milliseconds, for finding old rows.
    public static func before(_ time: Date) -> UUID {
        UUID(UInt64(max(0, time.timeIntervalSince1970 * 1000)) << 16, 0)
    }

    private init(_ head: UInt64, _ tail: UInt64) {
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * index)) }
        self.init(
            uuid: (
                byte(head, 0), byte(head, 1), byte(head, 2), byte(head, 3),
                byte(head, 4), byte(head, 5), byte(head, 6), byte(head, 7),
                byte(tail, 0), byte(tail, 1), byte(tail, 2), byte(tail, 3),
                byte(tail, 4), byte(tail, 5), byte(tail, 6), byte(tail, 7)
            ))
    }

    /// A UUID version 7 of the current time.
    public static func timeOrdered() -> UUID {
        let milliseconds = UInt64(Date().timeIntervalSince1970 * 1000)
        return RandomReserve.shared.withLock { timeOrdered(milliseconds: milliseconds, using: &$0) }
    }

    /// The id in lower case, as in messages and JSON.
    public var text: String { WireID.text(self) }
}

extension UUID {
    /// The Unix milliseconds of a version 7; nil for other versions.
    public var timeMilliseconds: Int64? {
        guard uuid.6 >> 4 == 7 else { return nil }
        return [uuid.0, uuid.1, uuid.2, uuid.3, uuid.4, uuid.5].reduce(0) { $0 << 8 | Int64($1) }
    }
}

/// The system's random numbers, fetched in blocks: a system call for each number would be most of an id's cost.
struct RandomReserve: RandomNumberGenerator {
    static let shared = Mutex(RandomReserve())

    private var words: [UInt64] = []

    mutating func next() -> UInt64 {
        if words.isEmpty { fetch() }
        return words.removeLast()
    }

    private mutating func fetch() {
        // The most that one call returns: 256 bytes.
        words = Array(repeating: 0, count: 32)
        let code = words.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
        precondition(code == 0, "the system has no random numbers: error \(errno)")
    }
}
