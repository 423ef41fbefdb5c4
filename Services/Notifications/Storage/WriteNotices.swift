import Foundation
import Postgres

/// Writes what many accounts are told: numbers it, and puts items into inboxes.
///
/// Drops what is older than what was told of its subject. Rows of ``heads``, then of ``streams``, are locked in the
/// order of their keys, so two batches never wait for each other. A number is given under its account's lock, so the
/// numbers of an account appear in their order.
struct WriteNotices: Statement {
    static let sql: StaticString = """
        WITH notices AS (
            SELECT * FROM unnest(
                $1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::bigint[], $7::uuid[], $8::uuid[],
                $9::timestamptz[]
            ) WITH ORDINALITY AS n (account, kind, label, payload, subject, version, item, order_id, at, place)
        ), newest AS (
            INSERT INTO heads AS h (subject, version, previous)
            SELECT subject, max(version), 0 FROM notices WHERE subject IS NOT NULL GROUP BY subject ORDER BY subject
            ON CONFLICT (subject) DO UPDATE SET version = EXCLUDED.version, previous = h.version
            WHERE h.version <= EXCLUDED.version
            RETURNING subject, previous
        ), kept AS MATERIALIZED (
            SELECT n.*, row_number() OVER (PARTITION BY n.account ORDER BY n.place) AS number
            FROM notices AS n LEFT JOIN newest USING (subject)
            WHERE n.subject IS NULL OR n.version >= newest.previous
        ), numbered AS (
            INSERT INTO streams AS s (account, last_seq)
            SELECT account, count(*) FROM kept GROUP BY account ORDER BY account
            ON CONFLICT (account) DO UPDATE SET last_seq = s.last_seq + EXCLUDED.last_seq
            RETURNING account, last_seq
        ), items AS (
            INSERT INTO inbox_items (id, account, topic, arguments, order_id, at)
            SELECT item, account, label, payload, order_id, at FROM kept WHERE item IS NOT NULL
        )
        INSERT INTO stream_events (account, seq, kind, label, payload, item)
        SELECT k.account, n.last_seq - count(*) OVER (PARTITION BY k.account) + k.number, k.kind,
            CASE WHEN k.item IS NULL THEN k.label END, CASE WHEN k.item IS NULL THEN k.payload END, k.item
        FROM kept AS k JOIN numbered AS n USING (account)
        """
    let notices: [Notice]

    func bind(_ bindings: inout Bindings) {
        bindings.append(notices.map(\.account))
        bindings.append(notices.map(\.kind.rawValue))
        bindings.append(notices.map(\.label))
        bindings.append(notices.map(\.payload))
        bindings.append(notices.map(\.subject))
        bindings.append(notices.map(\.version))
        bindings.append(notices.map(\.item))
        bindings.append(notices.map(\.order))
        bindings.append(notices.map(\.at))
    }
}

/// Keeps the language of accounts, by their newest version.
struct StorePeople: Statement {
    static let sql: StaticString = """
        INSERT INTO people AS p (account, language, version)
        SELECT DISTINCT ON (account) account, language, version
        FROM unnest($1::uuid[], $2::text[], $3::bigint[]) AS n (account, language, version)
        ORDER BY account, version DESC
        ON CONFLICT (account) DO UPDATE SET language = EXCLUDED.language, version = EXCLUDED.version
        WHERE p.version < EXCLUDED.version
        """
    struct Person: Sendable {
        let account: UUID
        let language: String
        let version: Int
    }

    let people: [Person]
    func bind(_ bindings: inout Bindings) {
        bindings.append(people.map(\.account))
        bindings.append(people.map(\.language))
        bindings.append(people.map(\.version))
    }
}
