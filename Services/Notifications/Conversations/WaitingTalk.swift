import Foundation
import Hummingbird
import Postgres
import ServiceKit

/// Tells a market's admins how much talk waits for them: numbers for the console, which asks for them again and again. They
/// show nobody, so reading them is no entry of the audit log.
struct WaitingTalkRoutes: Sendable {
    let pool: PostgresPool

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/waiting") { request, context in
            let market = try context.adminMarket()
            try QueryForm(request).finish()
            let counts = try await pool.first(CountWaitingTalk(market: market))
            return counts ?? WaitingTalkView(inquiries: 0, messageReports: 0)
        }
    }
}

struct WaitingTalkView: ResponseEncodable, Sendable {
    /// Without an answer.
    let inquiries: Int
    /// Reported messages that nobody has looked at.
    let messageReports: Int
}

/// Each by an index of what is open.
struct CountWaitingTalk: Statement {
    static let sql: SQL = """
        SELECT (SELECT count(*) FROM inquiries WHERE market = $1 AND NOT is_answered),
            (SELECT count(*) FROM message_reports WHERE market = $1 AND closed_at IS NULL)
        """
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WaitingTalkView {
        WaitingTalkView(inquiries: try row.next(), messageReports: try row.next())
    }
}
