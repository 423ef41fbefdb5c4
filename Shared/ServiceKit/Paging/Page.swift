public import Hummingbird

/// A page of a list: `{"items": […], "next": "…"}`. The last page has no `next`.
public struct Page<Item: Encodable & Sendable>: ResponseEncodable, Sendable {
    public let items: [Item]
    /// The cursor of the next page.
    public let next: String?

    public init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }

    /// Makes a page of rows fetched with ``PageRequest/fetchLimit``.
    ///
    /// - Parameters:
    ///   - position: the sort key of a row.
    ///   - item: the row's form for the caller.
    public init<Row>(
        rows: [Row], request: PageRequest, direction: Cursor.Direction, scope: CursorScope, sealer: CursorSealer,
        position: (Row) -> [CursorValue], item: (Row) throws -> Item
    ) throws {
        let shown = rows.prefix(request.limit)
        items = try shown.map(item)
        guard rows.count > request.limit, let last = shown.last else {
            next = nil
            return
        }
        next = try sealer.seal(Cursor(direction, position(last)), for: scope)
    }
}
