import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import NIOCore
import Postgres
import ServiceKit

/// Routes for the caller's own inbox; no other account can be named.
struct InboxRoutes: Sendable {
    /// The number of items that one request may name.
    static let namedLimit = 100

    let pool: PostgresPool
    let list: ListInbox
    let idempotency: IdempotencyStore

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("inbox") { request, context in
            let account = context.caller.accountID
            let page = try QueryForm(request, ignoring: .unknown).page(
                of: "inbox", .descending, owner: account, sealedBy: list.sealer)
            return try await list(account, page, fallback: context.caller.language ?? context.language)
        }
        group.get("inbox/unread") { _, context in
            UnreadCountView(count: try await pool.first(CountUnreadItems(account: context.caller.accountID)) ?? 0)
        }
        group.post("inbox/read") { request, context in
            let once = try await IdempotentRequest(request, context: context)
            let items = try await Self.items(once.request, context)
            return try await idempotency.answer(once) { transaction in
                let count = try await MarkInboxRead(account: context.caller.accountID, items: items)(transaction)
                return try .json(.ok, UnreadCountView(count: count))
            }
        }
        group.delete("inbox") { _, context in
            try await pool.execute(DeleteItems(account: context.caller.accountID))
            return HTTPResponse.Status.noContent
        }
    }

    /// The items that the body names; nil for all: without a body or without names.
    private static func items(_ request: Request, _ context: AuthenticatedContext) async throws -> [UUID]? {
        var request = request
        guard try await request.collectBody(upTo: context.maxUploadSize).readableBytes > 0 else { return nil }
        let form = try await request.form(context: context)
        let names = form.strings("items", count: 1...namedLimit, length: 1...36, required: false, .uuid)
        try form.finish()
        return names?.compactMap(UUID.init(uuidString:))
    }
}

/// The number of unread items.
struct UnreadCountView: ResponseEncodable {
    let count: Int
}
