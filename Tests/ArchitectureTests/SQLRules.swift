/// SQL in Swift is a literal in a statement's type, so that no input can become part of it. The type `SQL` takes no other
/// parts than such literals.
enum SQLRules {
    /// Files that may put names into SQL's text, since parameters cannot stand for names, and the reason.
    static let exceptions = [
        "Shared/LocalPlatform/Chaos/ChaosChecks.swift":
            "by psql; a schema's name is no parameter, and all stand in the code",
        "Shared/LocalPlatform/Chaos/DatabaseFaults.swift":
            "by psql, which takes no parameters; the services' names stand in the code",
        "Shared/LocalPlatform/Restoring/Beats.swift": "by psql; a number that is counted there",
        "Shared/Postgres/Migrator.swift":
            "runs the texts of migration files; the schema's name is configuration and is quoted",
        "Shared/Postgres/PostgresListener.swift": "LISTEN takes no parameter; the channel's name is quoted",
        "Shared/Postgres/PostgresConnection+Script.swift": "the way there for the two above and for TestKit",
        "Shared/TestKit/Servers/TestDatabase.swift":
            "CREATE, ALTER and DROP DATABASE take no parameters; the names are made there",
    ]

    /// A text that begins like SQL and has something put into it, and scripts run from a text.
    static func interpolation(_ file: SourceFile) -> [Violation] {
        guard file.isSwift, file.isIn("Shared", "Services") else { return [] }
        let verb =
            #/\s*(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|CREATE|ALTER|DROP|TRUNCATE|COPY|LISTEN|UNLISTEN|NOTIFY|GRANT|REVOKE|LOCK|SET|RESET|BEGIN|COMMIT|ROLLBACK|CALL|DO|VACUUM|ANALYZE|REINDEX|EXPLAIN|DECLARE|FETCH)\b/#
        let checked = Set(
            file.codeLines.filter { $0.text.contains(#/\blet\s+\w+\s*:\s*SQL\s*=/#) }.map(\.number))
        let texts = file.literals.filter {
            $0.isInterpolated && !checked.contains($0.line) && $0.text.prefixMatch(of: verb) != nil
        }.map {
            Violation(file, line: $0.line, "something is put into the text of SQL; use a parameter")
        }
        // Unicode's own word boundaries see one word in `connection.runScript`.
        let script = #/\b(?:runScript|runOutsideTransaction)\s*\(/#.wordBoundaryKind(.simple)
        let scripts = file.codeLines.filter { $0.text.contains(script) }.map {
            Violation(file, line: $0.number, "SQL that is no statement type")
        }
        return texts + scripts
    }

    /// The text of a statement type is an `SQL`, which the compiler only makes of literals.
    static func staticText(_ file: SourceFile) -> [Violation] {
        guard file.isSwift, file.isIn("Shared", "Services") else { return [] }
        return file.codeLines.filter {
            $0.text.contains(#/\bstatic\s+(?:let|var)\s+sql\b/#)
                && !$0.text.contains(#/\bstatic\s+(?:let|var)\s+sql\s*:\s*SQL\b/#)
        }.map { Violation(file, line: $0.number, "the text of a statement is an SQL") }
    }
}
