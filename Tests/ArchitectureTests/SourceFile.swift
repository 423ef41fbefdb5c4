/// One file of the project.
struct SourceFile: Sendable {
    /// From the project's folder, such as `Shared/AMQP/Queue.swift`.
    let path: String
    let text: String
    /// Without comments and literals; for Swift files only.
    let code: String
    /// For Swift files only.
    let literals: [SwiftScanner.Literal]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        guard path.hasSuffix(".swift") else {
            code = ""
            literals = []
            return
        }
        var scanner = SwiftScanner(text)
        scanner.scan()
        code = scanner.code
        literals = scanner.literals
    }

    var isSwift: Bool { path.hasSuffix(".swift") }
    var name: String { String(path.split(separator: "/").last ?? "") }
    var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

    /// Folders from the project's down, such as `["Shared", "AMQP"]`.
    var folders: [String] { path.split(separator: "/").dropLast().map(String.init) }

    func isIn(_ folders: String...) -> Bool { folders.contains { path.hasPrefix($0 + "/") } }

    /// Lines of the code, numbered from 1.
    var codeLines: [(number: Int, text: Substring)] { Self.numbered(code) }

    static func numbered(_ text: String) -> [(number: Int, text: Substring)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0.offset + 1, $0.element) }
    }

    /// A last line without its newline counts too.
    var lineCount: Int { text.utf8.count { $0 == UInt8(ascii: "\n") } + (text.hasSuffix("\n") ? 0 : 1) }
}
