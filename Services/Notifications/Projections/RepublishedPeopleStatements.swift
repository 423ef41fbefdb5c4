import Contracts
import Foundation
import Postgres

/// Stores people like ``StorePeople``, but accepts an equal version, too, and skips deleted accounts.
struct UpsertRepublishedPeople: Statement {
    static let sql: SQL = """
        WITH stored AS (
            INSERT INTO people AS p (account, language, version, muted)
            SELECT account, language, version, string_to_array(muted, ' ')
            FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[]) AS told (account, language, version, muted)
            ORDER BY account
            ON CONFLICT (account) DO UPDATE
                SET language = EXCLUDED.language, version = EXCLUDED.version, muted = EXCLUDED.muted
            WHERE p.version <= EXCLUDED.version AND p.language <> ''
            RETURNING account
        ), \(MarketPerson.storing)
        """
    let told: AccountsTold
    func bind(_ bindings: inout Bindings) {
        let accounts = told.accounts.map(\.account)
        bindings.append(columnsOf: accounts, \.account, \.language, \.version, \.mutedText)
        MarketPerson.bind(accounts, &bindings)
    }
}

/// Resets the versions of a batch of rows, so that the next republished snapshot replaces them. Deleted accounts stay
/// deleted.
struct ResetPeopleVersions: Statement {
    static let limit = 500
    static let sql: SQL = """
        UPDATE people SET version = 0 WHERE account IN (
            SELECT account FROM people WHERE version <> 0 AND language <> '' ORDER BY account LIMIT $1 FOR UPDATE)
        """
    func bind(_ bindings: inout Bindings) { bindings.append(Self.limit) }
}
