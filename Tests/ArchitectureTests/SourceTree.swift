import Foundation

/// The files that people wrote for this project.
struct SourceTree: Sendable {
    let files: [SourceFile]

    /// Read once for all tests.
    static func project() throws -> SourceTree { try read.get() }

    private static let read = Result { try SourceTree(readingFrom: projectFolder()) }

    private static let roots = [
        "Shared", "Services", "Tests", "scripts", "deploy", "docs", ".ci", "Package.swift", "Makefile", "README.md",
        "CONTRIBUTING.md",
    ]

    init(files: [SourceFile]) { self.files = files }

    private init(readingFrom project: URL) throws {
        var files: [SourceFile] = []
        for root in Self.roots {
            for path in try Self.regularFiles(root, in: project) {
                let data = try Data(contentsOf: project.appending(path: path))
                // What is no text, such as a picture in the documents, has no rules here.
                guard let text = String(data: data, encoding: .utf8) else { continue }
                files.append(SourceFile(path: path, text: text))
            }
        }
        self.files = files
    }

    /// Paths from the project's folder, in order.
    private static func regularFiles(_ root: String, in project: URL) throws -> [String] {
        let start = project.appending(path: root).path(percentEncoded: false)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: start, isDirectory: &isFolder) else { return [] }
        guard isFolder.boolValue else { return [root] }
        return try FileManager.default.subpathsOfDirectory(atPath: start).sorted().map { "\(root)/\($0)" }.filter {
            var isFolder: ObjCBool = false
            let path = project.appending(path: $0).path(percentEncoded: false)
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }
    }

    /// The folder above this file that has the package and its scripts.
    private static func projectFolder() throws -> URL {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while folder.path() != "/" {
            let isProject = ["Package.swift", "scripts/run"].allSatisfy {
                FileManager.default.fileExists(atPath: folder.appending(path: $0).path(percentEncoded: false))
            }
            if isProject { return folder }
            folder.deleteLastPathComponent()
        }
        throw NoProject(startedAt: #filePath)
    }

    struct NoProject: Error { let startedAt: String }

    var swift: [SourceFile] { files.filter(\.isSwift) }

    /// Swift files of the shared layers and the services.
    var sources: [SourceFile] { swift.filter { $0.isIn("Shared", "Services") } }

    func violations(_ rule: (SourceFile) -> [Violation]) -> [Violation] { files.flatMap(rule) }
}
