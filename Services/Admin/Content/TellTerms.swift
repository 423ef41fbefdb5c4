import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Tells which terms people accept, once an admin's are published. Those that came with the program need no telling: they
/// are of the market's file, which every service has.
enum TellTerms {
    /// When terms are published at a time; the subject is the market.
    static let deadline = "content.terms"

    /// For readers that ask again, of all markets.
    static func republished(_ clock: @escaping @Sendable () -> Date) -> RepublishedKind {
        RepublishedKind("terms") { _, transaction in
            let rows = try await transaction.query(ListPublishedTerms(market: nil, at: clock()))
            for row in rows { try publish(row, in: transaction) }
            return RepublishedKind.Part(count: rows.count, last: nil)
        }
    }

    static func tell(_ market: String, at now: Date, in transaction: PostgresTransaction) async throws {
        for row in try await transaction.query(ListPublishedTerms(market: market, at: now)) {
            try publish(row, in: transaction)
        }
    }

    private static func publish(_ row: PublishedTermsRow, in transaction: PostgresTransaction) throws {
        guard let content = Content(stored: row.text) else { return }
        // The day is UTC's, so that it is the same each time it is told.
        let day = Timestamp.text(row.publishedAt).prefix(10)
        try transaction.publish(
            TermsPublished(
                market: row.market, version: "\(day)-\(row.version)",
                text: LocalizedText(content.body.texts.mapValues(ContentText.plain)), number: row.version,
                at: row.publishedAt))
    }
}

struct PublishedTermsRow: Sendable {
    let market: String
    let version: Int
    let text: String
    let publishedAt: Date
}

/// The terms that are shown at a moment, where an admin wrote them.
struct ListPublishedTerms: Statement {
    static let sql: SQL = """
        SELECT e.market, s.version, s.content, s.published_at
        FROM content_entries AS e JOIN LATERAL (\(ContentSQL.shown)) AS s ON true
        JOIN content_versions AS w ON w.entry = e.id AND w.version = s.version AND w.changed_by IS NOT NULL
        WHERE ($1::text IS NULL OR e.market = $1) AND e.section = $2
        ORDER BY e.market
        """
    /// Nil for all.
    let market: String?
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(market, ContentSection.terms.rawValue, at) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> PublishedTermsRow {
        PublishedTermsRow(
            market: try row.next(), version: try row.next(), text: try row.next(), publishedAt: try row.next())
    }
}
