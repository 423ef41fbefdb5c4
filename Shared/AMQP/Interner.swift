/// Stores frequent strings (exchanges, routing keys, message types) once.
///
/// It has a fixed number of places: a string replaces another one in its place, so memory stays bounded.
struct Interner {
    private var places = [String](repeating: "", count: 128)

    mutating func string(_ bytes: UnsafeRawBufferPointer) -> String {
        // Up to 15 bytes live inside a String without memory of their own.
        guard bytes.count > 15 else { return String(decoding: bytes, as: UTF8.self) }
        let place = Self.place(of: bytes)
        let known = places[place].utf8.withContiguousStorageIfAvailable { $0.elementsEqual(bytes) }
        if known == true { return places[place] }
        let made = String(decoding: bytes, as: UTF8.self)
        places[place] = made
        return made
    }

    /// Names of one kind differ mostly at the end.
    private static func place(of bytes: UnsafeRawBufferPointer) -> Int {
        var hash = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
        hash ^= bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self) &* 0xBF58_476D_1CE4_E5B9
        hash ^= bytes.loadUnaligned(fromByteOffset: bytes.count - 16, as: UInt64.self) &* 0x94D0_49BB_1331_11EB
        return Int(truncatingIfNeeded: hash >> 57)
    }
}
