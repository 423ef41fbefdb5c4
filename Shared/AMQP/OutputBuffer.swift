/// Bytes for the socket: written at the end, sent from the front.
struct OutputBuffer: ~Copyable {
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private var start = 0
    private var end = 0

    private static let usualCapacity = 1 << 18

    init() {
        capacity = Self.usualCapacity
        base = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { base.deallocate() }

    /// Unsent bytes.
    var count: Int { end - start }

    var unsent: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base + start, count: count) }

    /// Provides room after the last byte. The bytes count once committed.
    mutating func room(for bytes: Int) -> UnsafeMutableRawPointer {
        if capacity - end < bytes { makeRoom(bytes) }
        return base + end
    }

    mutating func commit(_ bytes: Int) { end += bytes }

    /// Drops committed bytes beyond this number of unsent bytes.
    mutating func truncate(to count: Int) { end = start + count }

    /// Drops sent bytes.
    mutating func consume(_ bytes: Int) {
        start += bytes
        guard start == end else { return }
        (start, end) = (0, 0)
        // A single large body must not keep its memory for ever.
        if capacity > 4 * Self.usualCapacity { resize(to: Self.usualCapacity) }
    }

    private mutating func makeRoom(_ bytes: Int) {
        if start > 0 {
            base.copyMemory(from: base + start, byteCount: count)
            (start, end) = (0, count)
        }
        if capacity - end < bytes { resize(to: max(end + bytes, capacity * 2)) }
    }

    private mutating func resize(to newCapacity: Int) {
        let larger = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 16)
        larger.copyMemory(from: base, byteCount: end)
        base.deallocate()
        base = larger
        capacity = newCapacity
    }
}
