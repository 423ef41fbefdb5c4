import Foundation

extension Migration {
    /// How the text of a migration begins whose statements run one by one, each committing by itself.
    static let outsideMark = "-- Outside a transaction"

    /// For what would keep others waiting for as long as it takes: an index of a large table is built `CONCURRENTLY`, a
    /// constraint that was added `NOT VALID` by an earlier migration is validated. Killed in its middle it runs again from its
    /// beginning.
    public var runsOutsideTransaction: Bool { sql.hasPrefix(Self.outsideMark) }

    /// The statements of a migration that runs outside a transaction.
    /// - Throws: ``MigrationError/notForOutside(migration:statement:)`` for a statement that others would wait behind, or that
    ///   could not run again.
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
            // An index whose building was broken off stays behind, invalid; so it is dropped before it is built.
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
