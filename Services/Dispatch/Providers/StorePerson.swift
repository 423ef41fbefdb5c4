import Foundation
import Postgres

/// Stores a person's data unless the same or a newer version is stored; returns a row if it stored the data.
struct StorePerson: Statement {
    static let sql: SQL = """
        INSERT INTO people (account, version, name, search_name, gender, language, avatar)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (account) DO UPDATE SET version = excluded.version, name = excluded.name,
            search_name = excluded.search_name, gender = excluded.gender, language = excluded.language,
            avatar = excluded.avatar
        WHERE people.version < excluded.version
        RETURNING version
        """
    let account: UUID
    let version: Int
    let name: String
    let searchName: String
    let gender: String?
    let language: String
    let avatar: String?
    func bind(_ bindings: inout Bindings) {
        bindings.append(account, version, name, searchName, gender, language, avatar)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
