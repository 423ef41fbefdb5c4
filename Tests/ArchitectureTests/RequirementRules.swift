import RequirementReading

/// The requirements that tests name are those of the catalogue, as `serai-dev requirements` reads them.
enum RequirementRules {
    static let catalogue = "docs/requirements.md"

    /// The numbers that tests' names begin with.
    static func named(in file: SourceFile) -> [(line: Int, number: String)] {
        guard file.isSwift, file.isIn("Tests") else { return [] }
        return RequirementReader.tests(in: file.text).flatMap { test in test.numbers.map { (test.line, $0) } }
    }

    static func violations(_ files: [SourceFile]) -> [Violation] {
        guard let catalogue = files.first(where: { $0.path == catalogue }) else { return [] }
        let numbers = RequirementReader.requirements(in: catalogue.text).map(\.number)
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
