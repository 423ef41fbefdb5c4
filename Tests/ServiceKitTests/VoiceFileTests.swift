import TestKit
import Testing

@testable import ServiceKit

@Suite("Voice notes by themselves")
struct VoiceFileTests {
    private static func file(_ head: [UInt8], _ words: String, zeros: Int = 0) -> [UInt8] {
        var bytes = head
        bytes.append(contentsOf: [UInt8](repeating: 0, count: zeros))
        bytes.append(contentsOf: words.utf8)
        return bytes
    }

    private static let webm = file([0x1a, 0x45, 0xdf, 0xa3, 0x9f], "Bwebm")
    private static let mp4 = file([0, 0, 0, 24], "ftypM4A isom")
    private static let aac: [UInt8] = [0xff, 0xf1, 0x50, 0x80]

    private struct Sample {
        let kind: FileKind
        let bytes: [UInt8]
    }

    private static let samples: [Sample] = [
        Sample(kind: .webm, bytes: file(webm, "A_OPUS and sound")),
        Sample(kind: .ogg, bytes: file(file([], "OggS"), "OpusHead and sound", zeros: 24)),
        Sample(kind: .mp4, bytes: file(mp4, "soun mp4a and sound")),
        Sample(kind: .aac, bytes: file(aac, "sound and more sound")),
    ]

    @Test(
        "N4: a voice note is known by its bytes: Opus in WebM and Ogg, AAC in MP4 and by itself",
        arguments: 0..<4)
    func kinds(index: Int) throws {
        let bytes = Self.samples[index].bytes
        #expect(FileKind(sniffing: bytes) == Self.samples[index].kind)
        // It is stored as it is, and is no picture and no paper.
        #expect(try UploadedFile(bytes, of: FileKind.voices, maximumSide: 1).bytes == bytes)
        for kinds in [FileKind.images, FileKind.papers] {
            #expect(throws: FileFault.unreadable) { try UploadedFile(bytes, of: kinds, maximumSide: 100) }
        }
    }

    @Test("N4: a film, another codec and a head that is cut off are no voice notes")
    func others() {
        let others: [[UInt8]] = [
            Self.file(Self.webm, "A_OPUS V_VP9"), Self.file(Self.webm, "A_VORBIS"), Self.file([0x1a, 0x45], ""),
            Self.file(Self.mp4, "soun mp4a vide avc1"), Self.mp4, Self.file([], "OggS"), Self.file([], "OggS theora"),
            [0xff, 0xf1], Self.file([], "ID3"), Self.file([], "RIFF0000WAVE"), [],
        ]
        for bytes in others { #expect(FileKind(sniffing: bytes) == nil) }
        #expect(FileKind(sniffing: SampleFiles.jpeg) == .jpeg && FileKind(sniffing: SampleFiles.webp) == .webp)
    }
}
