public import Hummingbird

/// Which page of a list is asked for: `?limit=20&cursor=…`.
public struct PageRequest: Sendable, Equatable {
    public static let defaultLimit = 20
    public static let maximumLimit = 100

    /// Rows at most.
    public let limit: Int
    /// Nil for the first page.
    public let cursor: Cursor?

    /// - Throws: a 400 ``Problem`` when the limit is not 1...100 or the cursor is not one of this list.
    public init(_ request: Request, scope: CursorScope, sealer: CursorSealer) throws(Problem) {
        let query = request.uri.queryParameters
        if let text = query["limit"] {
            guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let limit = Int(text),
                (1...Self.maximumLimit).contains(limit)
            else {
                throw Problem(
                    "invalid-query", status: .badRequest,
                    fields: [
                        FieldProblem(
                            "limit", "out-of-range", ["minimum": "1", "maximum": String(Self.maximumLimit)])
                    ])
            }
            self.limit = limit
        } else {
            limit = Self.defaultLimit
        }
        guard let text = query["cursor"] else {
            cursor = nil
            return
        }
        cursor = try sealer.open(String(text), for: scope)
    }

    /// Ask the database for one row more than the page has: it says whether there is a next page.
    public var fetchLimit: Int { limit + 1 }
}
