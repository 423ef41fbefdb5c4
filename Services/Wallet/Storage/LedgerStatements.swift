import Foundation
import Postgres

/// The accounts of a set of transfers, each once, in an order that only depends on what they are.
struct PostingAccounts: Sendable {
    let references: [AccountReference]

    init(_ transfers: [Transfer]) {
        references = Set(transfers.flatMap(\.moves).flatMap { [$0.from, $0.to] }).sorted(by: Self.isBefore)
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(references.map(\.kind.rawValue))
        bindings.append(references.map(\.owner))
        bindings.append(references.map(\.currency))
        bindings.append(references.map(\.shard))
    }

    private static func isBefore(_ left: AccountReference, _ right: AccountReference) -> Bool {
        (left.owner.uuidString, left.kind.rawValue, left.currency, left.shard)
            < (right.owner.uuidString, right.kind.rawValue, right.currency, right.shard)
    }
}

/// Opens those accounts that there are not yet, in one order, so that two posters cannot wait for each other.
struct OpenAccounts: Statement {
    static let sql: StaticString = """
        INSERT INTO accounts (kind, owner, currency, shard, floor)
        SELECT kind, owner, currency, shard, floor
        FROM unnest($1::text[], $2::uuid[], $3::text[], $4::int8[], $5::int8[])
            AS wanted (kind, owner, currency, shard, floor)
        WHERE NOT EXISTS (
            SELECT FROM accounts
            WHERE (accounts.owner, accounts.kind, accounts.currency, accounts.shard)
                = (wanted.owner, wanted.kind, wanted.currency, wanted.shard))
        ON CONFLICT DO NOTHING
        """
    let accounts: PostingAccounts
    func bind(_ bindings: inout Bindings) {
        accounts.bind(&bindings)
        bindings.append(accounts.references.map(\.floor))
    }
}

/// Locks the accounts in one order: people's and orders' by id, then the platform's and the payment provider's, which
/// others wait for and which therefore are locked for the shortest time.
struct LockAccounts: Statement {
    static let sql: StaticString = """
        SELECT accounts.id
        FROM unnest($1::text[], $2::uuid[], $3::text[], $4::int8[]) AS wanted (kind, owner, currency, shard)
        JOIN accounts USING (owner, kind, currency, shard)
        ORDER BY accounts.kind IN ('platform', 'external', 'promotion'), accounts.id
        FOR NO KEY UPDATE OF accounts
        """
    let accounts: PostingAccounts
    func bind(_ bindings: inout Bindings) { accounts.bind(&bindings) }
}

/// Posts transfers whose accounts are open and locked: those whose key is new, in the order given. Both entries of a
/// move are made here from its one amount. Returns the ids of the transfers that were posted.
///
/// A debit below its floor violates `entries_above_floor`, and nothing of the transaction remains.
struct PostTransfers: Statement {
    static let sql: StaticString = """
        WITH known AS (
            SELECT wanted.place, accounts.id, accounts.floor
            FROM unnest($1::text[], $2::uuid[], $3::text[], $4::int8[]) WITH ORDINALITY
                AS wanted (kind, owner, currency, shard, place)
            JOIN accounts USING (owner, kind, currency, shard)
        ), posted AS (
            INSERT INTO transfers (id, key, kind, currency, subject)
            SELECT id, key, kind, currency, subject
            FROM unnest($5::uuid[], $6::text[], $7::text[], $8::text[], $9::uuid[]) WITH ORDINALITY
                AS wanted (id, key, kind, currency, subject, place)
            ORDER BY key, place
            ON CONFLICT (key) DO NOTHING
            RETURNING id
        ), legs AS (
            SELECT move.transfer, move.place * 2 + leg.side AS place, known.id AS account, leg.amount,
                CASE WHEN move.overdraws THEN NULL ELSE known.floor END AS floor
            FROM unnest($10::uuid[], $11::int8[], $12::int8[], $13::int8[], $14::bool[]) WITH ORDINALITY
                AS move (transfer, source, target, amount, overdraws, place)
            JOIN posted ON posted.id = move.transfer
            CROSS JOIN LATERAL (VALUES (0, move.source, -move.amount), (1, move.target, move.amount))
                AS leg (side, account, amount)
            JOIN known ON known.place = leg.account
        ), changed AS (
            UPDATE accounts SET balance = accounts.balance + delta.amount
            FROM (SELECT account, sum(amount)::bigint AS amount FROM legs GROUP BY account) AS delta
            WHERE accounts.id = delta.account
            RETURNING accounts.id, accounts.balance - delta.amount AS balance
        ), written AS (
            INSERT INTO entries (account, transfer, amount, balance, floor)
            SELECT legs.account, legs.transfer, legs.amount,
                (changed.balance + sum(legs.amount) OVER (PARTITION BY legs.account ORDER BY legs.place))::bigint,
                legs.floor
            FROM legs JOIN changed ON changed.id = legs.account
            ORDER BY legs.place
        )
        SELECT id FROM posted
        """
    let accounts: PostingAccounts
    let transfers: [Transfer]

    func bind(_ bindings: inout Bindings) {
        accounts.bind(&bindings)
        bindings.append(transfers.map(\.id))
        bindings.append(transfers.map(\.key))
        bindings.append(transfers.map(\.kind.rawValue))
        bindings.append(transfers.map(\.currency))
        bindings.append(transfers.map(\.subject))
        let moves = transfers.flatMap { transfer in transfer.moves.map { (transfer.id, $0) } }
        // Counted from one, as WITH ORDINALITY counts.
        let places = Dictionary(uniqueKeysWithValues: zip(accounts.references, 1...))
        bindings.append(moves.map(\.0))
        bindings.append(moves.map { places[$0.1.from] })
        bindings.append(moves.map { places[$0.1.to] })
        bindings.append(moves.map(\.1.amount))
        bindings.append(moves.map(\.1.overdraws))
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
