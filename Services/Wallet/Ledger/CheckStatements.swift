import Foundation
import Postgres

/// The sum of the balances of one kind of account in one currency.
struct KindBalance: Sendable, Hashable {
    let currency: String
    let kind: String
    /// Minor units.
    let balance: Int
    let accounts: Int
}

struct SumAccounts: Statement {
    static let sql: SQL = """
        SELECT currency, kind, sum(balance)::bigint, count(*)
        FROM accounts GROUP BY currency, kind ORDER BY currency, kind
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> KindBalance {
        KindBalance(
            currency: try row.next(), kind: try row.next(), balance: try row.next(), accounts: try row.next())
    }
}

struct SumOpenHolds: Statement {
    static let sql: SQL = """
        SELECT currency, sum(amount)::bigint FROM payments
        WHERE state IN ('held', 'frozen', 'capturing', 'releasing', 'crediting') AND method <> 'cash' GROUP BY currency
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WalletRow {
        WalletRow(currency: try row.next(), amount: try row.next())
    }
}

/// A fault found by a check.
struct LedgerFault: Sendable, Hashable, CustomStringConvertible {
    let what: String
    /// An account's number, or the id of a transfer, order or other subject.
    let whose: String
    let expected: Int
    let found: Int

    var description: String { "\(what) of \(whose): \(found) instead of \(expected)" }

    fileprivate init(_ what: String, row: inout RowReader) throws(PostgresError) {
        self.what = what
        whose = try row.next()
        expected = try row.next()
        found = try row.next()
    }
}

/// Finds accounts whose balance is not the sum of their entries.
struct FindWrongBalances: Statement {
    static let sql: SQL = """
        SELECT accounts.id::text, coalesce(sum(entries.amount), 0)::bigint, accounts.balance
        FROM accounts LEFT JOIN entries ON entries.account = accounts.id
        GROUP BY accounts.id, accounts.balance
        HAVING coalesce(sum(entries.amount), 0) <> accounts.balance
        LIMIT 100
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerFault {
        try LedgerFault("balance", row: &row)
    }
}

/// Finds entries whose running balance is not the sum of their account's entries so far.
struct FindWrongEntries: Statement {
    static let sql: SQL = """
        SELECT id::text, rebuilt::bigint, balance
        FROM (SELECT id, balance, sum(amount) OVER (PARTITION BY account ORDER BY id) AS rebuilt FROM entries) AS history
        WHERE rebuilt <> balance LIMIT 100
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerFault {
        try LedgerFault("running balance at entry", row: &row)
    }
}

/// Finds transfers whose entries do not sum to zero, or whose accounts have another currency than the transfer.
struct FindUnbalancedTransfers: Statement {
    static let sql: SQL = """
        SELECT transfers.id::text, 0::bigint, sum(entries.amount)::bigint
        FROM transfers
        JOIN entries ON entries.transfer = transfers.id
        JOIN accounts ON accounts.id = entries.account
        GROUP BY transfers.id
        HAVING sum(entries.amount) <> 0 OR bool_or(accounts.currency <> transfers.currency)
        LIMIT 100
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerFault {
        try LedgerFault("sum", row: &row)
    }
}

/// Finds escrow, deposit and refund accounts whose balance differs from the amount that the payment, deposit or refund
/// says is held.
struct FindWrongEscrows: Statement {
    static let sql: SQL = """
        SELECT coalesce(account.kind, hold.kind), coalesce(account.owner, hold.owner)::text,
            coalesce(hold.amount, 0), coalesce(account.balance, 0)
        FROM (
            SELECT kind, owner, currency, balance FROM accounts WHERE kind IN ('escrow', 'deposit', 'refund')
        ) AS account
        FULL JOIN (
            SELECT 'escrow' AS kind, order_id AS owner, currency, amount FROM payments
            WHERE state IN ('held', 'frozen', 'capturing', 'releasing', 'crediting') AND method <> 'cash'
            UNION ALL SELECT 'deposit', order_id, currency, amount FROM deposits WHERE state = 'locked'
            UNION ALL SELECT 'refund', id, currency, amount FROM refunds WHERE state = 'asked'
        ) AS hold ON hold.kind = account.kind AND hold.owner = account.owner AND hold.currency = account.currency
        WHERE coalesce(hold.amount, 0) <> coalesce(account.balance, 0)
        LIMIT 100
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerFault {
        try LedgerFault(try row.next(), row: &row)
    }
}

/// Finds orders where the refunds exceed what the customer paid plus the fine, or where the refunds do not sum to the
/// payment's `refunded`.
struct FindWrongRefunds: Statement {
    static let sql: SQL = """
        SELECT payments.order_id::text, payments.refunded, coalesce(sum(refunds.amount), 0)::bigint
        FROM payments LEFT JOIN refunds ON refunds.order_id = payments.order_id AND refunds.funder <> 'hold'
        LEFT JOIN fines ON fines.order_id = payments.order_id
        WHERE payments.refunded > 0 OR refunds.id IS NOT NULL
        GROUP BY payments.id, fines.order_id
        HAVING payments.refunded <> coalesce(sum(refunds.amount), 0)
            OR payments.refunded > greatest(coalesce(payments.settled, 0) - payments.discount, 0) + payments.tipped
                + coalesce(fines.amount, 0)
        LIMIT 100
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerFault {
        try LedgerFault("refunds", row: &row)
    }
}

/// Finds holds whose account has the wrong balance: the amount for an open hold, zero for an ended one.
struct FindWrongHolds: Statement {
    static let sql: SQL = """
        SELECT coalesce(kept.owner, hold.id)::text, coalesce(hold.amount, 0), coalesce(kept.balance, 0)
        FROM (SELECT owner, currency, balance FROM accounts WHERE kind = 'hold') AS kept
        FULL JOIN (SELECT id, currency, amount FROM holds WHERE state = 'open') AS hold
            ON hold.id = kept.owner AND hold.currency = kept.currency
        WHERE coalesce(hold.amount, 0) <> coalesce(kept.balance, 0)
        LIMIT 100
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerFault {
        try LedgerFault("hold", row: &row)
    }
}

/// Finds holds whose owner, currency or amount differs from the transfer that placed them. The rest of a capture goes
/// to the hold's owner, so a changed owner would receive somebody else's money.
struct FindChangedHolds: Statement {
    static let sql: SQL = """
        SELECT holds.id::text, CASE WHEN placed.owner = holds.owner THEN -placed.amount ELSE 0 END, holds.amount
        FROM holds LEFT JOIN (
            SELECT transfers.key, accounts.owner, accounts.currency, entries.amount
            FROM transfers JOIN entries ON entries.transfer = transfers.id JOIN accounts ON accounts.id = entries.account
            WHERE accounts.kind = 'wallet'
        ) AS placed ON placed.key = 'hold.place:' || holds.id
        WHERE holds.state <> 'neverBegan' AND (placed.owner, placed.currency, -placed.amount)
            IS DISTINCT FROM (holds.owner, holds.currency, holds.amount)
        LIMIT 100
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerFault {
        try LedgerFault("hold", row: &row)
    }
}

/// Finds entries without a transfer or an account. The table has no foreign keys that prevent them.
struct FindLostEntries: Statement {
    static let sql: SQL = """
        SELECT entries.id::text, 0::bigint, entries.amount
        FROM entries
        LEFT JOIN transfers ON transfers.id = entries.transfer
        LEFT JOIN accounts ON accounts.id = entries.account
        WHERE transfers.id IS NULL OR accounts.id IS NULL LIMIT 100
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerFault {
        try LedgerFault("entry that belongs to nothing", row: &row)
    }
}

/// Finds cash-outs whose account has the wrong balance: the amount while waiting or paying, otherwise zero.
struct FindWrongCashOuts: Statement {
    static let sql: SQL = """
        SELECT coalesce(held.owner, request.id)::text, coalesce(request.amount, 0), coalesce(held.balance, 0)
        FROM (SELECT owner, currency, balance FROM accounts WHERE kind = 'cashOut') AS held
        FULL JOIN (
            SELECT id, currency, amount FROM cash_outs WHERE state IN ('waiting', 'paying')
        ) AS request ON request.id = held.owner AND request.currency = held.currency
        WHERE coalesce(request.amount, 0) <> coalesce(held.balance, 0)
        LIMIT 100
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerFault {
        try LedgerFault("cash-out", row: &row)
    }
}

/// Finds currencies where the promotion accounts differ from the sum of the payments' discounts.
struct FindWrongPromotions: Statement {
    static let sql: SQL = """
        SELECT coalesce(paid.currency, given.currency), -coalesce(given.discount, 0), coalesce(paid.balance, 0)
        FROM (
            SELECT currency, sum(balance)::bigint AS balance FROM accounts WHERE kind = 'promotion' GROUP BY currency
        ) AS paid
        FULL JOIN (
            SELECT currency,
                sum(CASE state WHEN 'captured' THEN least(discount, coalesce(settled, amount)) ELSE discount END)::bigint
                    AS discount
            FROM payments
            WHERE discount > 0 AND (state = 'captured'
                OR state IN ('held', 'frozen', 'capturing', 'releasing', 'crediting') AND method <> 'cash')
            GROUP BY currency
        ) AS given ON given.currency = paid.currency
        WHERE -coalesce(given.discount, 0) <> coalesce(paid.balance, 0)
        LIMIT 100
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerFault {
        try LedgerFault("promotions", row: &row)
    }
}

/// Finds debts whose account balance differs from the unpaid amount.
struct FindWrongDebts: Statement {
    static let sql: SQL = """
        SELECT coalesce(kept.owner, debt.transfer)::text, coalesce(debt.unpaid, 0), coalesce(kept.balance, 0)
        FROM (SELECT owner, shard, currency, balance FROM accounts WHERE kind = 'debt') AS kept
        FULL JOIN debts AS debt
            ON debt.transfer = kept.owner AND debt.place = kept.shard AND debt.currency = kept.currency
        WHERE coalesce(debt.unpaid, 0) <> coalesce(kept.balance, 0)
        LIMIT 100
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerFault {
        try LedgerFault("debt", row: &row)
    }
}

/// Finds orders whose commission lines are not what the ledger's entries say.
struct FindWrongCommissions: Statement {
    static let sql: SQL = """
        SELECT coalesce(part.order_id, line.order_id)::text, coalesce(part.commission, 0), coalesce(line.commission, 0)
        FROM commission_parts AS part
        FULL JOIN commission_lines AS line ON line.order_id = part.order_id AND line.party = part.party
        WHERE (part.market, part.currency, part.at, part.basis_points, part.revenue, part.commission)
            IS DISTINCT FROM (line.market, line.currency, line.at, line.basis_points, line.revenue, line.commission)
        LIMIT 100
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerFault {
        try LedgerFault("commission", row: &row)
    }
}

/// Finds markets' days whose sums of commissions are not those of their lines.
struct FindWrongCommissionDays: Statement {
    static let sql: SQL = """
        SELECT market || ' ' || to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD') || ' ' || party,
            sum(lines)::bigint, sum(sums)::bigint
        FROM (
            SELECT market, currency, day, party, basis_points, 0 AS lines, commission AS sums, -payments AS payments,
                -revenue AS revenue
            FROM commission_days
            UNION ALL
            SELECT market, currency, date_trunc('day', at, 'UTC'), party, basis_points, commission, 0, 1, revenue
            FROM commission_lines
        ) AS both_sides
        GROUP BY market, currency, day, party, basis_points
        HAVING sum(lines) <> sum(sums) OR sum(payments) <> 0 OR sum(revenue) <> 0
        LIMIT 100
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerFault {
        try LedgerFault("commissions of a day", row: &row)
    }
}
