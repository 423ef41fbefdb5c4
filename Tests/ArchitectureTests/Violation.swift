/// A place in the project that breaks a rule.
struct Violation: Equatable, CustomStringConvertible {
    /// From the project's folder.
    let path: String
    /// 1 is the first; nil when the whole file is meant.
    let line: Int?
    let reason: String

    init(_ file: SourceFile, line: Int? = nil, _ reason: String) {
        self.path = file.path
        self.line = line
        self.reason = reason
    }

    var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(reason)" }
}
