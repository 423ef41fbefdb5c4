import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

extension AdminRoutes {
    /// `GET audit`: newest first, limited to the markets where the caller is an admin. What admins only looked at is
    /// shown when it is asked for.
    @Sendable func audit(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<AuditEntryView> {
        let query = QueryForm(request)
        let filter = try Self.auditFilter(query, context.caller)
        let page = try query.page(
            of: "audit", .descending, where: ["markets": filter.markets.joined(separator: " ")],
            owner: context.caller.accountID, sealedBy: sealer)
        let rows = try await filter.page(before: page.position(first: .newest), limit: page.fetchLimit, in: pool)
        return try page.answer(rows, at: { ($0.entry.at, $0.entry.id) }, item: AuditEntryView.init)
    }

    /// `GET audit.csv`: the same entries as a file.
    @Sendable func auditCSV(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let query = QueryForm(request)
        let filter = try Self.auditFilter(query, context.caller)
        try query.finish()
        return try await StreamCSV(
            name: "audit", head: AuditEntryView.columns.map { $0.text(in: context.language.rawValue) },
            part: { [pool] after, limit in
                let before = after.map { ListPosition(at: $0.at, id: $0.id) } ?? .newest
                return try await filter.page(before: before, limit: limit, in: pool)
            },
            position: { ($0.entry.at, $0.entry.id) }, line: AuditEntryView.line
        ).response()
    }

    /// - Throws: 403 for whoever is an admin of no market, or not of the one that is asked for.
    private static func auditFilter(_ query: QueryForm, _ caller: Caller) throws(Problem) -> AuditFilter {
        try caller.requireAdmin()
        let market = query.text("market")
        if let market { try caller.require("admin", in: market) }
        var filter = AuditFilter(markets: market.map { [$0] } ?? caller.administered ?? [])
        filter.isWithLooks = query.bool("viewed") ?? false
        filter.action = query.text("action")
        // It stands in the log of looks as it is: nothing but the name of an act may come into it.
        if let action = filter.action, action.wholeMatch(of: /[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*/) == nil {
            query.reject("action", "invalid-value")
        }
        // Whoever asks for a look by its name means to see it.
        if let action = filter.action, AuditEntry.isLook(action) { filter.isWithLooks = true }
        filter.by = query.uuid("by")
        filter.about = query.uuid("about")
        filter.subject = query.text("subject", maximum: 200).map { UUID(uuidString: $0)?.text ?? $0 }
        let text = query.text("text", isSearch: true)
        filter.words = AuditFilter.words(text)
        if text != nil, filter.words == nil { query.reject("text", "invalid-value") }
        if let from = query.date("from") { filter.start = from }
        if let to = query.date("to") { filter.end = to }
        return filter
    }
}

/// An entry of the audit log.
struct AuditEntryView: Encodable, Sendable {
    let id: String
    let at: Date
    let market: String
    let service: String
    let action: String
    /// Absent for an operator at the command line.
    let by: PersonView?
    let subject: String
    /// The person whose account is the subject, by the present name.
    let about: PersonView?
    let before: JSONValue?
    let after: JSONValue?

    init(_ row: AuditRow) throws {
        let entry = row.entry
        id = entry.id.text
        at = entry.at
        market = entry.market
        service = entry.service
        action = entry.action
        by = entry.account.map { PersonView(account: $0.text, name: row.name) }
        subject = entry.subject
        about = row.subjectName.map { PersonView(account: entry.subject, name: $0) }
        before = try entry.before.map { try JSONValue(parsing: $0.text) }
        after = try entry.after.map { try JSONValue(parsing: $0.text) }
    }

    static let columns: [LocalizedText] = [
        ["en": "At (UTC)", "ar": "الوقت (UTC)"], ["en": "Market", "ar": "السوق"], ["en": "Service", "ar": "الخدمة"],
        ["en": "Act", "ar": "الإجراء"], ["en": "Admin's account", "ar": "حساب المشرف"],
        ["en": "Admin", "ar": "المشرف"],
        ["en": "Done to", "ar": "الموضوع"], ["en": "About", "ar": "بشأن"], ["en": "Before", "ar": "قبل"],
        ["en": "After", "ar": "بعد"], ["en": "Entry", "ar": "القيد"],
    ]

    @Sendable static func line(_ row: AuditRow) -> [CSVLine.Cell] {
        let entry = row.entry
        return [
            .text(Timestamp.text(entry.at)), .text(entry.market), .text(entry.service), .text(entry.action),
            .text(entry.account?.text), .text(row.name), .text(entry.subject), .text(row.subjectName),
            .text(entry.before.map(values)), .text(entry.after.map(values)), .text(entry.id.text),
        ]
    }

    private static func values(_ json: PostgresJSON) -> String { String(decoding: json.text, as: UTF8.self) }
}
