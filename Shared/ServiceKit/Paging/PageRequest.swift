import Contracts
public import Hummingbird

/// The requested page of a list: `?limit=20&cursor=…`.
public struct PageRequest: Sendable, Equatable {
    public static let defaultLimit = 20
    public static let maximumLimit = 100
    static let parameters: Set = ["limit", "cursor"]

    /// The most rows.
    public let limit: Int
    /// Nil for the first page.
    public let cursor: Cursor?

    /// - Throws: a 400 ``Problem`` when the limit is not 1...100 or the cursor is not one of this list.
    public init(
        _ request: Request, scope: CursorScope, sealer: CursorSealer, defaultLimit: Int = Self.defaultLimit
    ) throws(Problem) {
        let query = QueryParameters(request)
        if let text = query.number("limit") {
            guard let limit = Int(plain: text), (1...Self.maximumLimit).contains(limit) else {
                throw Problem(
                    "invalid-query", status: .badRequest,
                    fields: [
                        FieldProblem(
                            "limit", "out-of-range", ["minimum": "1", "maximum": String(Self.maximumLimit)])
                    ])
            }
            self.limit = limit
        } else {
            limit = defaultLimit
        }
        guard let text = query.opaque("cursor") else {
            cursor = nil
            return
        }
        cursor = try sealer.open(text, for: scope)
    }

    /// The limit for the database: one row more than the page, which shows whether there is a next page.
    public var fetchLimit: Int { limit + 1 }
}
