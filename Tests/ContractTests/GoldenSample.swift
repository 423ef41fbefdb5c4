import Foundation
import Messaging
import Testing

/// The JSON of a message as it is written, or as an earlier version wrote it: `Golden`, and `Golden/former`.
struct GoldenSample: Sendable, CustomTestStringConvertible {
    let name: MessageName
    let body: Data
    let testDescription: String

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    static func current(_ name: MessageName) throws -> Data {
        try Data(contentsOf: folder.appending(path: "\(name.text).json"))
    }

    /// Files without their `.json`.
    static func names(in part: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: part).path)
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    /// A message that gained a field more than once has several; the oldest is `<name>.1.json`.
    static let former: [GoldenSample] = {
        let files = (try? names(in: "former")) ?? []
        return files.compactMap { text in
            guard let point = text.lastIndex(of: "."), let name = MessageName(parsing: String(text[..<point])),
                let body = try? Data(contentsOf: folder.appending(path: "former/\(text).json"))
            else { return nil }
            return GoldenSample(name: name, body: body, testDescription: text)
        }
    }()
}
