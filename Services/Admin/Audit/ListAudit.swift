import Foundation
import Messaging
import Postgres

/// An entry with the present names of the admin and of the person that it is about, if they are known.
struct AuditRow: Sendable {
    let entry: AuditEntry
    let name: String?
    let subjectName: String?

    init(_ row: inout RowReader) throws(PostgresError) {
        entry = AuditEntry(
            id: try row.next(), at: try row.next(), market: try row.next(), service: try row.next(),
            action: try row.next(), account: try row.next(), subject: try row.next(), before: try row.next(),
            after: try row.next())
        name = try row.next()
        subjectName = try row.next()
    }
}

/// The entries that a list shows.
struct AuditFilter: Sendable {
    /// The markets, of which none stands for all.
    var markets: [String]
    /// Whether the list has looks as well, by which nothing changed.
    var isWithLooks = false
    var action: String?
    /// The admin who did it.
    var by: UUID?
    /// A person whom it concerns: what it was done to, or one of its values.
    var about: UUID?
    /// The id or key of the thing that was changed or looked at.
    var subject: String?
    /// The beginnings of words that it has, as a query of PostgreSQL.
    var words: String?
    var start: Date = .distantPast
    /// The end of the range, exclusive.
    var end: Date = .distantFuture

    /// The typed words, each as the beginning of a word of the entry; nil when nothing was typed.
    static func words(_ text: String?) -> String? {
        let words = (text ?? "").split { !$0.isLetter && !$0.isNumber }
        return words.isEmpty ? nil : words.map { "'\($0)':*" }.joined(separator: " & ")
    }

    /// The page of the entries, newest first, by the statement that follows the narrowest index.
    func page(before: ListPosition, limit: Int, in pool: PostgresPool) async throws(PostgresError) -> [AuditRow] {
        let page = AuditPage(filter: self, before: before, limit: limit)
        if subject != nil { return try await pool.query(ListAuditOfSubject(page: page)) }
        if about != nil { return try await pool.query(ListAuditAbout(page: page)) }
        if words != nil { return try await pool.query(ListAuditWithWords(page: page)) }
        if by != nil { return try await pool.query(ListAuditBy(page: page)) }
        if action != nil { return try await pool.query(ListAuditOfAction(page: page)) }
        if markets.isEmpty {
            return isWithLooks
                ? try await pool.query(ListAudit(page: page)) : try await pool.query(ListActs(page: page))
        }
        return isWithLooks
            ? try await pool.query(ListAuditOfMarkets(page: page)) : try await pool.query(ListActsOfMarkets(page: page))
    }
}

/// The filter and the place in the list, which all statements below take in one order.
struct AuditPage: Sendable {
    let filter: AuditFilter
    let before: ListPosition
    let limit: Int

    func bind(_ bindings: inout Bindings) {
        before.bind(&bindings)
        bindings.append(
            limit, filter.markets, filter.start, filter.end, filter.isWithLooks, filter.action, filter.by,
            filter.about?.text, filter.subject, filter.words)
    }
}

/// A list of entries. The statements differ in the index that they follow, and check the rest of the filter row by row.
protocol AuditStatement: Statement where Row == AuditRow {
    var page: AuditPage { get }
}

extension AuditStatement {
    func bind(_ bindings: inout Bindings) { page.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> AuditRow { try AuditRow(&row) }
}

private enum AuditSQL {
    static let entries: SQL = """
        SELECT a.id, a.at, a.market, a.service, a.action, a.account, a.subject, a.before, a.after, p.name, about.name
        """

    /// With the account that the entry is about; null for other subjects.
    static let names: SQL = """
        LEFT JOIN people AS p ON p.account = a.account
        LEFT JOIN people AS about ON about.account =
            CASE WHEN a.subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN a.subject::uuid END
        """

    /// As the partial indexes have it.
    static let isAct: SQL = #"a.action !~ '\.(viewed|exported)$'"#

    /// The whole filter but for the looks.
    static let isAsked: SQL = """
        (a.at, a.id) < ($1, $2) AND ($4::text[] = '{}' OR a.market = ANY ($4)) AND a.at >= $5 AND a.at < $6
        AND ($8::text IS NULL OR a.action = $8) AND ($9::uuid IS NULL OR a.account = $9)
        AND ($10::text IS NULL OR audit_ids(a.subject, a.before, a.after) @> ARRAY[$10])
        AND ($11::text IS NULL OR a.subject = $11)
        AND ($12::text IS NULL OR audit_words(a.action, a.subject, a.before, a.after) @@ to_tsquery('simple', $12))
        """

    /// The filter with the looks. What follows it says which index is followed.
    static let found: SQL = "\(entries) FROM audit AS a \(names) WHERE \(isAsked) AND ($7 OR \(isAct))"
    static let newest: SQL = "ORDER BY a.at DESC, a.id DESC LIMIT $3"
}

/// Lists all entries of all markets.
struct ListAudit: AuditStatement {
    static let sql: SQL = "\(AuditSQL.found) \(AuditSQL.newest)"
    let page: AuditPage
}

/// Lists what was done in all markets. `$7` is said to be a boolean, and is not asked.
struct ListActs: AuditStatement {
    static let sql: SQL = """
        \(AuditSQL.entries) FROM audit AS a \(AuditSQL.names)
        WHERE \(AuditSQL.isAsked) AND \(AuditSQL.isAct) AND NOT $7::boolean \(AuditSQL.newest)
        """
    let page: AuditPage
}

/// Lists entries of some markets: reads each market's newest by its index, then the newest of these.
struct ListAuditOfMarkets: AuditStatement {
    static let sql: SQL = """
        \(AuditSQL.entries)
        FROM unnest($4::text[]) AS m (name)
        CROSS JOIN LATERAL (
            SELECT * FROM audit AS a WHERE a.market = m.name AND \(AuditSQL.isAsked) AND ($7 OR \(AuditSQL.isAct))
            \(AuditSQL.newest)
        ) AS a
        \(AuditSQL.names) \(AuditSQL.newest)
        """
    let page: AuditPage
}

/// Lists what was done in some markets, in the same way.
struct ListActsOfMarkets: AuditStatement {
    static let sql: SQL = """
        \(AuditSQL.entries)
        FROM unnest($4::text[]) AS m (name)
        CROSS JOIN LATERAL (
            SELECT * FROM audit AS a
            WHERE a.market = m.name AND \(AuditSQL.isAsked) AND \(AuditSQL.isAct) AND NOT $7::boolean
            \(AuditSQL.newest)
        ) AS a
        \(AuditSQL.names) \(AuditSQL.newest)
        """
    let page: AuditPage
}

struct ListAuditOfAction: AuditStatement {
    static let sql: SQL = "\(AuditSQL.found) AND a.action = $8 \(AuditSQL.newest)"
    let page: AuditPage
}

struct ListAuditBy: AuditStatement {
    static let sql: SQL = "\(AuditSQL.found) AND a.account = $9 \(AuditSQL.newest)"
    let page: AuditPage
}

struct ListAuditAbout: AuditStatement {
    static let sql: SQL = """
        \(AuditSQL.found) AND audit_ids(a.subject, a.before, a.after) @> ARRAY[$10] \(AuditSQL.newest)
        """
    let page: AuditPage
}

struct ListAuditOfSubject: AuditStatement {
    static let sql: SQL = "\(AuditSQL.found) AND a.subject = $11 \(AuditSQL.newest)"
    let page: AuditPage
}

struct ListAuditWithWords: AuditStatement {
    static let sql: SQL = """
        \(AuditSQL.found)
        AND audit_words(a.action, a.subject, a.before, a.after) @@ to_tsquery('simple', $12) \(AuditSQL.newest)
        """
    let page: AuditPage
}
