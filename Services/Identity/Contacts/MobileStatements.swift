import Foundation
import Postgres

/// All stored numbers, in the order of the accounts' ids.
struct ListMobiles: Statement {
    static let sql: SQL = """
        SELECT id, mobile FROM accounts WHERE id > $1 AND mobile IS NOT NULL ORDER BY id LIMIT $2
        """
    let after: UUID
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(after, limit) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> SealedValue {
        SealedValue(id: try row.next(), sealed: try row.next())
    }
}

/// Stores the same number in another form, unless it was changed since it was read. Whether it is proved does not
/// change.
struct RewriteMobile: Statement {
    static let sql: SQL =
        "UPDATE accounts SET mobile = $3, mobile_hash = $4 WHERE id = $1 AND mobile = $2"
    let account: UUID
    let old: [UInt8]
    let new: [UInt8]
    let hash: [UInt8]

    func bind(_ bindings: inout Bindings) { bindings.append(account, old, new, hash) }
}
