import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// What admins read of the talk about orders and of friends: only while a report of the order, or of a message, is
/// open, and each read is in the audit log (``NotificationsService/recordedReads``).
struct DeskRoutes: Sendable {
    let pool: PostgresPool
    let hub: StreamHub
    let idempotency: IdempotencyStore
    let cursors: CursorSealer
    let clock: @Sendable () -> Date

    private var history: ReportedTalk { ReportedTalk(pool: pool, cursors: cursors) }

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/orders/{id}/conversations") { _, context in try await talks(context) }
        group.get("markets/{market}/conversations/{id}/messages") { request, context in
            try await history.page(request, of: try await reported(context).id)
        }
        group.get("markets/{market}/conversations/{id}/messages/{message}/file") { _, context in
            try await history.file(try context.uuid("message"), of: try await reported(context).id)
        }
        group.get("markets/{market}/message-reports") { try await reports($0, $1) }
        group.get("markets/{market}/message-reports/{id}") { _, context in
            let find = FindMessageReport(id: try context.uuid("id"), market: try context.adminMarket())
            guard let report = try await pool.first(find) else { throw Problem.notFound }
            return MessageReportView(report)
        }
        group.post("markets/{market}/message-reports/{id}/close") { try await close($0, $1) }
    }

    private func talks(_ context: AuthenticatedContext) async throws -> OrderTalkListView {
        let market = try context.adminMarket()
        let rows = try await pool.query(ListOrderTalks(market: market, order: try context.uuid("id")))
        let members = Dictionary(
            grouping: try await pool.query(ListTalkMembers(conversations: rows.map(\.id))), by: \.conversation)
        return OrderTalkListView(items: rows.map { OrderTalkView($0, members[$0.id] ?? []) })
    }

    /// - Throws: a 404 ``Problem`` for a conversation of another market, a 403 for one that nobody has reported.
    private func reported(_ context: AuthenticatedContext) async throws -> OrderTalk {
        let find = FindOrderTalk(market: try context.adminMarket(), conversation: try context.uuid("id"))
        guard let talk = try await pool.first(find) else { throw Problem.notFound }
        guard talk.isReported else { throw Problem("no-open-report", status: .forbidden) }
        return talk
    }

    private func reports(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<MessageReportView> {
        let market = try context.adminMarket()
        let page = try QueryForm(request).page(of: "message reports", where: ["market": market], sealedBy: cursors)
        let rows = try await pool.query(
            ListMessageReports(market: market, after: page.last, limit: page.fetchLimit))
        return try page.answer(rows, at: { ($0.madeAt, $0.id) }, item: MessageReportView.init)
    }

    private func close(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.adminMarket()
        let once = try await IdempotentRequest(request, context: context)
        let (id, admin) = (try context.uuid("id"), context.caller.accountID)
        return try await idempotency.answer(once) { transaction in
            let now = clock()
            let close = CloseMessageReport(id: id, market: market, admin: admin, now: now)
            guard let sender = try await transaction.first(close) else { throw Problem.notFound }
            // Thrown, it takes the change back: nobody ends a report about himself or herself.
            guard sender != admin else { throw Problem.ownMatter }
            try transaction.publish(
                TalkManaged(act: .messageReportClosed, subject: id, market: market, by: admin, at: now))
            AdminItemWriter.of(transaction, hub).note([.settled(.messageReport, id, in: market, at: now)])
            return Response(status: .noContent)
        }
    }
}

extension AuthenticatedContext {
    /// The market of the path, of which the caller is an admin.
    ///
    /// - Throws: a 404 ``Problem`` for an unknown market, a 403 for callers who are none of its admins.
    func adminMarket() throws(Problem) -> String {
        guard let market = parameters.get("market").flatMap(Market.named) else { throw .notFound }
        try caller.require("admin", in: market.id)
        return market.id
    }
}

struct OrderTalkListView: ResponseEncodable, Encodable, Sendable {
    let items: [OrderTalkView]
}

/// A conversation of an order as shown to admins.
struct OrderTalkView: Encodable, Sendable {
    struct Party: Encodable, Sendable {
        let account: String
        let role: String
        let name: String
    }

    let conversation: String
    let order: String?
    let parties: [Party]
    let lastNumber: Int
    let lastAt: Date
    /// Whether admins may read it now.
    let readable: Bool

    init(_ talk: OrderTalk, _ members: [TalkMember]) {
        conversation = talk.id.text
        order = talk.order?.text
        parties = members.map { Party(account: $0.account.text, role: $0.role, name: $0.name) }
        lastNumber = talk.lastNumber
        lastAt = talk.lastAt
        readable = talk.isReported
    }
}

struct MessageReportView: ResponseEncodable, Encodable, Sendable {
    let report: String
    let conversation: String
    let order: String?
    /// Of the reported message.
    let number: Int
    /// What the reporter is in the conversation.
    let by: String
    let reason: String
    let madeAt: Date

    init(_ report: MessageReport) {
        self.report = report.id.text
        conversation = report.conversation.text
        order = report.order?.text
        number = report.number
        by = report.reporterRole
        reason = report.reason
        madeAt = report.madeAt
    }
}
