import Contracts
import Foundation
import Postgres

extension Fine {
    /// Reads the columns of every statement that selects fines, in this order.
    init(row: inout RowReader) throws(PostgresError) {
        self.init(
            order: try row.next(), market: try row.next(), account: try row.next(), currency: try row.next(),
            amount: try row.next(), provider: try row.next(),
            shares: Shares(provider: try row.next(), platform: try row.next()), chargedAt: try row.next(),
            dueAt: try row.next(), remindedAt: try row.next())
    }
}

/// Inserts a fine. Affects one row when the order has none yet.
struct InsertFine: Statement {
    static let sql: SQL = """
        INSERT INTO fines (
            order_id, market, account, currency, amount, provider, to_provider, to_platform, charged_at, due_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (order_id) DO NOTHING
        """
    let fine: Fine
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            fine.order, fine.market, fine.account, fine.currency, fine.amount, fine.provider, fine.shares.provider,
            fine.shares.platform, fine.chargedAt, fine.dueAt)
    }
}

/// Finds the fine of an order. Only its payment and reminder times ever change.
struct FindFine: Statement {
    static let sql: SQL = """
        SELECT order_id, market, account, currency, amount, provider, to_provider, to_platform, charged_at, due_at,
            reminded_at
        FROM fines WHERE order_id = $1
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Fine { try Fine(row: &row) }
}

/// Records the fine in the payment, so that the check constraint allows refunds up to it.
struct NoteFine: Statement {
    static let sql: SQL = "UPDATE payments SET fined = $2 WHERE order_id = $1 AND fined <> $2"
    let fine: Fine
    func bind(_ bindings: inout Bindings) { bindings.append(fine.order, fine.amount) }
}

/// Locks an account's unpaid fines in a currency, so that concurrent checks do not publish twice.
struct LockFines: Statement {
    static let sql: SQL = """
        SELECT order_id, market, account, currency, amount, provider, to_provider, to_platform, charged_at, due_at,
            reminded_at
        FROM fines WHERE account = $1 AND currency = $2 AND paid_at IS NULL ORDER BY order_id FOR UPDATE
        """
    let account: UUID
    let currency: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, currency) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Fine {
        try Fine(row: &row)
    }
}

struct PayFines: Statement {
    static let sql: SQL = "UPDATE fines SET paid_at = $2 WHERE order_id = ANY ($1) AND paid_at IS NULL"
    let orders: [UUID]
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(orders, at) }
}

struct RemindOfFines: Statement {
    static let sql: SQL = "UPDATE fines SET reminded_at = $2 WHERE order_id = ANY ($1)"
    let orders: [UUID]
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(orders, at) }
}

/// Blocks an account in a market. Returns the block's new version; no row when it is already blocked.
struct BlockAccount: Statement {
    static let sql: SQL = """
        INSERT INTO blocks (account, market, currency, is_blocked, version) VALUES ($1, $2, $3, true, 1)
        ON CONFLICT (account, market) DO UPDATE
        SET is_blocked = true, currency = excluded.currency, version = blocks.version + 1, changed_at = now()
        WHERE NOT blocks.is_blocked
        RETURNING version
        """
    let account: UUID
    let market: String
    let currency: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, currency) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Locks an account's blocks, so that concurrent payments of debts in two currencies see each other.
struct LockBlocks: Statement {
    static let sql: SQL = "SELECT true FROM blocks WHERE account = $1 ORDER BY market FOR UPDATE"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Moves blocks for debts in one currency to an overdue debt of the same market in another currency.
struct MoveBlocksToOtherCurrency: Statement {
    static let sql: SQL = """
        UPDATE blocks SET currency = other.currency, changed_at = now()
        FROM (
            SELECT market, min(currency) AS currency FROM fines
            WHERE account = $1 AND currency <> $2 AND paid_at IS NULL AND due_at <= $3 GROUP BY market
        ) AS other
        WHERE blocks.account = $1 AND blocks.market = other.market AND blocks.currency = $2 AND blocks.is_blocked
        """
    let account: UUID
    let currency: String
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, currency, at) }
}

/// Ends an account's blocks for debts in a currency.
struct EndBlocks: Statement {
    struct Block: Sendable {
        let market: String
        let version: Int
    }

    static let sql: SQL = """
        UPDATE blocks SET is_blocked = false, version = version + 1, changed_at = now()
        WHERE account = $1 AND currency = $2 AND is_blocked RETURNING market, version
        """
    let account: UUID
    let currency: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, currency) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Block {
        Block(market: try row.next(), version: try row.next())
    }
}

/// Finds what a blocked account owes, in a market or in any. Returns no row when it is not blocked or has just paid.
struct FindBlock: Statement {
    static let sql: SQL = """
        SELECT -accounts.balance, accounts.currency FROM blocks
        JOIN accounts ON accounts.owner = blocks.account AND accounts.kind = 'wallet'
            AND accounts.currency = blocks.currency AND accounts.shard = 0
        WHERE blocks.account = $1 AND ($2::text IS NULL OR blocks.market = $2) AND blocks.is_blocked
            AND accounts.balance < 0
        ORDER BY blocks.market LIMIT 1
        """
    let account: UUID
    /// Nil for any.
    let market: String?
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Money {
        Money(amount: try row.next(), currency: try row.next())
    }
}
