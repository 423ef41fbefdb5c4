/// The position at which a list continues: the sort key of the last row, and the direction.
public struct Cursor: Sendable, Equatable, Codable {
    public enum Direction: String, Sendable, Codable {
        case ascending = "a"
        case descending = "d"
    }

    public let direction: Direction
    /// The parts of the sort key in the list's order. The last one should be unique, such as the id.
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

/// The list to which a cursor belongs: its name, filters and owner. A cursor of another list is refused.
public struct CursorScope: Sendable, Equatable {
    let text: String

    /// - Parameters:
    ///   - list: the list's name within the service: `orders`.
    ///   - filters: everything that decides which rows are in it.
    ///   - owner: the account that owns the list, or nil for a public one.
    public init(list: String, filters: [String: String] = [:], owner: String? = nil) {
        // With length prefixes, so that no two scopes have the same text.
        let parts = [list, owner ?? ""] + filters.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        text = parts.map { "\($0.utf8.count):\($0)" }.joined()
    }
}
