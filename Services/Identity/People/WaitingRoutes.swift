import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// How much of identity's waits for a market's admins. It names nobody, so a look is no entry of the audit log, and
/// the console may count again and again.
struct WaitingRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/markets/{market}/waiting", context: AuthenticatedContext.self)
            .get(use: count)
    }

    private func count(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket().id
        let isMaster = context.caller.has(Role.Kind.admin.rawValue, in: Role.everyMarket)
        let counted = try await parts.pool.first(
            CountWaitingPeople(market: market, now: parts.clock(), isMaster: isMaster))
        guard let counted else { throw Problem.notFound }
        return try .json(.ok, counted)
    }
}

/// The lengths of the lists that a market's admins work off; each has an index.
struct CountWaitingPeople: Statement {
    struct Row: Encodable, Sendable {
        /// Providers whom nobody has verified or rejected.
        let papers: Int
        /// Families that both have agreed to.
        let families: Int
        let removals: Int
        /// Professions that Nafath named and that are no title of the market.
        let professions: Int
    }

    static let sql: SQL = """
        SELECT
            (SELECT count(*) FROM roles r JOIN accounts a ON a.id = r.account
                WHERE r.role = 'provider' AND r.market = $1 AND r.state = 'waiting' AND a.confirmed_at IS NOT NULL),
            (SELECT count(*) FROM links WHERE market = $1 AND state = 'agreed'),
            (SELECT count(*) FROM \(ListRemovals.due)),
            (SELECT count(*) FROM title_questions WHERE market = $1 AND decided_at IS NULL)
        """
    let market: String
    let now: Date
    /// As ``ListRemovals/isMaster``.
    let isMaster: Bool

    func bind(_ bindings: inout Bindings) { bindings.append(market, now, isMaster) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            papers: try row.next(), families: try row.next(), removals: try row.next(), professions: try row.next())
    }
}
