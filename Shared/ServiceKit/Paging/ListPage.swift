public import Foundation

/// The page of a list that a request asks for: `?limit=20&cursor=…`. ``QueryForm/page(of:_:where:owner:sealedBy:defaultLimit:)``
/// makes it, with the list's scope, order and sealer, and ``answer(_:position:item:)`` turns rows into a ``Page``.
public struct ListPage: Sendable {
    public static let defaultLimit = 20
    public static let maximumLimit = 100
    static let parameters: Set = ["limit", "cursor"]

    /// The most rows.
    public let limit: Int
    /// Names the last row before the page; nil for the first page.
    public let cursor: Cursor?
    public let direction: Cursor.Direction
    let scope: CursorScope
    let sealer: CursorSealer

    /// The limit for the database: one row more than the page, which shows whether there is a next page.
    public var fetchLimit: Int { limit + 1 }

    /// The last row before the page, in a list in the order of ids; nil for the first page.
    public var lastID: UUID? { cursor?.values.first?.uuid }

    /// The last row before the page, in a list in the order of a time and an id; nil for the first page.
    public var last: (at: Date, id: UUID)? {
        guard let values = cursor?.values, values.count >= 2, let at = values[0].date, let id = values[1].uuid else {
            return nil
        }
        return (at, id)
    }

    /// The cursor of the page that begins after a row.
    /// - Parameter position: the row's sort key.
    public func next(after position: [CursorValue]) throws -> String {
        try sealer.seal(Cursor(direction, position), for: scope)
    }

    /// Makes the answer of rows fetched with ``fetchLimit``.
    ///
    /// - Parameters:
    ///   - position: the sort key of a row.
    ///   - item: the row's form for the caller.
    public func answer<Row, Item>(
        _ rows: [Row], position: (Row) -> [CursorValue], item: (Row) throws -> Item
    ) throws -> Page<Item> {
        let shown = rows.prefix(limit)
        let next = rows.count > limit ? try shown.last.map { try self.next(after: position($0)) } : nil
        return Page(items: try shown.map(item), next: next)
    }

    /// The same for a list in the order of a time and an id.
    public func answer<Row, Item>(
        _ rows: [Row], at place: (Row) -> (at: Date, id: UUID), item: (Row) throws -> Item
    ) throws -> Page<Item> {
        try answer(
            rows,
            position: { row in
                let (at, id) = place(row)
                return [.date(at), .uuid(id)]
            }, item: item)
    }

    /// The same for a list in the order of ids.
    public func answer<Row, Item>(
        _ rows: [Row], id: (Row) -> UUID, item: (Row) throws -> Item
    ) throws -> Page<Item> {
        try answer(rows, position: { [.uuid(id($0))] }, item: item)
    }
}
