/// A file as it is stored: its kind is found in its bytes, and of an image only the parts needed to show it are kept.
/// Places, devices and times that cameras write into pictures are dropped.
public struct UploadedFile: Hashable, Sendable {
    /// The limit of an image's width and height.
    public static let maximumPictureSide = 4_096
    public static let maximumPaperSide = 16_384

    public let kind: FileKind
    public let bytes: [UInt8]

    /// - Parameters:
    ///   - kinds: the allowed kinds.
    ///   - maximumSide: in pixels.
    /// - Throws: ``FileFault``.
    public init(_ bytes: [UInt8], of kinds: Set<FileKind>, maximumSide: Int) throws(FileFault) {
        guard let kind = FileKind(sniffing: bytes), kinds.contains(kind) else { throw .unreadable }
        let image: CleanImage
        switch kind {
        case .jpeg: image = try JPEGFile.clean(bytes)
        case .png: image = try PNGFile.clean(bytes)
        case .webp: image = try WebPFile.clean(bytes)
        case .pdf:
            guard Self.isWholePDF(bytes) else { throw .unreadable }
            image = CleanImage(bytes: bytes, width: 1, height: 1)
        case .webm, .ogg, .mp4, .aac: image = CleanImage(bytes: bytes, width: 1, height: 1)
        }
        guard image.width > 0, image.height > 0 else { throw .unreadable }
        guard image.width <= maximumSide, image.height <= maximumSide else {
            throw .tooManyPixels(maximumSide: maximumSide)
        }
        self.kind = kind
        self.bytes = image.bytes
    }

    /// A PDF ends with `%%EOF`, followed only by bytes that a reader skips (ISO 32000-1, annex H.3).
    private static func isWholePDF(_ bytes: [UInt8]) -> Bool {
        let end = Array("%%EOF".utf8)
        let tail = Array(bytes.suffix(1_024))
        guard tail.count >= end.count else { return false }
        return (0...(tail.count - end.count)).contains { tail[$0..<$0 + end.count].elementsEqual(end) }
    }
}

/// An image with only the parts needed to show it.
struct CleanImage: Hashable, Sendable {
    let bytes: [UInt8]
    /// In pixels.
    let width: Int
    let height: Int
}
