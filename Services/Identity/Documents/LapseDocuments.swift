import Contracts
import Foundation
import Messaging
import Postgres

/// Tells owners of papers that these expire, 30 and 7 days before, and lets them lapse after their last day: a verified
/// provider whose required paper has lapsed waits for an admin again. Running orders go on. Runs as a deadline of each
/// document that sets itself again; a document that another has replaced is gone, and nothing happens.
struct LapseDocuments: Sendable {
    static let kind = "document.expiry"

    let documents: ProviderDocuments

    /// The first look at a document that was verified.
    static func begin(
        _ document: UUID, until expiresOn: CalendarDate, in zone: TimeZone, at now: Date,
        _ transaction: PostgresTransaction
    ) {
        transaction.set(
            Deadline(
                kind: kind, subject: document.text,
                dueAt: PaperExpiry(expiresOn, in: zone).firstLook(after: now)))
    }

    func fire(_ deadline: Deadline, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let document = UUID(uuidString: deadline.subject),
            let owner = try await transaction.first(FindDocumentOwner(document: document)),
            var account = try await Accounts.lockIfFound(owner.account, in: transaction)
        else { return }
        let all = try await transaction.query(ListDocuments(account: owner.account, market: owner.market))
            .compactMap(\.paper)
        guard let paper = all.first(where: { $0.id == document }), paper.state == .verified,
            let expiresOn = paper.expiresOn
        else { return }
        let expiry = PaperExpiry(expiresOn, in: documents.zone(owner.market))
        if let next = expiry.nextLook(after: now) {
            transaction.set(Deadline(kind: Self.kind, subject: document.text, dueAt: next))
        }
        switch expiry.step(at: now) {
        case .waits: return
        case .warns: break
        case .lapses:
            let isReplaced = all.contains { $0.kind == paper.kind && $0.id != document }
            if isReplaced {
                // Another of the kind waits already, so the lapsed one is deleted.
                transaction.send(DeleteDocument(document: document))
            } else {
                transaction.send(LapseDocument(document: document, now: now))
            }
            try await documents.waitForMissing(&account, in: owner.market, at: now, transaction)
        }
        try await tell(paper, expiresOn, account, in: owner.market, expiry.step(at: now), at: now, transaction)
    }

    private func tell(
        _ paper: ProviderPaper, _ expiresOn: CalendarDate, _ account: Account, in market: String,
        _ step: PaperExpiry.Step, at now: Date, _ transaction: PostgresTransaction
    ) async throws {
        let name = documents.asked(paper.kind, of: account, in: market)?.name ?? ["en": paper.kind]
        let marketName = Market.named(market)?.name ?? ["en": market]
        try await documents.deliver(
            step == .lapses
                ? .documentLapsed(market: marketName, paper: name, on: expiresOn.text)
                : .documentExpiring(market: marketName, paper: name, on: expiresOn.text),
            to: account, until: now.addingTimeInterval(DecideProvider.mailSeconds), at: now, in: transaction)
        try transaction.publish(
            DocumentExpiring(
                account: account.id, market: market, kind: paper.kind, document: paper.id, expiresOn: expiresOn.text,
                isLapsed: step == .lapses, at: now))
    }
}

struct FindDocumentOwner: Statement {
    static let sql: SQL = "SELECT account, market FROM documents WHERE id = $1"
    let document: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(document) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (account: UUID, market: String) {
        (try row.next(), try row.next())
    }
}

struct LapseDocument: Statement {
    static let sql: SQL =
        "UPDATE documents SET state = 'rejected', reason = NULL, lapsed_at = $2 WHERE id = $1 AND state = 'verified'"
    let document: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(document, now) }
}

/// Lists a market's verified papers that expire until a day, the first first; before them those of which no last day is
/// known, for they were verified before it was asked for.
struct ListExpiringDocuments: Statement {
    struct Row: Sendable {
        let document: UUID
        let account: UUID
        let name: String
        /// The titles that its owner has in the market.
        let titles: [String]
        let kind: String
        let expiresOn: String?

        /// Its place in the list.
        var place: String { expiresOn ?? "-infinity" }
    }

    static let sql: SQL = """
        SELECT d.id, d.account, a.name, owned.titles, d.kind, to_char(d.expires_on, 'YYYY-MM-DD')
        FROM documents d JOIN accounts a ON a.id = d.account
        CROSS JOIN LATERAL (
            SELECT array_agg(r.title ORDER BY r.sells) AS titles FROM roles r
            WHERE r.account = d.account AND r.market = d.market AND r.role = 'provider'
        ) AS owned
        WHERE d.market = $1 AND d.state = 'verified' AND owned.titles IS NOT NULL
            AND (d.expires_on <= $2::text::date OR d.expires_on IS NULL AND d.kind = ANY ($6))
            AND ($3::text IS NULL OR (coalesce(d.expires_on, '-infinity'), d.id) > ($3::text::date, $4))
        ORDER BY coalesce(d.expires_on, '-infinity'), d.id LIMIT $5
        """
    let market: String
    let until: CalendarDate
    /// The kinds of papers that expire.
    let kinds: [String]
    let after: (day: String, id: UUID)?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, until.text, after?.day, after?.id, limit, kinds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            document: try row.next(), account: try row.next(), name: try row.next(), titles: try row.next(),
            kind: try row.next(), expiresOn: try row.next())
    }
}
