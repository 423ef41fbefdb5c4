public import Foundation
import HTTPTypes
public import Hummingbird

/// A read of a list with many people: the list, the reader and the filter, and nothing of the answer.
public struct RecordedRead: Sendable, Equatable {
    /// Such as `payments`, or `payments.csv` for the file of it.
    public var list: String
    /// `*` for a list of all markets.
    public var market: String
    /// The known filters of the query, and ids of the path. A later page is marked by `page`, a search for words by `given`.
    public var filter: [String: String]
    public var isFile: Bool
    public var by: UUID

    public init(list: String, market: String, filter: [String: String], isFile: Bool, by: UUID) {
        self.list = list
        self.market = market
        self.filter = filter
        self.isFile = isFile
        self.by = by
    }
}

/// Records admins' reads of many people (P9) before the answer is sent: a read that cannot be recorded is not answered.
///
/// Added before the routes; only the routes in the list are recorded. Reads of the caller's own data, and `HEAD`
/// requests, which show nothing, are not recorded.
public struct RecordReadMiddleware: RouterMiddleware {
    public typealias Context = SeraiRequestContext

    static let maximumFilterLength = 100
    /// The lists' filters whose values are ids, times and words of the program. Any other value may be personal data, which
    /// the log would keep for ever.
    private static let filters: Set = [
        "about", "account", "action", "awaits", "by", "currency", "customer", "freezes", "from", "fundedBy", "gender",
        "kind", "market", "method", "order", "overdue", "plan", "provider", "role", "sort", "state", "to",
        "type", "viewed",
    ]
    /// Filters by somebody's words, or by a number or an address. The log tells that there was one, and not the words.
    private static let words: Set = ["contact", "name", "subject", "text"]

    /// By the route's template: `/wallet/v1/markets/{market}/payments`.
    private let lists: [String: String]
    private let record: @Sendable (RecordedRead) async throws -> Void

    /// - Parameter record: stores the read for the audit log.
    public init(_ lists: [String: String], record: @escaping @Sendable (RecordedRead) async throws -> Void) {
        self.lists = lists
        self.record = record
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        guard request.method == .get, response.status == .ok, let list = context.endpointPath.flatMap({ lists[$0] }),
            let caller = context.caller
        else { return response }
        let market = context.parameters.get("market") ?? "*"
        let isAdmin = caller.has("admin", in: market) || market == "*" && caller.readsSomeMarket
        guard isAdmin else { return response }
        try await record(
            RecordedRead(
                list: list, market: market, filter: Self.filter(request, context),
                isFile: response.headers[.contentType]?.hasPrefix("text/csv") ?? false, by: caller.accountID))
        return response
    }

    private static func filter(_ request: Request, _ context: Context) -> [String: String] {
        var filter: [String: String] = [:]
        for (name, value) in context.parameters where name != "market" {
            filter[String(name)] = String(value.prefix(maximumFilterLength))
        }
        let query = QueryParameters(request)
        for name in filters {
            // A repeated filter, such as accounts, is told whole.
            let values = query.all(name).map { String($0.prefix(maximumFilterLength)) }
            if !values.isEmpty { filter[name] = values.joined(separator: ",") }
        }
        for name in words where query[name]?.isEmpty == false { filter[name] = "given" }
        if query["cursor"] != nil || query["after"] != nil { filter["page"] = "later" }
        return filter
    }
}
