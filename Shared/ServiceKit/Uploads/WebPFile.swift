/// Cleans WebP (RFC 9649) with one image: its data, transparency and ICC profile are copied, and of EXIF the
/// orientation. XMP and data after the end are dropped; animations are refused.
enum WebPFile {
    private static let animation: UInt8 = 0x02
    private static let orientationFlag: UInt8 = 0x08
    private static let transparency: UInt8 = 0x10
    private static let profileFlag: UInt8 = 0x20

    static func clean(_ bytes: [UInt8]) throws(FileFault) -> CleanImage {
        var input = FileBytes(bytes)
        guard Array(try input.take(4)) == Array("RIFF".utf8) else { throw .unreadable }
        let length = try input.little(4)
        var chunks = FileBytes(try input.take(length))
        guard Array(try chunks.take(4)) == Array("WEBP".utf8) else { throw .unreadable }
        var (alpha, image, profile, canvas) = ([UInt8](), [UInt8](), [UInt8](), CanvasSize?.none)
        var (orientation, hasAlpha) = (1, false)
        var size: CanvasSize?
        while chunks.left > 0 {
            let name = String(decoding: try chunks.take(4), as: UTF8.self)
            let count = try chunks.little(4)
            let content = Array(try chunks.take(count))
            if count % 2 == 1 { try chunks.skip(1) }
            switch name {
            case "VP8X":
                guard canvas == nil, image.isEmpty else { throw .unreadable }
                canvas = try extended(content)
            case "ICCP":
                guard profile.isEmpty, image.isEmpty, canvas != nil else { throw .unreadable }
                profile = chunk(name, content)
            case "EXIF":
                orientation = EXIFOrientation.read(content) ?? EXIFOrientation.readTIFF(content) ?? orientation
            case "ALPH":
                guard alpha.isEmpty, image.isEmpty, canvas != nil else { throw .unreadable }
                alpha = chunk(name, content)
            case "VP8 ", "VP8L":
                guard image.isEmpty else { throw .unreadable }
                size = try name == "VP8 " ? lossy(content) : lossless(content)
                image = chunk(name, content)
                hasAlpha = name == "VP8L" && content[4] & 0x10 != 0
            case "ANIM", "ANMF": throw .unreadable
            default: continue
            }
        }
        guard let size, canvas == nil || canvas == size else { throw .unreadable }
        let exif = orientation > 1 ? chunk("EXIF", EXIFOrientation.tiff(orientation)) : []
        var header: [UInt8] = []
        if !alpha.isEmpty || !profile.isEmpty || !exif.isEmpty {
            let flags =
                (alpha.isEmpty && !hasAlpha ? 0 : transparency) | (profile.isEmpty ? 0 : profileFlag)
                | (exif.isEmpty ? 0 : orientationFlag)
            header = chunk("VP8X", [flags, 0, 0, 0] + size.bytes)
        }
        let body = Array("WEBP".utf8) + header + profile + alpha + image + exif
        return CleanImage(
            bytes: Array("RIFF".utf8) + little(body.count) + body, width: size.width, height: size.height)
    }

    private struct CanvasSize: Hashable {
        let width: Int
        let height: Int

        /// Three bytes each, minus one.
        var bytes: [UInt8] {
            [width - 1, height - 1].flatMap { side in (0..<3).map { UInt8(side >> (8 * $0) & 0xff) } }
        }
    }

    private static func extended(_ content: [UInt8]) throws(FileFault) -> CanvasSize {
        var input = FileBytes(content)
        guard try input.byte() & animation == 0 else { throw .unreadable }
        try input.skip(3)
        let (width, height) = (try input.little(3) + 1, try input.little(3) + 1)
        guard input.left == 0 else { throw .unreadable }
        return CanvasSize(width: width, height: height)
    }

    /// A key frame of VP8 (RFC 6386, 9.1).
    private static func lossy(_ content: [UInt8]) throws(FileFault) -> CanvasSize {
        var input = FileBytes(content)
        guard try input.little(3) & 1 == 0, try input.big(3) == 0x9d012a else { throw .unreadable }
        let (width, height) = (try input.little(2) & 0x3fff, try input.little(2) & 0x3fff)
        guard width > 0, height > 0 else { throw .unreadable }
        return CanvasSize(width: width, height: height)
    }

    /// RFC 9649, 3.4: 14 bits each, minus one.
    private static func lossless(_ content: [UInt8]) throws(FileFault) -> CanvasSize {
        var input = FileBytes(content)
        guard try input.byte() == 0x2f else { throw .unreadable }
        let bits = try input.little(4)
        guard bits >> 29 == 0 else { throw .unreadable }
        return CanvasSize(width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1)
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + little(content.count) + content + (content.count % 2 == 1 ? [0] : [])
    }

    private static func little(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 0xff) } }
}
