/// Rules about whole files.
enum FileRules {
    static let lineLimit = 350

    /// A file that is longer usually holds two things.
    static func length(_ file: SourceFile) -> [Violation] {
        let isSource = [".swift", ".c", ".h", ".sql"].contains { file.path.hasSuffix($0) }
        guard isSource, file.isIn("Shared", "Services", "Tests"), file.lineCount > lineLimit else { return [] }
        return [Violation(file, "\(file.lineCount) lines; at most \(lineLimit)")]
    }

    /// A folder of one machine works on no other. The same pattern as `make lint`'s.
    static func machinePaths(_ file: SourceFile) -> [Violation] {
        let pattern = #/(?:^|[^A-Za-z0-9._~\-])\/(?:home|root|Users|work)\/[A-Za-z]/#
        return SourceFile.numbered(file.text).filter { $0.text.contains("/") && $0.text.contains(pattern) }.map {
            Violation(file, line: $0.number, "names a folder of one machine")
        }
    }

    /// What a document tells to run is a target of the Makefile.
    static func makeTargets(_ files: [SourceFile]) -> [Violation] {
        let makefile = files.first { $0.path == "Makefile" }?.text ?? ""
        let targets = Set(makefile.matches(of: #/(?m)^([a-z][a-z\-]*):/#).map { String($0.1) })
        return files.filter { $0.name.hasSuffix(".md") }.flatMap { file in
            SourceFile.numbered(file.text).flatMap { line in
                line.text.matches(of: #/(?:`|^)make ([a-z][a-z\-]*)(?:`| {2}| #| [A-Z]+=|$)/#).compactMap { told in
                    targets.contains(String(told.1))
                        ? nil : Violation(file, line: line.number, "there is no target \(told.1)")
                }
            }
        }
    }

    /// Migrations are `0001_name.sql`, `0002_name.sql`, … in each folder, without gaps.
    static func migrations(_ files: [SourceFile]) -> [Violation] {
        let migrations = files.filter { $0.folders.last == "Migrations" }
        return Dictionary(grouping: migrations, by: \.folder).sorted { $0.key < $1.key }.flatMap { _, files in
            files.sorted { $0.name < $1.name }.enumerated().compactMap { index, file in
                guard let match = file.name.wholeMatch(of: #/([0-9]{4})_[a-z0-9_]+\.sql/#) else {
                    return Violation(file, "not named like 0001_name.sql")
                }
                return Int(match.1) == index + 1 ? nil : Violation(file, "the next number is \(index + 1)")
            }
        }
    }
}
