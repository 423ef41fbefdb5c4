import Foundation
import TestKit
import Testing

@testable import ServiceKit

@Suite("Files by themselves")
struct FileTests {
    private func clean(_ bytes: [UInt8], _ kinds: Set<FileKind> = FileKind.images) throws(FileFault) -> UploadedFile {
        try UploadedFile(bytes, of: kinds, maximumSide: UploadedFile.maximumPictureSide)
    }

    private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        Data(bytes).range(of: Data(text.utf8)) != nil
    }

    private static let pictures: [(FileKind, [UInt8])] = [
        (.jpeg, SampleFiles.jpeg), (.png, SampleFiles.png), (.webp, SampleFiles.webp), (.webp, SampleFiles.lossyWebP),
    ]

    @Test("I6: of a picture only what shows it is kept: no maker, place, time or comment", arguments: 0..<4)
    func metadata(index: Int) throws {
        let (kind, bytes) = Self.pictures[index]
        #expect(SampleFiles.secrets.contains { contains(bytes, $0) })
        let file = try clean(bytes)
        #expect(file.kind == kind)
        for secret in SampleFiles.secrets { #expect(!contains(file.bytes, secret)) }
        #expect(file.bytes.count < bytes.count)
        // What was cleaned is a picture of the same size, and clean.
        #expect(try clean(file.bytes) == file)
    }

    @Test("I6: how the camera was held is kept: without it the picture would lie on its side")
    func orientation() throws {
        #expect(EXIFOrientation.read(EXIFOrientation.write(6)) == 6)
        let bytes = try clean(SampleFiles.jpeg).bytes
        let start = try #require(Data(bytes).range(of: Data("Exif\0\0".utf8)))
        #expect(EXIFOrientation.read(Array(bytes[start.lowerBound...])) == 6)
        for wrong in [[], [0x49, 0x49, 42, 0, 0xff, 0xff, 0xff, 0x7f], [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0xff, 0xff]] {
            #expect(EXIFOrientation.read(Array("Exif\0\0".utf8) + wrong.map { UInt8($0) }) == nil)
        }
    }

    @Test("I6: the orientation of a PNG and of a WebP is kept, and nothing else of their EXIF")
    func orientationOfOthers() throws {
        for bytes in [SampleFiles.png, SampleFiles.webp, SampleFiles.lossyWebP] {
            let file = Data(try clean(bytes).bytes)
            #expect(file.range(of: Data(EXIFOrientation.tiff(6))) != nil)
            #expect(file.range(of: Data(file.starts(with: Data("RIFF".utf8)) ? "EXIF".utf8 : "eXIf".utf8)) != nil)
        }
    }

    @Test("I6: a picture keeps its ICC profile, without which its colours are others, but not the profile's name")
    func profiles() throws {
        let profile = Array("profile of colours".utf8)
        let jpeg =
            Array(SampleFiles.jpeg.prefix(2)) + [0xff, 0xe2, 0, UInt8(2 + 14 + profile.count)]
            + Array("ICC_PROFILE\0".utf8) + [1, 1] + profile + SampleFiles.jpeg.dropFirst(2)
        let png =
            Array(SampleFiles.png.prefix(33))
            + PNGFile.chunk(Array("iCCP".utf8), Array("Secret name\0".utf8) + [0] + profile)
            + SampleFiles.png.dropFirst(33)
        var body = Array(SampleFiles.webp.dropFirst(8))
        // Behind WEBP and the extended header of 18 bytes.
        body.insert(contentsOf: Array("ICCP".utf8) + [UInt8(profile.count), 0, 0, 0] + profile, at: 4 + 18)
        let webp = Array("RIFF".utf8) + (0..<4).map { UInt8(body.count >> (8 * $0) & 0xff) } + body
        for bytes in [jpeg, png, webp] {
            let file = try clean(bytes)
            #expect(contains(file.bytes, "profile of colours"))
            #expect(!contains(file.bytes, "Secret"))
            #expect(try clean(file.bytes) == file)
        }
        // RFC 9649, 2.7: the header says that there is a profile.
        let cleaned = try clean(webp).bytes
        #expect(cleaned[20] & 0x20 != 0 && cleaned[20] & 0x08 != 0)
    }

    @Test("P10: a limit is said in numbers")
    func limits() throws {
        let catalogue = try ProblemCatalogue.common()
        for (problem, words) in [
            (FileFault.tooManyPixels(maximumSide: 4_096).problem, "4096"),
            (Problem.bodyTooLarge(limitBytes: 5_242_880), "5 MB"),
            (Problem.bodyTooLarge(limitBytes: 262_144), "256 kB"),
        ] {
            let detail = catalogue.text("problem.\(problem.slug).detail", in: .english, problem.arguments)
            #expect(detail?.contains(words) == true, "\(detail ?? "")")
        }
    }

    @Test("I6: what lies behind the end of a picture is not kept", arguments: 0..<4)
    func trailing(index: Int) throws {
        let bytes = Self.pictures[index].1
        #expect(try clean(bytes + Array("<script>alert(1)</script>".utf8)) == clean(bytes))
    }

    @Test("I6: a picture that is cut off anywhere is refused, and nothing crashes", arguments: 0..<4)
    func cutOff(index: Int) throws {
        let bytes = Self.pictures[index].1
        let whole = try clean(bytes)
        for length in 0..<bytes.count {
            // What is missing may be what is left out anyway, behind a PNG's or a WebP's picture; never part of it.
            do throws(FileFault) {
                let file = try clean(Array(bytes.prefix(length)))
                #expect(file == whole, "\(length)")
            } catch {
                #expect(error == .unreadable)
            }
        }
    }

    @Test("I6: no change of bytes crashes what reads pictures")
    func noise() throws {
        var random = SeededGenerator()
        print(random)
        for (_, bytes) in Self.pictures {
            for _ in 0..<200 {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                // Either is right; that it comes back is what is asked.
                _ = try? clean(changed)
            }
        }
    }

    @Test(
        "I7: a file that is not what it says is refused",
        arguments: [
            "", "GIF89a", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<html>", "MZ\u{0}", "%PDF-1.4 without an end",
            "RIFF\u{4}\u{0}\u{0}\u{0}WEBP", "RIFF\u{4}\u{0}\u{0}\u{0}WAVE", " %PDF-1.4\n%%EOF",
        ])
    func lies(text: String) {
        for kinds in [FileKind.images, FileKind.papers] {
            #expect(throws: FileFault.unreadable) { try clean(Array(text.utf8), kinds) }
        }
    }

    @Test("I7: documents are PDF, JPEG and PNG; pictures of people are JPEG, PNG and WebP")
    func kinds() throws {
        #expect(try clean(SampleFiles.pdf, FileKind.papers).bytes == SampleFiles.pdf)
        #expect(throws: FileFault.unreadable) { try clean(SampleFiles.pdf) }
        #expect(throws: FileFault.unreadable) { try clean(SampleFiles.webp, FileKind.papers) }
        #expect(try clean(SampleFiles.jpeg, FileKind.papers).kind == .jpeg)
    }

    @Test("I6: pictures of too many pixels are refused, however small their files are")
    func pixels() throws {
        for bytes in Self.pictures.map(\.1) {
            #expect(throws: FileFault.tooManyPixels(maximumSide: 15)) {
                try UploadedFile(bytes, of: FileKind.images, maximumSide: 15)
            }
        }
    }

    @Test("I6: a PNG whose checksum is wrong, and one with a chunk that nobody may skip, are refused")
    func chunks() throws {
        var broken = SampleFiles.png
        broken[broken.count - 1] ^= 1
        #expect(throws: FileFault.unreadable) { try clean(broken) }
        let unknown = PNGFile.chunk(Array("EVIL".utf8), [1])
        #expect(throws: FileFault.unreadable) {
            try clean(Array(SampleFiles.png.prefix(33)) + unknown + SampleFiles.png.dropFirst(33))
        }
        #expect(CRC32.of(Array("123456789".utf8)) == 0xcbf4_3926)
    }
}
