import Foundation
import Postgres

/// The accounts of a set, each once, sorted by their own columns.
struct PostingAccounts: Sendable {
    let references: [AccountReference]

    init(_ references: some Sequence<AccountReference>) {
        self.references = references.sorted(by: Self.isBefore)
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: references, \.kind.rawValue, \.owner, \.currency, \.shard)
    }

    private static func isBefore(_ left: AccountReference, _ right: AccountReference) -> Bool {
        if left.owner != right.owner { return left.owner < right.owner }
        return (left.kind.rawValue, left.currency, left.shard) < (right.kind.rawValue, right.currency, right.shard)
    }
}

/// Opens missing accounts in a fixed order, so that two concurrent sets cannot deadlock.
struct OpenAccounts: Statement {
    static let sql: SQL = """
        INSERT INTO accounts (kind, owner, currency, shard, floor)
        SELECT kind, owner, currency, shard, floor
        FROM unnest($1::text[], $2::uuid[], $3::text[], $4::int8[], $5::int8[]) WITH ORDINALITY
            AS wanted (kind, owner, currency, shard, floor, place)
        WHERE NOT EXISTS (
            SELECT FROM accounts
            WHERE (accounts.owner, accounts.kind, accounts.currency, accounts.shard)
                = (wanted.owner, wanted.kind, wanted.currency, wanted.shard))
        ORDER BY place
        ON CONFLICT DO NOTHING
        """
    let accounts: PostingAccounts
    func bind(_ bindings: inout Bindings) {
        accounts.bind(&bindings)
        bindings.append(accounts.references.map(\.floor))
    }
}

/// A locked account with its current balance.
struct LockedAccount: Sendable {
    let number: Int
    /// Minor units.
    let balance: Int
    let account: AccountReference

    fileprivate init(_ row: inout RowReader) throws(PostgresError) {
        number = try row.next()
        balance = try row.next()
        account = AccountReference(
            kind: try row.choice(AccountReference.Kind.self), owner: try row.next(), currency: try row.next(),
            shard: try row.next())
    }
}

/// Locks existing accounts in one order: accounts of people, orders and the like by number, then accounts without an
/// owner.
struct LockAccounts: Statement {
    static let sql: SQL = """
        SELECT id, balance, kind, owner, currency, shard FROM accounts
        WHERE id = ANY ($1 || ARRAY(
            SELECT accounts.id FROM unnest($2::text[], $3::uuid[], $4::text[], $5::int8[])
                AS wanted (kind, owner, currency, shard)
            JOIN accounts USING (owner, kind, currency, shard)))
        ORDER BY owner = '00000000-0000-0000-0000-000000000000', id
        FOR NO KEY UPDATE
        """
    let numbers: [Int]
    let others: PostingAccounts
    func bind(_ bindings: inout Bindings) {
        bindings.append(numbers)
        others.bind(&bindings)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LockedAccount { try LockedAccount(&row) }
}

/// The same as ``LockAccounts`` when all numbers are known. A separate statement, so that its plan is cached and not
/// made anew for each call.
struct LockKnownAccounts: Statement {
    static let sql: SQL = """
        SELECT id, balance, kind, owner, currency, shard FROM accounts
        WHERE id = ANY ($1)
        ORDER BY owner = '00000000-0000-0000-0000-000000000000', id
        FOR NO KEY UPDATE
        """
    let numbers: [Int]
    func bind(_ bindings: inout Bindings) { bindings.append(numbers) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LockedAccount { try LockedAccount(&row) }
}

/// Finds posted transfers by key.
struct FindPosted: Statement {
    struct Row: Sendable {
        let key: String
        let posted: LedgerBook.Posted
    }

    static let sql: SQL = "SELECT key, id, kind, subject, currency, asked FROM transfers WHERE key = ANY ($1)"
    let keys: [String]
    func bind(_ bindings: inout Bindings) { bindings.append(keys) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            key: try row.next(),
            posted: LedgerBook.Posted(
                id: try row.next(), kind: try row.choice(Transfer.Kind.self), subject: try row.next(),
                currency: try row.next(), asked: try row.next()))
    }
}

/// Finds permanently refused commands by key.
struct FindRefused: Statement {
    struct Row: Sendable {
        let key: String
        let refused: LedgerBook.Refused
    }

    static let sql: SQL = "SELECT key, reason, asked FROM refusals WHERE key = ANY ($1)"
    let keys: [String]
    func bind(_ bindings: inout Bindings) { bindings.append(keys) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            key: try row.next(),
            refused: LedgerBook.Refused(reason: try row.choice(LedgerRefusal.self), asked: try row.next()))
    }
}

/// Reads the entries of transfers by transfer key, in entry order.
struct FindOriginalEntries: Statement {
    struct Row: Sendable {
        let key: String
        let subject: UUID
        let currency: String
        let account: AccountReference
        let amount: Int
    }

    static let sql: SQL = """
        SELECT transfers.key, transfers.subject, transfers.currency,
            accounts.kind, accounts.owner, accounts.currency, accounts.shard, entries.amount
        FROM transfers
        JOIN entries ON entries.transfer = transfers.id
        JOIN accounts ON accounts.id = entries.account
        WHERE transfers.key = ANY ($1) ORDER BY entries.id
        """
    let keys: [String]
    func bind(_ bindings: inout Bindings) { bindings.append(keys) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            key: try row.next(), subject: try row.next(), currency: try row.next(),
            account: AccountReference(
                kind: try row.choice(AccountReference.Kind.self), owner: try row.next(), currency: try row.next(),
                shard: try row.next()),
            amount: try row.next())
    }
}

// MARK: Writing

struct InsertTransfers: Statement {
    static let sql: SQL = """
        INSERT INTO transfers (id, key, kind, currency, subject, chain, place, hash, form, asked)
        SELECT id, key, kind, currency, subject, $1, $2 + place, hash, $9, asked
        FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::bytea[], $10::bytea[]) WITH ORDINALITY
            AS posted (id, key, kind, currency, subject, hash, asked, place)
        """
    let transfers: [Transfer]
    let chain: Int
    /// The place of the transfer before the first new one.
    let after: Int
    let hashes: [[UInt8]]
    func bind(_ bindings: inout Bindings) {
        bindings.append(chain, after)
        bindings.append(columnsOf: transfers, \.id, \.key, \.kind.rawValue, \.currency, \.subject)
        bindings.append(hashes, ChainLink.Form.named.rawValue, transfers.map(\.asked))
    }
}

/// An entry with its account's number and its transfer's id.
struct NumberedEntry: Sendable {
    let entry: LedgerBook.Entry
    /// The account's number.
    let account: Int
    let transfer: UUID
}

/// Inserts entries in the given order, which decides their numbers.
struct InsertEntries: Statement {
    static let sql: SQL = """
        INSERT INTO entries (account, transfer, amount, balance, floor)
        SELECT account, transfer, amount, balance, floor
        FROM unnest($1::int8[], $2::uuid[], $3::int8[], $4::int8[], $5::int8[]) WITH ORDINALITY
            AS posted (account, transfer, amount, balance, floor, place)
        ORDER BY place
        """
    let entries: [NumberedEntry]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: entries, \.account, \.transfer, \.entry.amount, \.entry.balance, \.entry.floor)
    }
}

/// Writes the balances of locked accounts.
struct SetBalances: Statement {
    static let sql: SQL = """
        UPDATE accounts SET balance = new.balance
        FROM unnest($1::int8[], $2::int8[]) AS new (account, balance) WHERE accounts.id = new.account
        """
    let accounts: [Int]
    let balances: [Int]
    func bind(_ bindings: inout Bindings) { bindings.append(accounts, balances) }
}

struct InsertRefusals: Statement {
    static let sql: SQL = """
        INSERT INTO refusals (key, reason, asked)
        SELECT key, reason, asked FROM unnest($1::text[], $2::text[], $3::bytea[]) AS refused (key, reason, asked)
        ON CONFLICT (key) DO NOTHING
        """
    let refusals: [LedgerBook.NewRefusal]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: refusals, \.key, \.reason.rawValue, \.asked)
    }
}
