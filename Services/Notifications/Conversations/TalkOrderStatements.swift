import Contracts
import Foundation
import Postgres

/// Stores the newest version of each order. The time of its end is that of the first version that ended it.
struct StoreTalkOrders: Statement {
    static let sql: SQL = """
        INSERT INTO talk_orders AS t
            (order_id, market, kind, version, state, customer, provider, merchant, ended_at, changed_at)
        SELECT DISTINCT ON (order_id)
            order_id, market, kind, version, state, customer, provider, merchant, ended_at, changed_at
        FROM unnest(
            $1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::uuid[], $7::uuid[], $8::uuid[],
            $9::timestamptz[], $10::timestamptz[]
        ) AS n (order_id, market, kind, version, state, customer, provider, merchant, ended_at, changed_at)
        ORDER BY order_id, version DESC
        ON CONFLICT (order_id) DO UPDATE SET version = EXCLUDED.version, state = EXCLUDED.state,
            customer = EXCLUDED.customer, provider = EXCLUDED.provider, merchant = EXCLUDED.merchant,
            changed_at = EXCLUDED.changed_at,
            ended_at = CASE WHEN EXCLUDED.ended_at IS NOT NULL THEN coalesce(t.ended_at, EXCLUDED.ended_at) END
        WHERE t.version < EXCLUDED.version OR $11 AND t.version = EXCLUDED.version
        """
    let orders: [TalkOrder]
    let isRepublished: Bool
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            columnsOf: orders, \.order, \.market, \.kind, \.version, \.state, \.customer, \.provider, \.merchant,
            \.endedAt, \.changedAt)
        bindings.append(isRepublished)
    }
}

/// Makes the conversations that do not exist yet, with their members.
struct OpenConversations: Statement {
    static let sql: SQL = """
        WITH made AS (
            INSERT INTO conversations (id, market, order_id, pair, created_at, last_at)
            SELECT DISTINCT ON (order_id, pair) id, market, order_id, pair, at, at
            FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::timestamptz[])
                AS n (id, market, order_id, pair, at)
            ORDER BY order_id, pair, at
            ON CONFLICT DO NOTHING
            RETURNING id
        )
        INSERT INTO conversation_members (conversation, account, role, name)
        SELECT n.conversation, n.account, n.role,
            CASE WHEN EXISTS (SELECT FROM streams WHERE account = n.account AND is_gone) THEN $10 ELSE n.name END
        FROM unnest($6::uuid[], $7::uuid[], $8::text[], $9::text[]) AS n (conversation, account, role, name)
        JOIN made ON made.id = n.conversation
        """
    let conversations: [NewConversation]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: conversations, \.id, \.market, \.order, \.pair, \.at)
        let members = conversations.flatMap { one in one.members.map { (conversation: one.id, member: $0) } }
        bindings.append(
            columnsOf: members, \.conversation, \.member.account, \.member.role.rawValue, \.member.name)
        bindings.append(AccountSnapshot.goneName)
    }
}

/// Stores that orders were reported, or that reports are closed, in any order.
struct StoreTalkReports: Statement {
    struct Report: Sendable {
        let report: UUID
        let order: UUID
        let closedAt: Date?
    }

    static let sql: SQL = """
        INSERT INTO talk_reports AS t (report, order_id, closed_at)
        SELECT DISTINCT ON (report) report, order_id, closed_at
        FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS n (report, order_id, closed_at)
        ORDER BY report, closed_at NULLS LAST
        ON CONFLICT (report) DO UPDATE SET closed_at = coalesce(t.closed_at, EXCLUDED.closed_at)
        """
    let reports: [Report]
    func bind(_ bindings: inout Bindings) { bindings.append(columnsOf: reports, \.report, \.order, \.closedAt) }
}

/// Resets the versions of a batch of orders, so that the next republished ones replace them.
struct ResetTalkOrders: Statement {
    static let limit = 500
    static let sql: SQL = """
        UPDATE talk_orders SET version = 0 WHERE order_id IN (
            SELECT order_id FROM talk_orders WHERE version <> 0 ORDER BY order_id LIMIT $1 FOR UPDATE)
        """
    func bind(_ bindings: inout Bindings) { bindings.append(Self.limit) }
}

/// Deletes a market's orders that changed last before a moment.
struct PurgeTalkOrders: Statement {
    static let sql: SQL = """
        WITH old AS (
            SELECT order_id FROM talk_orders WHERE market = $1 AND changed_at < $2 ORDER BY changed_at LIMIT $3
        ), reports AS (
            DELETE FROM talk_reports USING old WHERE talk_reports.order_id = old.order_id
        )
        DELETE FROM talk_orders USING old WHERE talk_orders.order_id = old.order_id
        """
    let market: String
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, before, limit) }
}

/// Deletes a market's conversations in which nothing was said since a moment, with everything in them. That of
/// friends stays as long as they are: it is made but once.
struct PurgeConversations: Statement {
    static let sql: SQL = """
        DELETE FROM conversations WHERE id IN (
            SELECT id FROM conversations
            WHERE market = $1 AND last_at < $2 AND (link_id IS NULL AND group_id IS NULL OR ended_at IS NOT NULL)
            ORDER BY last_at LIMIT $3)
        """
    let market: String
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, before, limit) }
}
