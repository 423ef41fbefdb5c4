/// The kind of a file by its first bytes: the sender's declaration proves nothing.
public enum FileKind: String, Sendable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"
    case pdf = "application/pdf"
    case webm = "audio/webm"
    case ogg = "audio/ogg"
    case mp4 = "audio/mp4"
    case aac = "audio/aac"

    public static let images: Set<FileKind> = [.jpeg, .png, .webp]
    public static let papers: Set<FileKind> = [.pdf, .jpeg, .png]
    public static let voices: Set<FileKind> = [.webm, .ogg, .mp4, .aac]

    public var mediaType: String { rawValue }

    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .webp: "webp"
        case .pdf: "pdf"
        case .webm: "webm"
        case .ogg: "ogg"
        case .mp4: "m4a"
        case .aac: "aac"
        }
    }

    /// Nil for all other kinds.
    public init?(sniffing bytes: [UInt8]) {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if bytes.starts(with: PNGFile.signature) {
            self = .png
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            self = .webp
        } else if bytes.starts(with: Array("%PDF-1.".utf8)) || bytes.starts(with: Array("%PDF-2.".utf8)) {
            self = .pdf
        } else if let voice = VoiceFile.kind(bytes) {
            self = voice
        } else {
            return nil
        }
    }
}
