import Foundation

extension Migration {
    /// The first words of a migration whose statements run one by one, each committing by itself.
    static let outsideMark = "-- Outside a transaction"

    /// For work that would keep others waiting for long: an index of a large table is built `CONCURRENTLY`, and a
    /// constraint that an earlier migration added as `NOT VALID` is validated. A migration that is killed in the middle
    /// runs again from its beginning.
    public var runsOutsideTransaction: Bool { sql.hasPrefix(Self.outsideMark) }

    /// The statements of a migration that runs outside a transaction.
    /// - Throws: ``MigrationError/notForOutside(migration:statement:)`` for a statement that would block others or
    ///   cannot be repeated.
    func outsideStatements() throws(MigrationError) -> [String] {
        let text = sql.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
        let statements = text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { !$0.isEmpty }
        var dropped: Set<Substring> = []
        for statement in statements {
            let words = statement.split(whereSeparator: \.isWhitespace)
            func begins(_ beginning: String) -> Bool {
                let expected = beginning.split(separator: " ")
                return zip(expected, words).allSatisfy { $0 == $1.uppercased() } && words.count > expected.count
            }
            // An interrupted build leaves an invalid index behind, so the index is dropped before it is built.
            let isAllowed =
                if begins("DROP INDEX CONCURRENTLY IF EXISTS") {
                    dropped.insert(words[5]).inserted
                } else if begins("CREATE INDEX CONCURRENTLY") {
                    dropped.contains(words[3])
                } else if begins("CREATE UNIQUE INDEX CONCURRENTLY") {
                    dropped.contains(words[4])
                } else {
                    begins("ALTER TABLE") && words.count == 6 && words[3].uppercased() == "VALIDATE"
                        && words[4].uppercased() == "CONSTRAINT" || begins("ANALYZE")
                }
            guard isAllowed else { throw .notForOutside(migration: label, statement: statement) }
        }
        return statements
    }
}
