import Foundation
import Postgres

/// The values by which an SMS is counted, and the limits.
struct SMSCount: Sendable {
    let numberHash: [UInt8]
    let country: String
    let limits: SMSBudget.Limits
    let since: Date

    fileprivate func bind(_ bindings: inout Bindings) {
        bindings.append(numberHash, country, since, limits.perNumber, limits.perCountry, limits.perDay)
    }
}

/// The limit that is used up: `number`, `country` or `day`; nil when none is.
struct FindUsedSMS: Statement {
    static let sql: SQL = """
        SELECT CASE
            WHEN (SELECT count(*) FROM (
                SELECT FROM sent_sms WHERE number_hash = $1 AND sent_at > $3 LIMIT $4) AS n) >= $4 THEN 'number'
            WHEN (SELECT count(*) FROM (
                SELECT FROM sent_sms WHERE country = $2 AND sent_at > $3 LIMIT $5) AS n) >= $5 THEN 'country'
            WHEN (SELECT count(*) FROM (SELECT FROM sent_sms WHERE sent_at > $3 LIMIT $6) AS n) >= $6 THEN 'day' END
        """
    let count: SMSCount
    func bind(_ bindings: inout Bindings) { count.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String? { try row.next() }
}

struct InsertSentSMS: Statement {
    static let sql: SQL = "INSERT INTO sent_sms (id, number_hash, country, sent_at) VALUES ($1, $2, $3, $4)"
    let id: UUID
    let numberHash: [UInt8]
    let country: String
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(id, numberHash, country, now) }
}

struct PurgeSentSMS: Statement {
    static let sql: SQL = """
        DELETE FROM sent_sms WHERE id IN (
            SELECT id FROM sent_sms WHERE sent_at <= $1 ORDER BY sent_at LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}
