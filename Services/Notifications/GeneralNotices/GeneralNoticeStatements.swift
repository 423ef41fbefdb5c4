import Foundation
import Postgres

struct InsertGeneralNotice: Statement {
    static let sql: SQL = """
        INSERT INTO general_notices AS n
            (id, market, arguments, audience, title, language, due_at, created_at, created_by)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        RETURNING \(GeneralNotice.columns)
        """
    let id: UUID
    let market: String
    let arguments: String
    let audience: NoticeAudience
    let dueAt: Date
    let admin: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            id, market, arguments, audience.group.rawValue, audience.title, audience.language, dueAt, now, admin)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> GeneralNotice { try GeneralNotice(&row) }
}

struct FindGeneralNotice: Statement {
    static let sql: SQL = """
        SELECT \(GeneralNotice.columns) FROM general_notices AS n WHERE n.market = $1 AND n.id = $2
        """
    let market: String
    let id: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, id) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> GeneralNotice { try GeneralNotice(&row) }
}

/// Lists a market's notices, the newest first.
struct ListGeneralNotices: Statement {
    static let sql: SQL = """
        SELECT \(GeneralNotice.columns) FROM general_notices AS n
        WHERE n.market = $1 AND ($2::text IS NULL OR n.state = $2) AND (n.created_at, n.id) < ($3, $4)
        ORDER BY n.created_at DESC, n.id DESC LIMIT $5
        """
    let market: String
    let state: GeneralNotice.State?
    let after: (at: Date, id: UUID)
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, state?.rawValue, after.at, after.id, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> GeneralNotice { try GeneralNotice(&row) }
}

/// Changes what waits, unless it has another version. Waits for the step of a worker that has just taken it, and then
/// finds it going.
struct ChangeGeneralNotice: Statement {
    static let sql: SQL = """
        UPDATE general_notices AS n SET arguments = $4, audience = $5, title = $6, language = $7, due_at = $8,
            version = n.version + 1
        WHERE n.market = $1 AND n.id = $2 AND n.state = 'waiting' AND ($3::bigint IS NULL OR n.version = $3)
        RETURNING \(GeneralNotice.columns)
        """
    let market: String
    let id: UUID
    let version: Int?
    let arguments: String
    let audience: NoticeAudience
    let dueAt: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            market, id, version, arguments, audience.group.rawValue, audience.title, audience.language, dueAt)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> GeneralNotice { try GeneralNotice(&row) }
}

/// Cancels what waits, or takes a cancellation back.
struct CancelGeneralNotice: Statement {
    static let sql: SQL = """
        UPDATE general_notices AS n SET state = $4, version = n.version + 1
        WHERE n.market = $1 AND n.id = $2 AND n.state = $3 AND ($5::bigint IS NULL OR n.version = $5)
        RETURNING \(GeneralNotice.columns)
        """
    let market: String
    let id: UUID
    let isCancelled: Bool
    let version: Int?
    func bind(_ bindings: inout Bindings) {
        let states: [GeneralNotice.State] = isCancelled ? [.waiting, .cancelled] : [.cancelled, .waiting]
        bindings.append(market, id, states[0].rawValue, states[1].rawValue, version)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> GeneralNotice { try GeneralNotice(&row) }
}

// MARK: Going out

/// Locks the notice whose next step is due; other processes skip it.
struct LockDueNotice: Statement {
    static let sql: SQL = """
        SELECT \(GeneralNotice.columns) FROM general_notices AS n
        WHERE n.state IN ('waiting', 'going') AND n.due_at <= $1 AND n.next_at <= now()
        ORDER BY n.due_at, n.id LIMIT 1 FOR UPDATE SKIP LOCKED
        """
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> GeneralNotice { try GeneralNotice(&row) }
}

extension NoticeAudience {
    /// Whether a person `m` of the market is in the audience of $2, $3 and $4.
    static let chosen: SQL = """
        coalesce(CASE $2 WHEN 'customers' THEN m.is_customer WHEN 'providers' THEN m.is_provider ELSE true END
            AND ($3::text IS NULL OR m.is_provider AND m.title = $3)
            AND ($4::text IS NULL
                OR $4 = (SELECT person.language FROM people AS person WHERE person.account = m.account)), false)
        """
}

/// The next people of a market in the order of their accounts, with whether they are in the audience: so each step is
/// short, however few are.
struct ListNoticePeople: Statement {
    static let sql: SQL = """
        SELECT m.account, \(NoticeAudience.chosen) FROM market_people AS m
        WHERE m.market = $1 AND m.account > $5 ORDER BY m.account LIMIT $6
        """
    let notice: GeneralNotice
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        let audience = notice.audience
        bindings.append(notice.market, audience.group.rawValue, audience.title, audience.language)
        bindings.append(notice.lastAccount ?? ListInboxItems.beginning.id, limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (account: UUID, isChosen: Bool) {
        (try row.next(), try row.next())
    }
}

/// Notes how far a notice has gone.
struct AdvanceGeneralNotice: Statement {
    static let sql: SQL = """
        UPDATE general_notices SET state = CASE WHEN $4 THEN 'gone' ELSE 'going' END, recipients = recipients + $3,
            last_account = coalesce($2, last_account), next_at = now() + make_interval(secs => $5),
            ended_at = CASE WHEN $4 THEN $6::timestamptz END, version = version + 1
        WHERE id = $1
        """
    let id: UUID
    let lastAccount: UUID?
    let recipients: Int
    let isLast: Bool
    let pauseSeconds: Double
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(id, lastAccount, recipients, isLast, pauseSeconds, now) }
}

/// Counts an audience among the first people of a market.
struct CountNoticePeople: Statement {
    static let limit = 200_000
    static let sql: SQL = """
        SELECT count(*) FILTER (WHERE \(NoticeAudience.chosen)), count(*) > $5
        FROM (SELECT * FROM market_people WHERE market = $1 LIMIT $5 + 1) AS m
        """
    let market: String
    let audience: NoticeAudience
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, audience.group.rawValue, audience.title, audience.language, Self.limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (people: Int, isMore: Bool) {
        (try row.next(), try row.next())
    }
}
