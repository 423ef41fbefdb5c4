import Contracts
import Foundation
import Postgres

/// Stores a person unless a newer version or a deletion is stored.
struct UpsertRepublishedPerson: Statement {
    static let sql: SQL = """
        INSERT INTO people (account, version, name, gender, language, registered_at) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (account) DO UPDATE
        SET version = excluded.version, name = excluded.name, gender = excluded.gender, language = excluded.language,
            registered_at = excluded.registered_at
        WHERE people.version <= excluded.version AND people.name <> $7
        """
    let told: AccountsTold.Told
    func bind(_ bindings: inout Bindings) {
        let account = told.account
        bindings.append(
            account.account, account.version, account.name, account.gender?.rawValue, account.language,
            told.registeredAt, AccountSnapshot.goneName)
    }
}

/// Locks people that identity does not have and that were here before it read its rows. Deleted accounts stay as they
/// are.
struct LockUntoldPeople: Statement {
    static let sql: SQL = """
        SELECT account, version FROM people
        WHERE ($1::uuid IS NULL OR account > $1) AND ($2::uuid IS NULL OR account <= $2)
            AND account <> ALL ($3::uuid[]) AND heard_at < $4 AND name <> $5
        ORDER BY account FOR UPDATE
        """
    let message: AccountsTold
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            message.range.after, message.range.through, message.accounts.map(\.account.account),
            message.range.surelyKnown, AccountSnapshot.goneName)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (account: UUID, version: Int) {
        (try row.next(), try row.next())
    }
}

/// Deletes roles of accounts that do not exist.
struct DeleteStrayRoles: Statement {
    static let sql: SQL = """
        DELETE FROM people_of_markets AS m
        WHERE ($1::uuid IS NULL OR m.account > $1) AND ($2::uuid IS NULL OR m.account <= $2)
            AND NOT EXISTS (SELECT FROM people WHERE people.account = m.account)
        """
    let range: ToldRange
    func bind(_ bindings: inout Bindings) { bindings.append(range.after, range.through) }
}
