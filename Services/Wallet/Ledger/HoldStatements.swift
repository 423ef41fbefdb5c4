import Foundation
import Postgres

/// Locks holds in id order and returns those that were placed.
struct LockHolds: Statement {
    static let sql: SQL = """
        SELECT id, owner, currency, amount, subject, expires_at, state FROM holds
        WHERE id = ANY ($1) AND state <> 'neverBegan' ORDER BY id FOR NO KEY UPDATE
        """
    let holds: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(holds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Hold {
        Hold(
            id: try row.next(), owner: try row.next(), currency: try row.next(), amount: try row.next(),
            subject: try row.next(), expiresAt: try row.next(), state: try row.choice(Hold.State.self))
    }
}

/// Reserves the ids of holds whose end arrived before their placing. If the hold is being placed concurrently, the
/// statement waits for that transaction and fails with a unique violation; the retried command then finds the hold.
struct ReserveEndedHolds: Statement {
    static let sql: SQL =
        "INSERT INTO holds (id, state, ended_at) SELECT id, 'neverBegan', now() FROM unnest($1::uuid[]) AS ended (id)"
    let holds: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(holds) }
}

struct InsertHolds: Statement {
    static let sql: SQL = """
        INSERT INTO holds (id, owner, currency, amount, subject, expires_at, state, ended_at)
        SELECT *, CASE WHEN state <> 'open' THEN now() END
        FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int8[], $5::uuid[], $6::timestamptz[], $7::text[])
            AS placed (id, owner, currency, amount, subject, expires_at, state)
        """
    let holds: [Hold]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: holds, \.id, \.owner, \.currency, \.amount, \.subject, \.expiresAt, \.state.rawValue)
    }
}

struct EndHolds: Statement {
    static let sql: SQL = """
        UPDATE holds SET state = ended.state, ended_at = now()
        FROM unnest($1::uuid[], $2::text[]) AS ended (id, state) WHERE holds.id = ended.id
        """
    let holds: [Hold]
    func bind(_ bindings: inout Bindings) { bindings.append(columnsOf: holds, \.id, \.state.rawValue) }
}
