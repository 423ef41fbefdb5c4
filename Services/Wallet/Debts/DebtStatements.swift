import Foundation
import Postgres

extension Debt {
    /// Reads the columns of every statement that selects debts, in this order.
    fileprivate init(row: inout RowReader) throws(PostgresError) {
        number = try row.next()
        let (transfer, place): (UUID, Int) = (try row.next(), try row.next())
        debtor = try row.next()
        receiver = try row.next()
        account = .debt(transfer, try row.next(), place: place)
        amount = try row.next()
        unpaid = try row.next()
        let market: String? = try row.next()
        let order: UUID? = try row.next()
        let line: String? = try row.next()
        if let market, let order, let line {
            owed = Move.DebtNotice(market: market, order: order, line: line)
        } else {
            owed = nil
        }
        entry = try row.next()
    }
}

/// Inserts the debts of this transaction, after their entries.
struct InsertDebts: Statement {
    static let sql: SQL = """
        INSERT INTO debts (
            transfer, place, debtor, receiver, currency, amount, unpaid, market, order_id, line, entry)
        SELECT transfer, place, debtor, receiver, currency, amount, amount, market, order_id, line,
            (SELECT min(entries.id) FROM entries WHERE entries.account = new.account)
        FROM unnest($1::uuid[], $2::int8[], $3::uuid[], $4::uuid[], $5::text[], $6::int8[], $7::text[], $8::uuid[],
                $9::text[], $10::int8[]) WITH ORDINALITY
            AS new (transfer, place, debtor, receiver, currency, amount, market, order_id, line, account, turn)
        ORDER BY turn
        """
    let debts: [LedgerBook.NewDebt]
    /// The numbers of the debts' accounts.
    let numbers: [Int]
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            columnsOf: debts, \.account.owner, \.account.shard, \.debtor.owner, \.receiver.owner, \.account.currency,
            \.amount)
        bindings.append(debts.map(\.owed?.market), debts.map(\.owed?.order), debts.map(\.owed?.line), numbers)
    }
}

/// Never waits for a row lock: only the transaction that has locked a debtor's wallet inserts the debtor's row.
struct InsertDebtors: Statement {
    static let sql: SQL = """
        INSERT INTO debtors (account, currency)
        SELECT DISTINCT account, currency FROM unnest($1::uuid[], $2::text[]) AS new (account, currency)
        ON CONFLICT DO NOTHING
        """
    let debtors: [AccountReference]
    func bind(_ bindings: inout Bindings) { bindings.append(columnsOf: debtors, \.owner, \.currency) }
}

/// Sets an immediate deadline for debtors whose credits the trigger on `accounts` does not see, because their wallets
/// end no higher than they began.
struct ScheduleDebtSettlement: Statement {
    static let sql: SQL = """
        INSERT INTO deadlines (kind, subject, due_at, payload)
        SELECT $3, account::text || ' ' || currency || ' ' || pg_current_xact_id()::text, now(), '{}'
        FROM unnest($1::uuid[], $2::text[]) AS raised (account, currency)
        WHERE EXISTS (
            SELECT FROM debts
            WHERE debts.debtor = raised.account AND debts.currency = raised.currency AND debts.unpaid > 0)
        ON CONFLICT (kind, subject) DO NOTHING
        """
    let debtors: [AccountReference]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: debtors, \.owner, \.currency)
        bindings.append(SettleDebts.kind)
    }
}

/// Locks debtors' rows, before their debts and accounts.
struct LockDebtors: Statement {
    struct Row: Sendable {
        let debtor: AccountReference
        let place: DebtQueue.Place
    }

    static let sql: SQL = """
        SELECT debtors.account, debtors.currency, debtors.counted_to, debtors.counted_part
        FROM debtors JOIN unnest($1::uuid[], $2::text[]) AS wanted (account, currency) USING (account, currency)
        ORDER BY debtors.account, debtors.currency FOR UPDATE OF debtors
        """
    let debtors: [AccountReference]
    func bind(_ bindings: inout Bindings) { bindings.append(columnsOf: debtors, \.owner, \.currency) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            debtor: .wallet(try row.next(), try row.next()),
            place: DebtQueue.Place(entry: try row.next(), part: try row.next()))
    }
}

/// Locks the oldest debts of several debtors, in one order.
struct LockDebts: Statement {
    static let sql: SQL = """
        SELECT number, transfer, place, debtor, receiver, currency, amount, unpaid, market, order_id, line, entry FROM debts
        WHERE unpaid > 0 AND number = ANY (ARRAY(
            SELECT oldest.number FROM unnest($1::uuid[], $2::text[]) AS wanted (account, currency)
            CROSS JOIN LATERAL (
                SELECT debts.number FROM debts
                WHERE debts.debtor = wanted.account AND debts.currency = wanted.currency AND debts.unpaid > 0
                ORDER BY debts.number LIMIT $3) AS oldest))
        ORDER BY number FOR UPDATE
        """
    let debtors: [AccountReference]
    /// The maximum number of debts per debtor.
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: debtors, \.owner, \.currency)
        bindings.append(limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Debt { try Debt(row: &row) }
}

/// Locks what one account waits for from another, oldest first.
struct LockDebtsBetween: Statement {
    static let sql: SQL = """
        SELECT number, transfer, place, debtor, receiver, currency, amount, unpaid, market, order_id, line, entry FROM debts
        WHERE debtor = $1 AND currency = $2 AND receiver = $3 AND unpaid > 0 ORDER BY number LIMIT 200 FOR UPDATE
        """
    let debtor: UUID
    let currency: String
    let receiver: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(debtor, currency, receiver) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Debt { try Debt(row: &row) }
}

/// Locks what one account waits for in a currency, whoever owes it, oldest first.
struct LockDebtsOfReceiver: Statement {
    static let sql: SQL = """
        SELECT number, transfer, place, debtor, receiver, currency, amount, unpaid, market, order_id, line, entry FROM debts
        WHERE receiver = $1 AND currency = $2 AND unpaid > 0 ORDER BY number LIMIT $3 FOR UPDATE
        """
    let receiver: UUID
    let currency: String
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(receiver, currency, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Debt { try Debt(row: &row) }
}

/// Finds the names and titles of statement lines by their sources.
struct FindLines: Statement {
    struct Row: Sendable {
        let source: String
        let payer: String
        let beneficiary: String
        /// By language.
        let title: [String: String]
    }

    static let sql: SQL = """
        SELECT source, payer, beneficiary, title::text FROM statement_lines WHERE account = $1 AND source = ANY ($2)
        """
    let account: UUID
    let sources: [String]
    func bind(_ bindings: inout Bindings) { bindings.append(account, sources) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            source: try row.next(), payer: try row.next(), beneficiary: try row.next(),
            title: StoredText.decode(try row.next()))
    }
}

/// Whether a debtor has debts newer than a given one. The debtor's wallet must be locked.
struct HasNewerDebts: Statement {
    static let sql: SQL = """
        SELECT EXISTS (SELECT FROM debts WHERE debtor = $1 AND currency = $2 AND unpaid > 0 AND number > $3)
        """
    let debtor: AccountReference
    let number: Int
    func bind(_ bindings: inout Bindings) { bindings.append(debtor.owner, debtor.currency, number) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Lists the credits that raised a debtor's wallet while it was below zero, from an entry on. A cancelled debt does not
/// count as a payment.
struct ListDebtorCredits: Statement {
    static let sql: SQL = """
        SELECT entries.id, least(entries.balance, 0) - (entries.balance - entries.amount)
        FROM accounts JOIN entries ON entries.account = accounts.id AND entries.id >= $3
        JOIN transfers ON transfers.id = entries.transfer
        WHERE accounts.owner = $1 AND accounts.kind = 'wallet' AND accounts.currency = $2 AND accounts.shard = 0
            AND entries.amount > 0 AND entries.balance - entries.amount < 0 AND transfers.kind <> 'debtCancelled'
        ORDER BY entries.id LIMIT $4
        """
    let debtor: AccountReference
    let from: Int
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(debtor.owner, debtor.currency, from, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> DebtQueue.Credit {
        DebtQueue.Credit(entry: try row.next(), raisedBy: try row.next())
    }
}

struct MoveDebtor: Statement {
    static let sql: SQL =
        "UPDATE debtors SET counted_to = $3, counted_part = $4 WHERE account = $1 AND currency = $2"
    let debtor: AccountReference
    let place: DebtQueue.Place
    func bind(_ bindings: inout Bindings) {
        bindings.append(debtor.owner, debtor.currency, place.entry, place.part)
    }
}

/// Reduces locked debts by the amounts paid.
struct ReduceDebts: Statement {
    static let sql: SQL = """
        UPDATE debts SET unpaid = unpaid - part.amount,
            ended_at = CASE WHEN unpaid = part.amount THEN now() END
        FROM unnest($1::int8[], $2::int8[]) AS part (number, amount) WHERE debts.number = part.number
        """
    let numbers: [Int]
    let amounts: [Int]
    func bind(_ bindings: inout Bindings) { bindings.append(numbers, amounts) }
}

/// Raises or lowers the waiting amounts of statement lines.
struct ChangeWaitingLines: Statement {
    static let sql: SQL = """
        UPDATE statement_lines SET waiting = greatest(waiting + part.amount, 0), changed_at = now()
        FROM (
            SELECT account, source, sum(amount)::bigint AS amount
            FROM unnest($1::uuid[], $2::text[], $3::int8[]) AS part (account, source, amount) GROUP BY account, source
        ) AS part
        WHERE statement_lines.account = part.account AND statement_lines.source = part.source
        """
    let changes: [(account: UUID, line: String, amount: Int)]
    func bind(_ bindings: inout Bindings) { bindings.append(columnsOf: changes, \.account, \.line, \.amount) }
}

/// Sums what waits for an account until its debtors have paid.
struct ListWaiting: Statement {
    static let sql: SQL = """
        SELECT currency, sum(unpaid)::bigint FROM debts WHERE receiver = $1 AND unpaid > 0 GROUP BY currency
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WalletRow {
        WalletRow(currency: try row.next(), amount: try row.next())
    }
}
