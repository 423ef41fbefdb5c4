import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

extension AdminRoutes {
    /// `GET audit`: newest first, limited to the markets where the caller is an admin.
    @Sendable func audit(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<AuditEntryView> {
        try context.caller.requireAdmin()
        let query = QueryForm(request)
        let market = query.text("market")
        try query.finish()
        if let market { try context.caller.require("admin", in: market) }
        let markets = market.map { [$0] } ?? context.caller.administered
        let page = try query.page(
            of: "audit", .descending, where: ["markets": markets?.joined(separator: " ") ?? "*"],
            owner: context.caller.accountID, sealedBy: sealer)
        let before = page.position(first: .newest)
        let rows =
            if let markets {
                try await pool.query(
                    ListAuditOfMarkets(markets: markets, before: before, limit: page.fetchLimit))
            } else {
                try await pool.query(ListAudit(before: before, limit: page.fetchLimit))
            }
        return try page.answer(rows, at: { ($0.entry.at, $0.entry.id) }, item: AuditEntryView.init)
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
}
