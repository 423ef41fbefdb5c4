/// Cleans PNG (ISO/IEC 15948): the critical chunks are copied, with transparency, colour calibration and the
/// orientation. An animation becomes its first image; texts, times and data after the end are dropped.
enum PNGFile {
    static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    private static let critical: Set = ["IHDR", "PLTE", "IDAT", "IEND"]
    private static let kept: Set = ["tRNS", "gAMA", "cHRM", "sRGB", "iCCP"]

    static func clean(_ bytes: [UInt8]) throws(FileFault) -> CleanImage {
        var input = FileBytes(bytes)
        guard Array(try input.take(8)) == signature else { throw .unreadable }
        var (head, output, orientation) = (signature, [UInt8](), 1)
        var size: (width: Int, height: Int)?
        var seen: Set<String> = []
        while true {
            let length = try input.big(4)
            let name = Array(try input.take(4))
            let content = Array(try input.take(length))
            let checksum = try input.big(4)
            let type = String(decoding: name, as: UTF8.self)
            guard UInt32(checksum) == CRC32.of(name + content) else { throw .unreadable }
            guard seen.contains("IHDR") || type == "IHDR" else { throw .unreadable }
            guard critical.contains(type) || kept.contains(type) else {
                // A chunk whose name begins with a capital letter must not be skipped.
                guard let first = name.first, first & 0x20 != 0 else { throw .unreadable }
                if type == "eXIf" { orientation = EXIFOrientation.readTIFF(content) ?? orientation }
                continue
            }
            guard type == "IDAT" || !seen.contains(type) else { throw .unreadable }
            seen.insert(type)
            switch type {
            case "IHDR":
                size = try header(content)
                head += chunk(name, content)
            case "iCCP": output += profile(content).map { chunk(name, $0) } ?? []
            default: output += chunk(name, content)
            }
            if type == "IEND" { break }
        }
        guard let size, seen.contains("IDAT") else { throw .unreadable }
        if orientation > 1 { head += chunk(Array("eXIf".utf8), EXIFOrientation.tiff(orientation)) }
        return CleanImage(bytes: head + output, width: size.width, height: size.height)
    }

    /// Drops the profile's name, which a program chose. Nil for data that is no profile.
    private static func profile(_ content: [UInt8]) -> [UInt8]? {
        guard let end = content.prefix(80).firstIndex(of: 0), end > 0 else { return nil }
        return Array("icc".utf8) + content[end...]
    }

    static func chunk(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] {
        func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 0xff) } }
        return big(UInt32(content.count)) + name + content + big(CRC32.of(name + content))
    }

    private static func header(_ content: [UInt8]) throws(FileFault) -> (width: Int, height: Int) {
        var input = FileBytes(content)
        let (width, height) = (try input.big(4), try input.big(4))
        let (depth, colour) = (try input.byte(), try input.byte())
        let (compression, filter, interlace) = (try input.byte(), try input.byte(), try input.byte())
        let depths: [UInt8: Set<UInt8>] = [
            0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
        ]
        guard depths[colour]?.contains(depth) == true, compression == 0, filter == 0, interlace <= 1, input.left == 0,
            width > 0, height > 0
        else { throw .unreadable }
        return (width, height)
    }
}

/// The checksum of PNG's chunks (ISO/IEC 15948, annex D).
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { rest, _ in rest & 1 == 1 ? 0xedb8_8320 ^ (rest >> 1) : rest >> 1 }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xffff_ffff as UInt32) { table[Int(($0 ^ UInt32($1)) & 0xff)] ^ ($0 >> 8) }
    }
}
