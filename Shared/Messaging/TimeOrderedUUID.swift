public import Foundation
import Glibc
import Locks

extension UUID {
    /// A UUID version 7 (RFC 9562, 5.7): the first 48 bits are Unix milliseconds, so ids made later sort later.
    ///
    /// - Parameter milliseconds: since 1970, UTC.
    public static func timeOrdered(
        milliseconds: UInt64, using generator: inout some RandomNumberGenerator
    ) -> UUID {
        let head = milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0x0fff, using: &generator)
        let tail = 1 << 63 | UInt64.random(in: 0..<(1 << 62), using: &generator)
        return UUID(head, tail)
    }

    /// Below every version 7 of the time, and above those of any earlier millisecond: old rows are found by it.
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

    /// A UUID version 7 of now.
    public static func timeOrdered() -> UUID {
        let milliseconds = UInt64(Date().timeIntervalSince1970 * 1000)
        return RandomReserve.shared.withLock { timeOrdered(milliseconds: milliseconds, using: &$0) }
    }

    /// Lower case, as ids are written in messages and in JSON.
    public var text: String { WireID.text(self) }
}

extension UUID {
    /// Unix milliseconds of a version 7; nil for other versions.
    public var timeMilliseconds: Int64? {
        guard uuid.6 >> 4 == 7 else { return nil }
        return [uuid.0, uuid.1, uuid.2, uuid.3, uuid.4, uuid.5].reduce(0) { $0 << 8 | Int64($1) }
    }
}

/// The system's random numbers, fetched many at once: a call of the kernel for each number is most of what an id costs.
struct RandomReserve: RandomNumberGenerator {
    static let shared = Mutex(RandomReserve())

    private var words: [UInt64] = []

    mutating func next() -> UInt64 {
        if words.isEmpty { fetch() }
        return words.removeLast()
    }

    private mutating func fetch() {
        // As much as one call gives at most: 256 bytes.
        words = Array(repeating: 0, count: 32)
        let code = words.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
        precondition(code == 0, "the system has no random numbers: error \(errno)")
    }
}
