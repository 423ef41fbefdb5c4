/// The camera's orientation, the only part of EXIF that changes how a picture looks: 1 to 8 (TIFF 6.0, tag 274).
enum EXIFOrientation {
    private static let signature = Array("Exif\0\0".utf8)
    private static let tag = 0x0112

    /// Nil when it is missing or malformed: nothing else of the segment is kept anyway.
    static func read(_ segment: [UInt8]) -> Int? {
        guard segment.starts(with: signature) else { return nil }
        return readTIFF(Array(segment.dropFirst(signature.count)))
    }

    /// Reads what JPEG has after the segment's signature, and PNG and WebP have without it.
    static func readTIFF(_ tiff: [UInt8]) -> Int? {
        let isLittle = tiff.starts(with: [0x49, 0x49, 42, 0])
        guard isLittle || tiff.starts(with: [0x4d, 0x4d, 0, 42]) else { return nil }
        func number(_ offset: Int, _ count: Int) -> Int? {
            guard offset >= 0, offset <= tiff.count - count else { return nil }
            let digits = tiff[offset..<offset + count]
            return (isLittle ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
        for index in 0..<count {
            let entry = directory + 2 + 12 * index
            guard let tag = number(entry, 2) else { return nil }
            if tag == Self.tag { return number(entry + 8, 2).flatMap { (1...8).contains($0) ? $0 : nil } }
        }
        return nil
    }

    /// A segment with only the orientation.
    static func write(_ orientation: Int) -> [UInt8] { signature + tiff(orientation) }

    /// Without the segment's signature.
    static func tiff(_ orientation: Int) -> [UInt8] {
        let header: [UInt8] = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8]
        // One entry: tag, type SHORT, one value, then no further directory.
        let entry: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0]
        return header + entry
    }
}
