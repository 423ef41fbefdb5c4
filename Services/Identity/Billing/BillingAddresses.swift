import Foundation
import Messaging
import Postgres
import SeraiJSON

/// Keeps and opens billing addresses. Each is sealed for its own row, so a new address gets a new row id.
struct BillingAddresses: Sendable {
    let cipher: PersonalDataCipher

    func put(
        _ address: BillingAddress, of account: UUID, in market: String, at now: Date,
        _ transaction: PostgresTransaction
    ) throws {
        let id = UUID.timeOrdered()
        let sealed = try cipher.seal(bytes: try JSON.sorted.encode(address), .billingAddress, of: id)
        transaction.send(PutBillingAddress(id: id, account: account, market: market, sealed: sealed, now: now))
    }

    func open(_ row: BillingAddressRow) throws -> BillingAddress {
        try JSON.stored.decode(BillingAddress.self, try cipher.open(bytes: row.sealed, .billingAddress, of: row.id))
    }
}

struct BillingAddressRow: Sendable {
    let id: UUID
    let market: String
    let sealed: [UInt8]

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        market = try row.next()
        sealed = try row.next()
    }
}

struct PutBillingAddress: Statement {
    static let sql: SQL = """
        INSERT INTO billing_addresses (id, account, market, sealed, changed_at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (account, market) DO UPDATE SET
            id = excluded.id, sealed = excluded.sealed, changed_at = excluded.changed_at
        """
    let id: UUID
    let account: UUID
    let market: String
    let sealed: [UInt8]
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(id, account, market, sealed, now) }
}

/// Lists an account's billing addresses.
struct ListBillingAddresses: Statement {
    static let sql: SQL = """
        SELECT id, market, sealed FROM billing_addresses WHERE account = $1 AND ($2::text IS NULL OR market = $2)
        ORDER BY market
        """
    let account: UUID
    /// Nil for all markets.
    let market: String?
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> BillingAddressRow {
        try BillingAddressRow(&row)
    }
}

struct DeleteBillingAddress: Statement {
    static let sql: SQL = "DELETE FROM billing_addresses WHERE account = $1 AND market = $2"
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
}

struct FindSealedBillingAddresses: FindSealed {
    static let sql: SQL = """
        SELECT id, sealed FROM billing_addresses WHERE id > $1 AND substring(sealed FROM 1 FOR $3) <> $2
        ORDER BY id LIMIT $4
        """
    let batch: SealedBatch
    init(_ batch: SealedBatch) { self.batch = batch }
}

struct ReplaceSealedBillingAddress: ReplaceSealed {
    static let sql: SQL = "UPDATE billing_addresses SET sealed = $3 WHERE id = $1 AND sealed = $2"
    let change: SealedChange
    init(_ change: SealedChange) { self.change = change }
}
