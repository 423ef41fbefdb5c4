import Foundation
import Postgres
import SeraiJSON

struct InsertDeletion: Statement {
    static let sql: SQL = """
        INSERT INTO deletions (id, account, version, asked_by, market, state, asked_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """
    let deletion: Deletion

    func bind(_ bindings: inout Bindings) {
        bindings.append(deletion.id, deletion.account, deletion.version)
        if case .admin(let admin, let market) = deletion.word {
            bindings.append(admin, market)
        } else {
            bindings.append(UUID?.none, String?.none)
        }
        bindings.append(deletion.state.rawValue, deletion.askedAt)
    }
}

/// A deletion without the services' answers.
struct DeletionRow: Sendable {
    let deletion: UUID
    let account: UUID
    let version: Int
    let word: Deletion.Word
    let state: Deletion.State
    let isGivenUp: Bool
    let askedAt: Date
    let decidedAt: Date?

    init(_ row: inout RowReader) throws(PostgresError) {
        deletion = try row.next()
        account = try row.next()
        version = try row.next()
        let admin = try row.next(UUID?.self)
        let market = try row.next(String?.self)
        word = if let admin, let market { .admin(admin, market: market) } else { .owner }
        // A CHECK constraint of the table allows known states only.
        state = Deletion.State(rawValue: try row.next()) ?? .refused
        isGivenUp = try row.next()
        askedAt = try row.next()
        decidedAt = try row.next()
    }

    func deletion(_ answers: [FindDeletionAnswers.Row]) -> Deletion {
        Deletion(
            id: deletion, account: account, version: version, word: word, askedAt: askedAt, state: state,
            answers: Dictionary(answers.compactMap { row in row.service.map { ($0, row.answer) } }) { first, _ in first
            },
            isGivenUp: isGivenUp)
    }
}

/// Finds a deletion. The caller holds the account's lock, which all changes of its deletions take first.
struct FindDeletion: Statement {
    static let sql: SQL = """
        SELECT id, account, version, asked_by, market, state, given_up, asked_at, decided_at
        FROM deletions WHERE id = $1
        """
    let deletion: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(deletion) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> DeletionRow { try DeletionRow(&row) }
}

/// The account's last deletion.
struct FindLastDeletion: Statement {
    static let sql: SQL = """
        SELECT id, account, version, asked_by, market, state, given_up, asked_at, decided_at
        FROM deletions WHERE account = $1 ORDER BY asked_at DESC, id DESC LIMIT 1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> DeletionRow { try DeletionRow(&row) }
}

struct FindDeletionAnswers: Statement {
    static let sql: SQL = "SELECT service, obstacles, orders, owed::text FROM deletion_answers WHERE deletion = $1"
    let deletion: UUID

    struct Row: Sendable {
        /// Nil for a service that only a later version of the program knows.
        let service: Deletion.Service?
        let answer: Deletion.Answer
    }

    func bind(_ bindings: inout Bindings) { bindings.append(deletion) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            service: Deletion.Service(rawValue: try row.next()),
            answer: Deletion.Answer(
                obstacles: try row.next(), orders: try row.next(), owed: Self.owed(try row.next())))
    }

    private static func owed(_ json: String) -> [Deletion.Owed] {
        // try?: it was written by `PutDeletionAnswer`.
        (try? JSON.stored.decode([Deletion.Owed].self, json.utf8)) ?? []
    }
}

struct PutDeletionAnswer: Statement {
    static let sql: SQL = """
        INSERT INTO deletion_answers (deletion, service, obstacles, orders, owed) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (deletion, service) DO NOTHING
        """
    let deletion: UUID
    let service: Deletion.Service
    let answer: Deletion.Answer

    func bind(_ bindings: inout Bindings) {
        // try?: plain values always encode.
        let owed = PostgresJSON((try? JSON.stored.encode(answer.owed)) ?? Array("[]".utf8))
        bindings.append(deletion, service.rawValue, answer.obstacles, answer.orders, owed)
    }
}

struct DecideDeletion: Statement {
    static let sql: SQL = "UPDATE deletions SET state = $2, given_up = $3, decided_at = $4 WHERE id = $1"
    let deletion: Deletion
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(deletion.id, deletion.state.rawValue, deletion.isGivenUp, now)
    }
}

/// Deletes the account with all rows that refer to it: every table of this service with personal data has a foreign key
/// to it.
struct DeleteAccount: Statement {
    static let sql: SQL = "DELETE FROM accounts WHERE id = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct PurgeDeletions: Statement {
    static let sql: SQL = """
        DELETE FROM deletions WHERE id IN (
            SELECT id FROM deletions WHERE decided_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}

/// The time of the login that began a session, while the session runs.
struct FindLoginTime: Statement {
    static let sql: SQL =
        "SELECT created_at FROM sessions WHERE id = $1 AND account = $2 AND ended_at IS NULL"
    let session: UUID
    let account: UUID

    func bind(_ bindings: inout Bindings) { bindings.append(session, account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Date { try row.next() }
}
