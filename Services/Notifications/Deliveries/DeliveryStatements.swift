import Contracts
import Foundation
import Postgres

/// Queues a mail or an SMS, unless it is of a kind that the account has switched off on this way, or has switched the way off
/// for all that is optional.
struct InsertDelivery: Statement {
    static let sql: SQL = """
        INSERT INTO deliveries (id, account, channel, text, language, sealed, requested_at, expires_at)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8
        WHERE $9::text IS NULL OR NOT EXISTS (
                SELECT FROM notice_choices WHERE account = $2 AND kind = $9
                    AND NOT CASE $3 WHEN 'mail' THEN mail ELSE sms END)
            AND NOT EXISTS (SELECT FROM people WHERE account = $2 AND $3 = ANY (muted))
        ON CONFLICT (id) DO NOTHING
        """
    let request: DeliveryRequested
    /// Nil for what is always sent.
    let kind: NoticeKind?

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            request.delivery, request.account, request.channel.rawValue, request.text, request.language, request.sealed,
            request.at, request.expiresAt, kind?.rawValue)
    }
}

/// A waiting mail or SMS.
struct WaitingDelivery: Sendable {
    let id: UUID
    let account: UUID
    let channel: String
    let text: String
    let language: String
    let sealed: String
    /// Includes the current try.
    let tries: Int
    let isExpired: Bool
    let requestedAt: Date
}

/// Claims due deliveries of a channel; other processes skip them until the lease ends. One of an account waits for those before
/// it, unless they fail: a code does not come after the one that replaced it. A channel whose gateway has asked for a pause is
/// left alone.
struct ClaimDeliveries: Statement {
    static let sql: SQL = """
        UPDATE deliveries SET tries = tries + 1, next_at = now() + make_interval(secs => $2) WHERE id IN (
            SELECT due.id FROM deliveries AS due
            WHERE due.state = 'waiting' AND due.channel = $3 AND due.next_at <= now()
            AND NOT EXISTS (SELECT FROM paused_hosts AS p WHERE p.host = $3 AND p.until > now()) AND (
                SELECT before.id FROM deliveries AS before
                WHERE before.account = due.account AND before.channel = due.channel AND before.device IS NULL
                    AND before.state = 'waiting' AND before.place < due.place AND before.tries <= 1
                ORDER BY before.place LIMIT 1) IS NULL
            ORDER BY due.next_at, due.place LIMIT $1 FOR UPDATE SKIP LOCKED)
        RETURNING id, account, channel, text, language, sealed, tries, expires_at <= now(), requested_at
        """
    let channel: String
    let limit: Int
    let leaseSeconds: Double

    func bind(_ bindings: inout Bindings) { bindings.append(limit, leaseSeconds, channel) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> WaitingDelivery {
        WaitingDelivery(
            id: try row.next(), account: try row.next(), channel: try row.next(), text: try row.next(),
            language: try row.next(),
            sealed: try row.next(), tries: try row.next(), isExpired: try row.next(),
            requestedAt: try row.next())
    }
}

/// Ends a delivery and deletes its sealed content.
struct EndDelivery: Statement {
    static let sql: SQL = """
        UPDATE deliveries SET state = $2, sealed = NULL, ended_at = now() WHERE id = $1 AND state = 'waiting'
        """
    let id: UUID
    let isSent: Bool

    func bind(_ bindings: inout Bindings) { bindings.append(id, isSent ? "sent" : "failed") }
}

struct PostponeDelivery: Statement {
    static let sql: SQL = """
        UPDATE deliveries SET next_at = now() + make_interval(secs => $2) WHERE id = $1 AND state = 'waiting'
        """
    let id: UUID
    let seconds: Double

    func bind(_ bindings: inout Bindings) { bindings.append(id, seconds) }
}

struct PurgeDeliveries: Statement {
    static let sql: SQL = """
        DELETE FROM deliveries WHERE id IN (
            SELECT id FROM deliveries WHERE state <> 'waiting' AND expires_at < now() - interval '7 days'
            LIMIT $1 FOR UPDATE SKIP LOCKED)
        """
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(limit) }
}
