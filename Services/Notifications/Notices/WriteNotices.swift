import Contracts
import Foundation
import Messaging
import Postgres

/// Writes the notices of many accounts: numbers them, stores the stream events and puts items into inboxes.
///
/// Drops notices that are older than the last one of their subject for the account, and notices for deleted accounts;
/// removes the names of deleted accounts. Locks rows of `streams`, then of `told`, each in the order of their keys, so
/// that two batches never deadlock and a deletion is ordered before or after. Numbers are given under the account's
/// lock, so an account's numbers become visible in order.
struct WriteNotices: Statement {
    static let sql: SQL = """
        WITH given AS (
            SELECT account, kind, label, payload, subject, version, item, order_id, at, named::uuid[], notice, place
            FROM unnest(
                $1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::bigint[], $7::uuid[], $8::uuid[],
                $9::timestamptz[], $10::text[], $12::uuid[]
            ) WITH ORDINALITY
                AS n (account, kind, label, payload, subject, version, item, order_id, at, named, notice, place)
        ), locked AS MATERIALIZED (
            SELECT account, is_gone FROM streams
            WHERE account = ANY (ARRAY(SELECT account FROM given UNION SELECT unnest(named) FROM given))
            ORDER BY account FOR NO KEY UPDATE
        ), gone AS MATERIALIZED (
            SELECT coalesce(array_agg(account), '{}') AS accounts FROM locked WHERE is_gone
        ), notices AS MATERIALIZED (
            SELECT given.* FROM given WHERE account <> ALL ((SELECT accounts FROM gone)::uuid[])
        ), newest AS (
            INSERT INTO told AS t (subject, account, version, previous)
            SELECT subject, account, max(version), 0 FROM notices WHERE subject IS NOT NULL
            GROUP BY subject, account ORDER BY subject, account
            ON CONFLICT (subject, account) DO UPDATE SET version = EXCLUDED.version, previous = t.version
            WHERE t.version <= EXCLUDED.version
            RETURNING subject, account, previous
        ), kept AS MATERIALIZED (
            SELECT n.*, row_number() OVER (PARTITION BY n.account ORDER BY n.place) AS number
            FROM notices AS n LEFT JOIN newest ON newest.subject = n.subject AND newest.account = n.account
            WHERE n.subject IS NULL OR n.version >= newest.previous
        ), numbered AS (
            INSERT INTO streams AS s (account, last_seq)
            SELECT account, count(*) FROM kept GROUP BY account ORDER BY account
            ON CONFLICT (account) DO UPDATE SET last_seq = s.last_seq + EXCLUDED.last_seq WHERE NOT s.is_gone
            RETURNING account, last_seq
        ), items AS (
            INSERT INTO inbox_items (id, account, topic, arguments, order_id, at, named, notice)
            SELECT k.item, k.account, k.label,
                CASE WHEN k.named && gone.accounts THEN without_names(k.payload, gone.accounts, $11) ELSE k.payload END,
                k.order_id, k.at,
                CASE WHEN k.named && gone.accounts
                    THEN nullif(ARRAY(SELECT n FROM unnest(k.named) AS n WHERE n <> ALL (gone.accounts)), '{}')
                    ELSE k.named END,
                k.notice
            FROM kept AS k JOIN numbered USING (account) CROSS JOIN gone WHERE k.item IS NOT NULL
        )
        INSERT INTO stream_events (account, seq, kind, label, payload, item)
        SELECT k.account, n.last_seq - count(*) OVER (PARTITION BY k.account) + k.number, k.kind,
            CASE WHEN k.item IS NULL THEN k.label END, CASE WHEN k.item IS NULL THEN k.payload END, k.item
        FROM kept AS k JOIN numbered AS n USING (account)
        """
    let notices: [Notice]

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            columnsOf: notices, \.account, \.kind.rawValue, \.label, \.payload, \.subject, \.version, \.item, \.order,
            \.at)
        // A string per row, because PostgreSQL has no arrays of arrays with different lengths.
        bindings.append(
            notices.map { $0.named.isEmpty ? nil : "{\($0.named.map(\.text).joined(separator: ","))}" },
            AccountSnapshot.goneName, notices.map(\.general))
    }
}
