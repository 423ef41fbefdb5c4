public import Postgres

/// Searches what a service has stored for words, whatever the table and the column: what must not be kept of somebody.
public enum StoredWords {
    /// - Parameters:
    ///   - word: compared without regard to case.
    ///   - tables: tables that may have it, such as messages that are kept for a time.
    /// - Returns: `table.column` for each text, list or JSON column of the schema that has the word in some row, in order.
    public static func columns(
        with word: String, besides tables: Set<String> = ["outbox", "inbox"], in pool: PostgresPool
    ) async throws -> [String] {
        try await pool.query(FindColumns(word: word)).filter { column in
            !tables.contains(String(column.prefix { $0 != "." }))
        }
    }

    private struct FindColumns: Statement {
        static let sql: SQL = """
            SELECT known.table_name || '.' || known.column_name
            FROM information_schema.columns AS known
            JOIN information_schema.tables AS kept USING (table_schema, table_name)
            WHERE kept.table_type = 'BASE TABLE' AND known.table_schema = current_schema()
                AND known.data_type IN ('text', 'character varying', 'json', 'jsonb', 'ARRAY')
                AND query_to_xml(
                    format(
                        'SELECT true AS found FROM %I.%I AS t WHERE strpos(lower(t.%I::text), lower(%L)) > 0 LIMIT 1',
                        known.table_schema, known.table_name, known.column_name, $1::text),
                    false, false, '')::text LIKE '%<found>%'
            ORDER BY 1
            """
        let word: String
        func bind(_ bindings: inout Bindings) { bindings.append(word) }
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }
}
