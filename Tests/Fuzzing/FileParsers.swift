@testable import ServiceKit

extension Parser {
    /// Pictures, papers and voice notes. What is accepted is cleaned, and cleaning it again changes nothing.
    static let files = Parser(name: "files") { bytes in
        try cleaned(bytes)
        // No change of a PNG's chunk has its checksum by chance.
        if let whole = withChecksums(bytes) { try cleaned(whole) }
        let segment = EXIFOrientation.read(bytes) ?? EXIFOrientation.readTIFF(bytes)
        try require(segment.map { (1...8).contains($0) } ?? true, "the orientation \(segment ?? 0)")
    }

    private static let kinds = Set(FileKind.allCases)

    private static func cleaned(_ bytes: [UInt8]) throws {
        let side = UploadedFile.maximumPictureSide
        let file: UploadedFile
        do throws(FileFault) {
            file = try UploadedFile(bytes, of: kinds, maximumSide: side)
        } catch {
            return
        }
        try require(FileKind(sniffing: bytes) == file.kind, "another kind: \(file.kind)")
        // What is written anew: a header, the orientation and the ends.
        try require(file.bytes.count <= bytes.count + 128, "it has grown to \(file.bytes.count) bytes")
        let again: UploadedFile
        do throws(FileFault) {
            again = try UploadedFile(file.bytes, of: [file.kind], maximumSide: side)
        } catch {
            throw Broken("what is stored is refused: \(error)")
        }
        try require(again == file, "cleaned twice it is another file")
    }

    /// Nil for what is no PNG.
    private static func withChecksums(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: PNGFile.signature) else { return nil }
        var whole = PNGFile.signature
        var rest = bytes.dropFirst(PNGFile.signature.count)
        while rest.count >= 12 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard length <= rest.count - 12 else { break }
            let chunk = rest.dropFirst(4).prefix(4 + length)
            whole += PNGFile.chunk(Array(chunk.prefix(4)), Array(chunk.dropFirst(4)))
            rest = rest.dropFirst(12 + length)
        }
        return whole + rest
    }
}
