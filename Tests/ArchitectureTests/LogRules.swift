/// What a service says from the level `notice` on stands in the reference, with its level.
enum LogRules {
    static let reference = "docs/logs.md"

    /// Messages with their levels. A level that is only known when the program runs is empty.
    static func said(in file: SourceFile) -> [(message: String, levels: Set<String>)] {
        guard file.isSwift, file.isIn("Shared", "Services"),
            !file.isIn("Shared/TestKit", "Shared/LocalPlatform", "Services/Sandbox")
        else { return [] }
        var found: [(String, Set<String>)] = []
        for match in file.text.matches(
            of: #/\b(?:\w*ogger\??\.|log\(\s*\.)(notice|warning|error|critical)(?:\(|,)\s*"((?:[^"\\]|\\.)*)"/#
                // A point ends a word.
                .wordBoundaryKind(.simple))
        {
            found.append((String(match.2), [String(match.1)]))
        }
        // With a level that depends on something: as argument `level:`, or of a function beside it.
        for match in file.text.matches(
            of: #/\blog\(\s*(level: )?([^"()]*(?:\([^"()]*\))?[^"()]*),\s*"((?:[^"\\]|\\.)*)"/#.wordBoundaryKind(
                .simple))
        where match.1 != nil || match.2.contains("?") {
            let levels = match.2.matches(of: #/\.(notice|warning|error|critical)\b/#).map { String($0.1) }
            found.append((String(match.3), Set(levels)))
        }
        // Work that is repeated logs its failure as a warning, and so does `log` with nothing but a text.
        for match in file.text.matches(
            of: #/(?:orLog:|\blog\(|\.again\(\s*every: [^"]*?,)\s*"((?:[^"\\]|\\.)*)"/#.wordBoundaryKind(.simple))
        {
            found.append((String(match.1), ["warning"]))
        }
        return found.map { ($0.0.replacing("\\'", with: "'"), $0.1) }
    }

    static func documented(in text: String) -> [(message: String, levels: Set<String>)] {
        text.matches(of: #/(?m)^\| `([^`]+)` \| ([a-z, ]+) \|/#).map { match in
            (String(match.1), Set(match.2.split(separator: ", ").map(String.init)))
        }
    }

    static func violations(_ files: [SourceFile]) -> [Violation] {
        guard let page = files.first(where: { $0.path == reference }) else { return [] }
        let rows = documented(in: page.text)
        let told = Dictionary(rows.map { ($0.message, $0.levels) }) { first, _ in first }
        var found = told.count < rows.count ? [Violation(page, "a message stands there twice")] : []
        var said: Set<String> = []
        for file in files {
            for (message, levels) in LogRules.said(in: file) {
                said.insert(message)
                if told[message]?.isSuperset(of: levels) != true {
                    let words = levels.sorted().joined(separator: ", ")
                    found.append(Violation(file, "\(reference) does not have \"\(message)\" (\(words))"))
                }
            }
        }
        for message in told.keys.sorted() where !said.contains(message) {
            found.append(Violation(page, "nobody says \"\(message)\""))
        }
        return found
    }
}
