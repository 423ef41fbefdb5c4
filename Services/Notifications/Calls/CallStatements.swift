import Foundation
import Messaging
import Postgres

/// Finds a call of one of its parties; no row for others.
struct FindCall: Statement {
    static let sql: SQL = "SELECT \(Call.columns) FROM \(Call.source) WHERE c.id = $1 AND $2 IN (c.caller, c.called)"
    let call: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(call, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Call { try Call(&row) }
}

/// The calls of an account that ring or are taken: one at most.
struct ListRunningCalls: Statement {
    static let sql: SQL = """
        SELECT \(Call.columns) FROM \(Call.source)
        WHERE (c.caller = $1 OR c.called = $1) AND c.state IN ('ringing', 'taken') ORDER BY c.id
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Call { try Call(&row) }
}

/// Locks a call: whoever answers, hangs up and sweeps comes one after the other.
struct LockCall: Statement {
    static let sql: SQL = """
        SELECT \(Call.columns) FROM \(Call.source)
        WHERE c.id = $1 AND ($2::uuid IS NULL OR $2 IN (c.caller, c.called)) FOR UPDATE OF c
        """
    let call: UUID
    /// One of its parties; nil for the sweep.
    let account: UUID?
    func bind(_ bindings: inout Bindings) { bindings.append(call, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Call { try Call(&row) }
}

/// Locks the running calls of accounts, in the order of their ids.
struct LockRunningCalls: Statement {
    static let sql: SQL = """
        SELECT \(Call.columns) FROM \(Call.source)
        WHERE (c.caller = ANY ($1) OR c.called = ANY ($1)) AND c.state IN ('ringing', 'taken')
        ORDER BY c.id FOR UPDATE OF c
        """
    let accounts: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Call { try Call(&row) }
}

/// Serializes the beginnings of an account's calls until the commit, so that it has one at a time. Two accounts are
/// locked in one order, so that two who call each other do not wait for each other.
struct LockCallers: Statement {
    static let sql: SQL = """
        SELECT pg_advisory_xact_lock(hashtextextended('calls ' || account::text, 0))
        FROM (SELECT account FROM unnest($1::uuid[]) AS n (account) ORDER BY account) AS ordered
        """
    let accounts: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
}

/// Counts the calls of one account to another, since a moment, that were not taken: two people may have several orders.
struct CountUnansweredCalls: Statement {
    static let sql: SQL = """
        SELECT count(*) FROM calls WHERE called = $1 AND caller = $2 AND made_at > $3 AND taken_at IS NULL
        """
    let called: UUID
    let caller: UUID
    let since: Date
    func bind(_ bindings: inout Bindings) { bindings.append(called, caller, since) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Inserts a call that rings.
struct InsertCall: Statement {
    static let sql: SQL = """
        INSERT INTO calls (id, conversation, caller, called, state, caller_device, made_at, caller_until, called_until,
            ringing_item)
        VALUES ($1, $2, $3, $4, 'ringing', $5, $6, $7, $7, $8)
        """
    let id: UUID
    let conversation: UUID
    let caller: UUID
    let called: UUID
    let device: UUID
    let now: Date
    let until: Date
    let item: UUID
    func bind(_ bindings: inout Bindings) {
        bindings.append(id, conversation, caller, called, device, now, until, item)
    }
}

/// Stores what has changed of a call that the transaction has locked.
struct StoreCall: Statement {
    static let sql: SQL = """
        UPDATE calls SET state = $2, called_device = $3, offer = $4, answer = $5, taken_at = $6, ended_at = $7,
            caller_until = $8, called_until = $9, order_version = $10, ringing_item = $11
        WHERE id = $1
        """
    let call: Call
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            call.id, call.state.rawValue, call.calledDevice, call.offer, call.answer, call.takenAt, call.endedAt,
            call.callerUntil, call.calledUntil, call.orderVersion, call.ringingItem)
    }
}

/// A candidate of one side.
struct CallCandidate: Sendable {
    let number: Int
    let text: String
}

/// Adds candidates of one side of a running call; those that are there stay as they are.
struct InsertCandidates: Statement {
    static let sql: SQL = """
        INSERT INTO call_candidates (call, by_caller, number, candidate)
        SELECT $1, $2, number, candidate FROM unnest($3::int[], $4::text[]) AS n (number, candidate)
        ON CONFLICT DO NOTHING
        """
    let call: UUID
    let byCaller: Bool
    let candidates: [CallCandidate]
    func bind(_ bindings: inout Bindings) {
        bindings.append(call, byCaller)
        bindings.append(columnsOf: candidates, { Int32($0.number) }, \.text)
    }
}

struct ListCandidates: Statement {
    static let sql: SQL = """
        SELECT number, candidate FROM call_candidates WHERE call = $1 AND by_caller = $2 ORDER BY number
        """
    let call: UUID
    let byCaller: Bool
    func bind(_ bindings: inout Bindings) { bindings.append(call, byCaller) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CallCandidate {
        CallCandidate(number: Int(try row.next(Int32.self)), text: try row.next())
    }
}

struct DeleteCandidates: Statement {
    static let sql: SQL = "DELETE FROM call_candidates WHERE call = $1"
    let call: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(call) }
}

/// Deletes the item that says that somebody calls, with the push messages that wait for it.
struct DeleteRingingItems: Statement {
    static let sql: SQL = "DELETE FROM inbox_items WHERE id = ANY ($1)"
    let items: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(items) }
}

/// Finds running calls that have to be looked at: nothing was heard for too long, a party may not talk any more, or the
/// order has gone on since.
struct FindDoubtfulCalls: Statement {
    static let sql: SQL = """
        SELECT c.id FROM calls AS c JOIN conversations AS t ON t.id = c.conversation
        LEFT JOIN talk_orders AS o ON o.order_id = t.order_id
        WHERE c.state IN ('ringing', 'taken')
            AND (least(c.caller_until, c.called_until) <= $1 OR c.is_barred
                OR o.version IS DISTINCT FROM c.order_version)
        ORDER BY c.id LIMIT $2
        """
    let now: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(now, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Marks the running calls of somebody who is banned in a market (`*`: in all), or is gone; the sweep ends them.
struct BarCalls: Statement {
    static let sql: SQL = """
        UPDATE calls SET is_barred = true WHERE id IN (
            SELECT c.id FROM calls AS c JOIN conversations AS t ON t.id = c.conversation
            WHERE (c.caller = $1 OR c.called = $1) AND c.state IN ('ringing', 'taken') AND $2 IN (t.market, '*')
            ORDER BY c.id FOR UPDATE OF c)
        """
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
}

/// Deletes the calls of an account that are over.
struct DeleteEndedCalls: Statement {
    static let sql: SQL = "DELETE FROM calls WHERE (caller = $1 OR called = $1) AND ended_at IS NOT NULL"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Deletes calls that ended before a moment.
struct PurgeCalls: Statement {
    static let sql: SQL = """
        DELETE FROM calls WHERE id IN (
            SELECT id FROM calls WHERE ended_at < $1 ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}
