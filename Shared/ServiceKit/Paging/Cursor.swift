/// Where a list goes on: the sort key of the last row seen and the direction.
public struct Cursor: Sendable, Equatable, Codable {
    public enum Direction: String, Sendable, Codable {
        case ascending = "a"
        case descending = "d"
    }

    public let direction: Direction
    /// The sort key's parts in the list's order. The last should be unique, such as the id.
    public let values: [CursorValue]

    public init(_ direction: Direction, _ values: [CursorValue]) {
        self.direction = direction
        self.values = values
    }

    private enum CodingKeys: String, CodingKey {
        case direction = "d"
        case values = "v"
    }
}

/// Which list a cursor belongs to: its name, its filters and whose it is. A cursor of another list is refused.
public struct CursorScope: Sendable, Equatable {
    let text: String

    /// - Parameters:
    ///   - list: names the list within the service: `orders`.
    ///   - filters: everything that decides which rows are in it.
    ///   - owner: the account whose list it is, or nil for a public one.
    public init(list: String, filters: [String: String] = [:], owner: String? = nil) {
        // Length first, so that no two scopes have the same text.
        let parts = [list, owner ?? ""] + filters.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        text = parts.map { "\($0.utf8.count):\($0)" }.joined()
    }
}
