import Foundation
import Hummingbird
import Postgres
import ServiceKit

/// Tells a market's admins how much waits for them here: numbers for the console, which asks for them again and again. They
/// show nobody, so reading them is no entry of the audit log.
struct WaitingTalkRoutes: Sendable {
    let pool: PostgresPool

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/waiting") { request, context in
            let market = try context.adminMarket()
            try QueryForm(request).finish()
            let counts = try await pool.first(CountWaitingTalk(market: market, admin: context.caller.accountID))
            return counts ?? WaitingTalkView(inquiries: 0, messageReports: 0, inbox: 0)
        }
    }
}

struct WaitingTalkView: ResponseEncodable, Sendable {
    /// Without an answer.
    let inquiries: Int
    /// Reported messages that nobody has looked at.
    let messageReports: Int
    /// What waits in the admins' inbox, taken by nobody or by the caller.
    let inbox: Int
}

/// Each by an index of what is open.
struct CountWaitingTalk: Statement {
    static let sql: SQL = """
        SELECT (SELECT count(*) FROM inquiries WHERE market = $1 AND NOT is_answered),
            (SELECT count(*) FROM message_reports WHERE market = $1 AND closed_at IS NULL),
            (SELECT count(*) FROM admin_items
                WHERE market = $1 AND (state = 'waiting' OR state = 'taken' AND taken_by = $2))
        """
    let market: String
    let admin: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, admin) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WaitingTalkView {
        WaitingTalkView(inquiries: try row.next(), messageReports: try row.next(), inbox: try row.next())
    }
}
