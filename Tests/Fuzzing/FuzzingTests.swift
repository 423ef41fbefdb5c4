import Foundation
import Testing

/// The quick form: every input that is kept. `scripts/fuzz-parsers` makes new ones.
@Suite("Parsers of bytes from outside")
struct FuzzingTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    @Test("each parser withstands its seeds and what was found", arguments: Parser.all)
    func kept(_ parser: Parser) throws {
        let inputs = try Self.inputs(parser)
        #expect(!inputs.isEmpty)
        for (name, bytes) in inputs {
            #expect(throws: Never.self, "\(parser): \(name)") { try parser.run(bytes) }
        }
    }

    private static func inputs(_ parser: Parser) throws -> [(name: String, bytes: [UInt8])] {
        try [parser.seeds, "Found/\(parser.name)"].flatMap { path in
            let inputs = folder.appending(path: path)
            guard FileManager.default.fileExists(atPath: inputs.path) else { return [(name: String, bytes: [UInt8])]() }
            return try FileManager.default.contentsOfDirectory(
                at: inputs, includingPropertiesForKeys: [.isRegularFileKey]
            )
            .filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
            .map { ("\(path)/\($0.lastPathComponent)", Array(try Data(contentsOf: $0))) }
        }
    }

    #if SERAI_FUZZ
    /// Runs libFuzzer on one parser, and ends the process.
    @Test("libFuzzer", .enabled(if: ProcessInfo.processInfo.environment["SERAI_FUZZ_PARSER"] != nil))
    func fuzz() { Fuzzer.run() }
    #endif
}
