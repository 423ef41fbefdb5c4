import Foundation
import Postgres

/// An inbox item's row: a topic and arguments, without texts.
struct StoredItem: Sendable {
    let id: UUID
    let topic: String
    /// JSON.
    let arguments: String
    let order: UUID?
    let at: Date
    let isRead: Bool

    /// Of an item `i`: its own arguments, or those of the general notice, which has the words once for all who get it.
    static let itsArguments: SQL =
        "coalesce((SELECT n.arguments FROM general_notices AS n WHERE n.id = i.notice), i.arguments)"

    init(id: UUID, rest row: inout RowReader) throws(PostgresError) {
        self.id = id
        topic = try row.next()
        arguments = try row.next()
        order = try row.next()
        at = try row.next()
        isRead = try row.next()
    }
}

struct FindLanguage: Statement {
    static let sql: SQL = "SELECT language FROM people WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Lists an account's items after a position, newest first.
struct ListInboxItems: Statement {
    static let sql: SQL = """
        SELECT i.id, i.topic, \(StoredItem.itsArguments), i.order_id, i.at, i.read_at IS NOT NULL
        FROM inbox_items AS i
        WHERE i.account = $1 AND (i.at, i.id) < ($2, $3) ORDER BY i.at DESC, i.id DESC LIMIT $4
        """
    let account: UUID
    /// The last item of the previous page, or ``beginning``.
    let after: (at: Date, id: UUID)
    let limit: Int

    /// A position before all items: the end of the year 9999.
    static let beginning = (
        at: Date(timeIntervalSince1970: 253_402_300_799),
        id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    )

    func bind(_ bindings: inout Bindings) { bindings.append(account, after.at, after.id, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredItem {
        let id: UUID = try row.next()
        return try StoredItem(id: id, rest: &row)
    }
}

struct CountUnreadItems: Statement {
    static let sql: SQL = "SELECT count(*) FROM inbox_items WHERE account = $1 AND read_at IS NULL"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct MarkItemsRead: Statement {
    static let sql: SQL = """
        UPDATE inbox_items SET read_at = now() WHERE account = $1 AND read_at IS NULL AND id = ANY ($2)
        """
    let account: UUID
    let items: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(account, items) }
}

struct MarkAllItemsRead: Statement {
    static let sql: SQL = "UPDATE inbox_items SET read_at = now() WHERE account = $1 AND read_at IS NULL"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct DeleteItems: Statement {
    static let sql: SQL = "DELETE FROM inbox_items WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
