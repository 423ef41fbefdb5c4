/// Cleans JPEG (ITU-T T.81), baseline, extended and progressive: tables, frame and scans are copied; of the application
/// segments only those that change colours (JFIF, ICC profile, Adobe) and the orientation. Data after the end of the
/// image is dropped.
enum JPEGFile {
    private enum Marker {
        static let end: UInt8 = 0xd9
        static let scan: UInt8 = 0xda
        static let frames: ClosedRange<UInt8> = 0xc0...0xc2
        /// Huffman tables, quantisation tables, restart interval.
        static let tables: Set<UInt8> = [0xc4, 0xdb, 0xdd]
        static let restarts: ClosedRange<UInt8> = 0xd0...0xd7
        static let jfif: UInt8 = 0xe0
        static let exif: UInt8 = 0xe1
        static let profile: UInt8 = 0xe2
        static let adobe: UInt8 = 0xee
        /// Application segments and comments.
        static let ancillary: Set<UInt8> = Set(0xe0...0xef).union([0xfe])
    }

    static func clean(_ bytes: [UInt8]) throws(FileFault) -> CleanImage {
        var input = FileBytes(bytes)
        guard try input.big(2) == 0xffd8 else { throw .unreadable }
        var head: [UInt8] = [0xff, 0xd8]
        var body: [UInt8] = []
        var size: (width: Int, height: Int)?
        var (hasScan, hasJFIF, orientation, profile, adobe) = (false, false, 1, [UInt8](), [UInt8]())
        while true {
            let marker = try nextMarker(&input)
            if marker == Marker.end { break }
            let length = try input.big(2)
            let content = Array(try input.take(length - 2))
            if Marker.ancillary.contains(marker) {
                hasJFIF = hasJFIF || marker == Marker.jfif && content.starts(with: Array("JFIF\0".utf8))
                if marker == Marker.exif { orientation = EXIFOrientation.read(content) ?? orientation }
                // ICC.1, annex B.4: a large profile has several segments, each with its number.
                if marker == Marker.profile, content.starts(with: Array("ICC_PROFILE\0".utf8)), content.count > 14 {
                    profile += segment(marker, content)
                }
                if marker == Marker.adobe, content.starts(with: Array("Adobe".utf8)), content.count >= 12 {
                    adobe = segment(marker, Array(content.prefix(12)))
                }
                continue
            }
            if Marker.frames.contains(marker) {
                guard size == nil else { throw .unreadable }
                size = try frame(content)
            } else if marker != Marker.scan, !Marker.tables.contains(marker) {
                throw .unreadable
            }
            body += segment(marker, content)
            if marker == Marker.scan {
                guard size != nil else { throw .unreadable }
                hasScan = true
                body += try entropyCoded(&input)
            }
        }
        guard let size, hasScan else { throw .unreadable }
        if hasJFIF { head += segment(Marker.jfif, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]) }
        if orientation > 1 { head += segment(Marker.exif, EXIFOrientation.write(orientation)) }
        return CleanImage(
            bytes: head + profile + adobe + body + [0xff, Marker.end], width: size.width, height: size.height)
    }

    /// Skips fill bytes.
    private static func nextMarker(_ input: inout FileBytes) throws(FileFault) -> UInt8 {
        guard try input.byte() == 0xff else { throw .unreadable }
        var marker = try input.byte()
        while marker == 0xff { marker = try input.byte() }
        return marker
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + content
    }

    /// Precision of 8 bits; one, three or four colour components; the height must be given here and not later.
    private static func frame(_ content: [UInt8]) throws(FileFault) -> (width: Int, height: Int) {
        var input = FileBytes(content)
        guard try input.byte() == 8 else { throw .unreadable }
        let height = try input.big(2)
        let width = try input.big(2)
        let components = Int(try input.byte())
        guard height > 0, width > 0, [1, 3, 4].contains(components), input.left == 3 * components else {
            throw .unreadable
        }
        return (width, height)
    }

    /// Reads to the next marker that is no restart. In the data each 0xff is followed by 0.
    private static func entropyCoded(_ input: inout FileBytes) throws(FileFault) -> [UInt8] {
        let rest = input.bytes
        let start = rest.startIndex + input.position
        var index = start
        while true {
            guard index + 1 < rest.endIndex else { throw .unreadable }
            if rest[index] == 0xff {
                let next = rest[index + 1]
                guard next == 0 || Marker.restarts.contains(next) else { break }
                index += 2
            } else {
                index += 1
            }
        }
        try input.skip(index - start)
        return Array(rest[start..<index])
    }
}
