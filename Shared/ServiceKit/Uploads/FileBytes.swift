/// Reads numbers from a file's bytes, never beyond their end.
struct FileBytes: Sendable {
    let bytes: ArraySlice<UInt8>
    /// The number of bytes read so far.
    private(set) var position = 0

    init(_ bytes: some Sequence<UInt8>) { self.bytes = ArraySlice(bytes) }

    var left: Int { bytes.count - position }

    mutating func byte() throws(FileFault) -> UInt8 { try take(1)[0] }

    /// The next bytes, as a slice that begins at 0.
    mutating func take(_ count: Int) throws(FileFault) -> ArraySlice<UInt8> {
        guard count >= 0, count <= left else { throw .unreadable }
        let start = bytes.startIndex + position
        position += count
        return ArraySlice(Array(bytes[start..<start + count]))
    }

    mutating func skip(_ count: Int) throws(FileFault) {
        guard count >= 0, count <= left else { throw .unreadable }
        position += count
    }

    /// Most significant byte first.
    mutating func big(_ count: Int) throws(FileFault) -> Int { try take(count).reduce(0) { $0 << 8 | Int($1) } }

    /// Least significant byte first.
    mutating func little(_ count: Int) throws(FileFault) -> Int {
        try take(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
