import Foundation
import Messaging
import Postgres
import SeraiJSON

/// Something that waits, or waited, for a market's admins, as stored in its row.
struct AdminItem: Sendable {
    let id: UUID
    let market: String
    let kind: String
    let subject: UUID
    let order: UUID?
    let isUrgent: Bool
    /// JSON, for its words.
    let arguments: String
    let at: Date
    let changedAt: Date
    let endedAt: Date?
    let stand: AdminItemCase

    static let columns: SQL = """
        i.id, i.market, i.kind, i.subject, i.order_id, i.is_urgent, i.arguments, i.at, i.changed_at, i.ended_at,
        i.state, i.taken_by, i.person
        """

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        market = try row.next()
        kind = try row.next()
        subject = try row.next()
        order = try row.next()
        isUrgent = try row.next()
        arguments = try row.next()
        at = try row.next()
        changedAt = try row.next()
        endedAt = try row.next()
        let state: String = try row.next()
        // The column's check knows no other words.
        stand = AdminItemCase(
            state: AdminItemCase.State(rawValue: state) ?? .settled, takenBy: try row.next(), person: try row.next())
    }
}

/// Stores a fact, unless a later one about the thing is known. A thing that is settled before it is heard of leaves a
/// row, too, so that what comes late does not open it.
struct PutAdminItem: Statement {
    static let sql: SQL = """
        INSERT INTO admin_items AS i
            (id, market, kind, subject, person, order_id, arguments, is_urgent, mark, at, changed_at, taken_by, state,
            ended_at)
        VALUES ($1, $2, $3, $4,
            -- What comes late names nobody who is gone.
            CASE WHEN NOT EXISTS (SELECT FROM streams WHERE account = $5 AND is_gone) THEN $5::uuid END,
            $6, $7, $8, $9, $10, $10, $11,
            CASE WHEN NOT $12 THEN 'settled' WHEN $11::uuid IS NULL THEN 'waiting' ELSE 'taken' END,
            CASE WHEN NOT $12 THEN $10::timestamptz END)
        ON CONFLICT (kind, subject, market) DO UPDATE SET
            mark = excluded.mark, changed_at = excluded.changed_at,
            person = coalesce(excluded.person, i.person), order_id = coalesce(excluded.order_id, i.order_id),
            arguments = CASE WHEN $12 THEN excluded.arguments ELSE i.arguments END,
            is_urgent = excluded.is_urgent OR i.is_urgent AND i.state IN ('waiting', 'taken'),
            at = CASE WHEN $12 AND (i.state = 'settled' OR i.state = 'done' AND $13) THEN excluded.at ELSE i.at END,
            state = CASE
                WHEN NOT $12 THEN 'settled'
                WHEN i.state = 'settled' OR i.state = 'done' AND $13 THEN excluded.state
                ELSE i.state END,
            taken_by = CASE
                WHEN $12 AND (i.state = 'settled' OR i.state = 'done' AND $13) THEN excluded.taken_by
                ELSE i.taken_by END,
            ended_at = CASE
                WHEN NOT $12 THEN coalesce(i.ended_at, excluded.at)
                WHEN i.state = 'done' AND NOT $13 THEN i.ended_at END
        WHERE excluded.mark > i.mark
            OR excluded.mark = i.mark AND i.state <> 'settled' AND (NOT $12 OR $8 AND NOT i.is_urgent)
        """
    let fact: AdminFact
    private let arguments: String

    init(fact: AdminFact) {
        self.fact = fact
        // try?: texts, words and numbers can always be written.
        arguments = (try? fact.arguments.stored()) ?? "{}"
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            UUID.timeOrdered(), fact.market, fact.kind.rawValue, fact.subject, fact.person, fact.order, arguments,
            fact.isUrgent, fact.mark, fact.at, fact.takenBy, fact.isOpen, fact.reopens)
    }
}

struct FindAdminItem: Statement {
    static let sql: SQL = "SELECT \(AdminItem.columns) FROM admin_items AS i WHERE i.id = $1 AND i.market = $2"
    let id: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(id, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> AdminItem { try AdminItem(&row) }
}

struct LockAdminItem: Statement {
    static let sql: SQL = "\(FindAdminItem.sql) FOR NO KEY UPDATE"
    let id: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(id, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> AdminItem { try AdminItem(&row) }
}

/// After an admin's act. The row is locked.
struct MoveAdminItem: Statement {
    static let sql: SQL = """
        UPDATE admin_items AS i SET state = $2, taken_by = $3, changed_at = $4,
            ended_at = CASE WHEN $2 IN ('waiting', 'taken') THEN NULL ELSE $4::timestamptz END
        WHERE i.id = $1
        RETURNING \(AdminItem.columns)
        """
    let id: UUID
    let stand: AdminItemCase
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(id, stand.state.rawValue, stand.takenBy, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> AdminItem { try AdminItem(&row) }
}

/// Gives what waits about a thing to an admin, or to nobody, as its own page has it.
struct AssignAdminItem: Statement {
    static let sql: SQL = """
        UPDATE admin_items SET taken_by = $3, changed_at = $4,
            state = CASE WHEN $3::uuid IS NULL THEN 'waiting' ELSE 'taken' END
        WHERE kind = $1 AND subject = $2 AND state IN ('waiting', 'taken') AND taken_by IS DISTINCT FROM $3
        """
    let kind: AdminItemKind
    let subject: UUID
    let admin: UUID?
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(kind.rawValue, subject, admin, now) }
}

/// What is asked for of a market's things.
struct AdminItemFilter: Sendable {
    var kind: AdminItemKind?
    /// Nil for all that is open.
    var state: AdminItemCase.State?
    /// Those alone that this admin has.
    var takenBy: UUID?
    var isUrgent: Bool?
}

/// Lists what is open, the newest first.
struct ListOpenAdminItems: Statement {
    static let sql: SQL = """
        SELECT \(AdminItem.columns) FROM admin_items AS i
        WHERE i.market = $1 AND i.state IN ('waiting', 'taken') AND ($2::text IS NULL OR i.state = $2)
            AND ($3::text IS NULL OR i.kind = $3) AND ($4::uuid IS NULL OR i.taken_by = $4)
            AND ($5::boolean IS NULL OR i.is_urgent = $5) AND (i.at, i.id) < ($6, $7)
        ORDER BY i.at DESC, i.id DESC LIMIT $8
        """
    let market: String
    let filter: AdminItemFilter
    let after: (at: Date, id: UUID)
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            market, filter.state?.rawValue, filter.kind?.rawValue, filter.takenBy, filter.isUrgent, after.at, after.id,
            limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> AdminItem { try AdminItem(&row) }
}

/// Lists what is done or settled, the newest first.
struct ListEndedAdminItems: Statement {
    static let sql: SQL = """
        SELECT \(AdminItem.columns) FROM admin_items AS i
        WHERE i.market = $1 AND i.ended_at IS NOT NULL AND i.state = $2
            AND ($3::text IS NULL OR i.kind = $3) AND ($4::uuid IS NULL OR i.taken_by = $4)
            AND ($5::boolean IS NULL OR i.is_urgent = $5) AND (i.at, i.id) < ($6, $7)
        ORDER BY i.at DESC, i.id DESC LIMIT $8
        """
    let market: String
    let filter: AdminItemFilter
    let after: (at: Date, id: UUID)
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            market, filter.state?.rawValue, filter.kind?.rawValue, filter.takenBy, filter.isUrgent, after.at, after.id,
            limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> AdminItem { try AdminItem(&row) }
}

/// Counts what is open, by kind.
struct CountAdminItems: Statement {
    struct Row: Sendable {
        let kind: String
        let waiting: Int
        let taken: Int
        let own: Int
        let urgent: Int
    }

    static let sql: SQL = """
        SELECT kind, count(*) FILTER (WHERE state = 'waiting'), count(*) FILTER (WHERE state = 'taken'),
            count(*) FILTER (WHERE taken_by = $2), count(*) FILTER (WHERE is_urgent)
        FROM admin_items WHERE market = $1 AND state IN ('waiting', 'taken') GROUP BY kind ORDER BY kind
        """
    let market: String
    let admin: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, admin) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            kind: try row.next(), waiting: try row.next(), taken: try row.next(), own: try row.next(),
            urgent: try row.next())
    }
}

/// The account is deleted: nobody decides about it any more, and nothing names it.
struct SettleAdminItemsOfPerson: Statement {
    static let sql: SQL = """
        UPDATE admin_items SET person = NULL, changed_at = $2, ended_at = coalesce(ended_at, $2),
            state = CASE WHEN state = 'done' THEN 'done' ELSE 'settled' END
        WHERE person = $1
        """
    let account: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, now) }
}

/// Deletes what ended long ago.
struct PurgeAdminItems: Statement {
    static let sql: SQL = """
        DELETE FROM admin_items WHERE id IN (
            SELECT id FROM admin_items WHERE ended_at < $1 ORDER BY ended_at LIMIT $2)
        """
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}
