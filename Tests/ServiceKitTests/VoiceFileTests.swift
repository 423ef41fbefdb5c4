import TestKit
import Testing

@testable import ServiceKit

@Suite("Voice notes by themselves")
struct VoiceFileTests {
    private static let sound = [UInt8](repeating: 7, count: 300)
    private static let webm: [UInt8] = [0x1a, 0x45, 0xdf, 0xa3, 0x9f] + Array("Bwebm".utf8)
    private static let mp4: [UInt8] = [0, 0, 0, 24] + Array("ftypM4A isom".utf8)

    @Test(
        "N4: a voice note is known by its bytes: Opus in WebM and Ogg, AAC in MP4 and by itself",
        arguments: [
            (FileKind.webm, webm + Array("A_OPUS".utf8) + sound),
            (.ogg, Array("OggS".utf8) + [UInt8](repeating: 0, count: 24) + Array("OpusHead".utf8) + sound),
            (.mp4, mp4 + sound + Array("soun mp4a".utf8)), (.aac, [0xff, 0xf1, 0x50, 0x80] + sound),
        ])
    func kinds(_ kind: FileKind, _ bytes: [UInt8]) throws {
        #expect(FileKind(sniffing: bytes) == kind)
        // It is stored as it is, and is no picture and no paper.
        #expect(try UploadedFile(bytes, of: FileKind.voices, maximumSide: 1).bytes == bytes)
        for kinds in [FileKind.images, FileKind.papers] {
            #expect(throws: FileFault.unreadable) { try UploadedFile(bytes, of: kinds, maximumSide: 100) }
        }
    }

    @Test("N4: a film, another codec and a head that is cut off are no voice notes")
    func others() {
        for bytes in [
            Self.webm + Array("A_OPUS V_VP9".utf8), Self.webm + Array("A_VORBIS".utf8), Array(Self.webm.prefix(4)),
            Self.mp4 + Array("soun mp4a vide avc1".utf8), Self.mp4, Array("OggS".utf8), Array("OggS theora".utf8),
            [0xff, 0xf1], Array("ID3".utf8), Array("RIFF0000WAVE".utf8), [],
        ] {
            #expect(FileKind(sniffing: bytes) == nil)
        }
        #expect(FileKind(sniffing: SampleFiles.jpeg) == .jpeg && FileKind(sniffing: SampleFiles.webp) == .webp)
    }
}
