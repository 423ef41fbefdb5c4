import Contracts
import Foundation
import Postgres

extension Fine {
    /// The columns of every statement that reads fines, in this order.
    init(row: inout RowReader) throws(PostgresError) {
        self.init(
            order: try row.next(), market: try row.next(), account: try row.next(), currency: try row.next(),
            amount: try row.next(), provider: try row.next(),
            shares: Shares(provider: try row.next(), platform: try row.next()), chargedAt: try row.next(),
            dueAt: try row.next(), remindedAt: try row.next())
    }
}

/// A new fine. One row is touched when the order has none yet.
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

/// The fine of an order. It never changes but for when it is paid.
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

/// Lets a payment's refunds reach its order's fine.
struct NoteFine: Statement {
    static let sql: SQL = "UPDATE payments SET fined = $2 WHERE order_id = $1 AND fined <> $2"
    let fine: Fine
    func bind(_ bindings: inout Bindings) { bindings.append(fine.order, fine.amount) }
}

/// The unpaid fines of an account in a currency. Locked, so that two checks of them do not both say the same.
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

/// Blocks an account in a market. Returns the block's new version; nothing when it is blocked already.
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

/// Locks an account's blocks, so that two debts in two currencies that are paid at once see each other.
struct LockBlocks: Statement {
    static let sql: SQL = "SELECT true FROM blocks WHERE account = $1 ORDER BY market FOR UPDATE"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Blocks for debts in a currency go on for what is owed in another one there and overdue.
struct PassBlocksOn: Statement {
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

/// Ends the blocks of an account for debts in a currency.
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

/// What an account that is blocked in a market, or in any, owes; nothing when it is not, or has just paid.
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
