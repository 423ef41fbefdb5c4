/// The requirements that tests name are those of the catalogue. The same reading as `scripts/requirements`'.
enum RequirementRules {
    static let catalogue = "docs/requirements.md"

    /// The numbers in the catalogue, such as `P3a`, in order.
    static func numbers(in catalogue: SourceFile) -> [String] {
        SourceFile.numbered(catalogue.text).compactMap { line in
            line.text.prefixMatch(of: #/- \*\*([A-Z][0-9]+[a-z]?)\*\* /#).map { String($0.1) }
        }
    }

    /// The numbers that tests' names begin with: one, or several with commas, then a colon.
    static func named(in file: SourceFile) -> [(line: Int, number: String)] {
        guard file.isSwift, file.isIn("Tests") else { return [] }
        let attribute = #/@Test\(\s*$/#
        let name = #/([A-Z][0-9]+[a-z]?(?:, [A-Z][0-9]+[a-z]?)*): /#
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        return file.literals.flatMap { literal -> [(line: Int, number: String)] in
            guard let match = literal.text.prefixMatch(of: name), lines.indices.contains(literal.line - 1) else {
                return []
            }
            // A test's name follows its attribute, on the same line or on the next.
            let line = lines[literal.line - 1]
            let before = literal.line >= 2 ? lines[literal.line - 2] : ""
            let isName =
                line.contains("@Test(\"\(match.1)")
                || (line.drop { $0.isWhitespace }.hasPrefix("\"") && before.contains(attribute))
            return isName ? match.1.split(separator: ", ").map { (literal.line, String($0)) } : []
        }
    }

    static func violations(_ files: [SourceFile]) -> [Violation] {
        guard let catalogue = files.first(where: { $0.path == catalogue }) else { return [] }
        let numbers = numbers(in: catalogue)
        let repeated = Dictionary(grouping: numbers) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
        let known = Set(numbers)
        return repeated.map { Violation(catalogue, "the number \($0) is used twice") }
            + files.flatMap { file in
                named(in: file).filter { !known.contains($0.number) }.map {
                    Violation(file, line: $0.line, "there is no requirement \($0.number)")
                }
            }
    }
}
