public import Foundation
import Locks

/// Ids that are the same in every run: `00000000-0000-7000-8000-000000000001`, then `…02`, and so on. They have the form
/// of a UUIDv7 and sort in the order they were given out. Safe from any thread.
public final class SequentialIDs: Sendable {
    private let last: Mutex<UInt64>

    /// - Parameter first: the number of the first id; two sequences in one test can be kept apart by it.
    ///   Numbers below 2^48.
    public init(first: UInt64 = 1) {
        last = Mutex(first &- 1)
    }

    /// The next id.
    public func next() -> UUID {
        let number = last.withLock { last in
            last &+= 1
            return last
        }
        let bytes = withUnsafeBytes(of: number.bigEndian, Array.init)
        return UUID(
            uuid: (
                0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0,
                bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
            ))
    }
}
