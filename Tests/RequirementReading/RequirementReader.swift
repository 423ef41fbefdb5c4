/// Reads which requirements there are, and which of them the names of tests begin with.
public enum RequirementReader {
    /// A requirement of the catalogue.
    public struct Requirement: Sendable, Equatable {
        /// Such as `P3a`.
        public let number: String
        /// Its first line; ends with " …" where there are more.
        public let text: String
    }

    /// A test whose name begins with requirements: `P1, P3a: a sentence`.
    public struct NamedTest: Sendable, Equatable {
        /// Of the name, from 1.
        public let line: Int
        public let numbers: [String]
        public let sentence: String
    }

    /// Those of the catalogue, in order: lines such as `- **P3a** text`, with what is indented below.
    public static func requirements(in catalogue: String) -> [Requirement] {
        var found: [Requirement] = []
        for line in catalogue.split(separator: "\n", omittingEmptySubsequences: false) {
            if let match = line.prefixMatch(of: #/- \*\*([A-Z][0-9]+[a-z]?)\*\* /#) {
                found.append(Requirement(number: String(match.1), text: String(line[match.range.upperBound...])))
            } else if line.hasPrefix("  "), let last = found.popLast() {
                found.append(
                    Requirement(number: last.number, text: last.text.hasSuffix(" …") ? last.text : last.text + " …"))
            }
        }
        return found
    }

    /// The tests of a file whose names begin with requirements. A test's name follows `@Test(`, on the same line or on the
    /// next.
    public static func tests(in source: String) -> [NamedTest] {
        let attribute = #/@Test\(\s*/#
        let name = #/\s*"([A-Z][0-9]+[a-z]?(?:, [A-Z][0-9]+[a-z]?)*): ((?:[^"\\]|\\.)*)"/#
        var found: [NamedTest] = []
        var isNameNext = false
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            // Most lines are neither, and to look for a pattern in each took seconds.
            guard isNameNext || line.utf8.contains(UInt8(ascii: "@")) else { continue }
            guard !line.drop(while: \.isWhitespace).hasPrefix("//") else { continue }
            var rest = line
            if let match = line.firstMatch(of: attribute) {
                rest = line[match.range.upperBound...]
                isNameNext = rest.isEmpty
            } else if isNameNext {
                isNameNext = false
            } else {
                continue
            }
            guard let match = rest.prefixMatch(of: name) else { continue }
            let numbers = match.1.split(separator: ", ").map { String($0) }
            found.append(NamedTest(line: index + 1, numbers: numbers, sentence: String(match.2)))
        }
        return found
    }
}
