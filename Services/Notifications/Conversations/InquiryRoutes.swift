import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import LiveMarkets
import Messaging
import Metrics
import Postgres
import SeraiJSON
import ServiceKit

/// `/notifications/v1/inquiries`: what people ask a market's admins (N6). An inquiry's words are the messages of the
/// conversation with its id, where its owner reads the answer and goes on; a photo is sent there, too.
struct InquiryRoutes: Sendable {
    static let titleLimit = 120
    static let rate = RateLimit(perSecond: 0.02, burst: 10)

    let pool: PostgresPool
    let send: SendMessage
    let idempotency: IdempotencyStore
    let cursors: CursorSealer
    let metrics: any MetricsFactory
    let clock: @Sendable () -> Date

    func add(to routes: ServiceRoutes) {
        routes.signedIn.get("inquiries") { try await list($0, $1) }
        routes.signedIn.get("inquiries/{id}") { _, context in
            let find = FindInquiry(id: try context.uuid("id"))
            guard let inquiry = try await pool.first(find), context.caller.isAccount(inquiry.account) else {
                throw Problem.notFound
            }
            return InquiryView(inquiry)
        }
        routes.router.group("notifications/v1/inquiries")
            .add(middleware: RateLimitMiddleware(group: "inquiry", Self.rate, by: .caller, metrics: metrics))
            .group(context: AuthenticatedContext.self)
            .post { try await ask($0, $1) }
        let desk = routes.signedIn
        desk.get("markets/{market}/inquiries") { try await deskList($0, $1) }
        desk.get("markets/{market}/inquiries/{id}") { _, context in DeskInquiryView(try await find(context)) }
        desk.get("markets/{market}/inquiries/{id}/messages") { request, context in
            try await TalkHistory(pool: pool, cursors: cursors).page(request, of: try await find(context).id)
        }
        desk.get("markets/{market}/inquiries/{id}/messages/{message}/file") { _, context in
            let inquiry = try await find(context)
            return try await TalkHistory(pool: pool, cursors: cursors).file(try context.uuid("message"), of: inquiry.id)
        }
        desk.put("markets/{market}/inquiries/{id}/messages/{message}") { try await answer($0, $1) }
        desk.put("markets/{market}/inquiries/{id}/typing") { _, context in try await type(context) }
        desk.put("markets/{market}/inquiries/{id}/taker") { _, context in try await take(context) }
        desk.delete("markets/{market}/inquiries/{id}/taker") { _, context in try await release(context) }
    }

    // MARK: People

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<InquiryView> {
        let (query, account) = (QueryForm(request), context.caller.accountID)
        let market = query.text("market")
        let page = try query.page(of: "inquiries", .descending, owner: account, sealedBy: cursors)
        let rows = try await pool.query(
            ListInquiries(
                account: account, market: market, after: page.last ?? ListInboxItems.beginning, limit: page.fetchLimit))
        return try page.answer(rows, at: { ($0.createdAt, $0.id) }, item: InquiryView.init)
    }

    private func ask(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let name = form.string("market", length: 1...100)
        let market = name.flatMap(Market.named)
        if name != nil, market == nil {
            form.reject("market", "not-a-choice", ["choices": Market.all.map(\.id).joined(separator: ", ")])
        }
        let role = form.choice("as", of: AskerRole.self)
        let title = form.string("title", length: 1...Self.titleLimit)
        let content = form.string("content", length: 1...ConversationRoutes.textLimit, lines: true)
        guard let market, let role, let title, let content, form.isValid else { throw form.problem }
        let caller = context.caller
        try caller.require(role.rawValue, in: market.id)
        let id = UUID.timeOrdered()
        return try await idempotency.answer(once) { transaction in
            let now = clock()
            _ = try await transaction.query(LockOwnRows(account: caller.accountID))
            let insert = InsertInquiry(
                id: id, market: market.id, account: caller.accountID, role: role.rawValue, section: role.section,
                title: title, now: now)
            guard let inquiry = try await transaction.first(insert) else { throw Self.tooMany }
            _ = try await send(
                .text(content), as: .timeOrdered(), in: id, by: caller.accountID, at: now, transaction)
            return try .json(.created, InquiryView(inquiry), at: "/notifications/v1/inquiries/\(id.text)")
        }
    }

    private enum AskerRole: String, CaseIterable {
        case customer, provider
        var section: Inquiry.Section { self == .customer ? .customers : .providers }
    }

    private static let tooMany = Problem(
        "too-many-inquiries", status: .conflict, arguments: ["maximum": String(Inquiry.maximumOpen)])

    // MARK: Admins

    private func deskList(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<DeskInquiryView> {
        let market = try context.adminMarket()
        let query = QueryForm(request)
        let section = query.choice("section", of: Inquiry.Section.self)
        let answered = query.bool("answered")
        let page = try query.page(
            of: "desk inquiries", .descending, where: ["market": market], sealedBy: cursors)
        let rows = try await pool.query(
            ListDeskInquiries(
                market: market, section: section, isAnswered: answered, after: page.last ?? ListInboxItems.beginning,
                limit: page.fetchLimit))
        return try page.answer(rows, at: { ($0.lastAt, $0.id) }, item: DeskInquiryView.init)
    }

    /// - Throws: a 404 ``Problem`` for an inquiry of another market.
    private func find(_ context: AuthenticatedContext) async throws -> Inquiry {
        let market = try context.adminMarket()
        let find = FindInquiry(id: try context.uuid("id"))
        guard let inquiry = try await pool.first(find), inquiry.market == market else { throw Problem.notFound }
        return inquiry
    }

    /// Takes it as well, if nobody has.
    private func answer(_ request: Request, _ context: AuthenticatedContext) async throws -> TalkMessageView {
        let inquiry = try await find(context)
        let form = try await request.form(context: context)
        let text = form.string("text", length: 1...ConversationRoutes.textLimit, lines: true)
        guard let text, form.isValid else { throw form.problem }
        let (id, admin) = (try context.uuid("message"), context.caller.accountID)
        // Nobody answers what he or she has asked.
        guard inquiry.account != admin else { throw Problem.ownMatter }
        return try await pool.withTransaction { transaction in
            let now = clock()
            // The conversation before the inquiry, as whoever asks locks them.
            _ = try await transaction.first(LockConversation(conversation: inquiry.id))
            // A repeated answer is the same, whoever has taken the inquiry since.
            let known = try await transaction.first(FindTalkMessage(conversation: inquiry.id, id: id))
            if let known, known.sender == admin { return TalkMessageView(known) }
            let take = TakeInquiry(id: inquiry.id, market: inquiry.market, admin: admin)
            guard let taken = try await transaction.first(take) else { throw Self.isTaken }
            let message = try await send.answer(.text(text), as: id, to: taken, by: admin, at: now, transaction)
            try transaction.publish(
                TalkManaged(act: .inquiryAnswered, subject: inquiry.id, market: inquiry.market, by: admin, at: now))
            return TalkMessageView(message)
        }
    }

    /// Its owner sees that an answer is being written, not by whom.
    private func type(_ context: AuthenticatedContext) async throws -> HTTPResponse.Status {
        let (inquiry, admin) = (try await find(context), context.caller.accountID)
        guard inquiry.account != admin else { throw Problem.ownMatter }
        guard inquiry.takenBy == nil || inquiry.takenBy == admin else { throw Self.isTaken }
        let told = ToldTyping(conversation: inquiry.id.text, order: nil, role: TalkMessageView.support)
        let signal = TypingSignal(
            conversation: inquiry.id, accounts: [inquiry.account], data: try JSON.wire.text(told))
        try await pool.execute(NotifyStreams(payloads: [signal.payload]))
        return .noContent
    }

    private static let isTaken = Problem("inquiry-taken", status: .conflict)

    private func take(_ context: AuthenticatedContext) async throws -> DeskInquiryView {
        let admin = context.caller.accountID
        return try await decide(context) { inquiry, transaction in
            guard inquiry.account != admin else { throw Problem.ownMatter }
            let take = TakeInquiry(id: inquiry.id, market: inquiry.market, admin: admin)
            guard let taken = try await transaction.first(take) else { throw Self.isTaken }
            if inquiry.takenBy != admin { try publish(.inquiryTaken, of: inquiry, by: admin, in: transaction) }
            return taken
        }
    }

    /// Any admin of the market may: the one who took it may be on holiday.
    private func release(_ context: AuthenticatedContext) async throws -> DeskInquiryView {
        let admin = context.caller.accountID
        return try await decide(context) { inquiry, transaction in
            let release = ReleaseInquiry(id: inquiry.id, market: inquiry.market)
            guard let free = try await transaction.first(release) else { throw Problem.notFound }
            if inquiry.takenBy != nil { try publish(.inquiryReleased, of: inquiry, by: admin, in: transaction) }
            return free
        }
    }

    /// Decides on the inquiry as it is under its lock: of two admins at once each sees what the other has done.
    private func decide(
        _ context: AuthenticatedContext,
        _ act: @Sendable (Inquiry, PostgresTransaction) async throws -> Inquiry
    ) async throws -> DeskInquiryView {
        let market = try context.adminMarket()
        let lock = LockInquiry(id: try context.uuid("id"))
        return try await pool.withTransaction { transaction in
            guard let inquiry = try await transaction.first(lock), inquiry.market == market else {
                throw Problem.notFound
            }
            return DeskInquiryView(try await act(inquiry, transaction))
        }
    }

    private func publish(
        _ act: TalkManaged.Act, of inquiry: Inquiry, by admin: UUID, in transaction: PostgresTransaction
    ) throws {
        let now = clock()
        try transaction.publish(
            TalkManaged(act: act, subject: inquiry.id, market: inquiry.market, by: admin, at: now))
        transaction.send(
            AssignAdminItem(
                kind: .inquiry, subject: inquiry.id, admin: act == .inquiryTaken ? admin : nil, now: now))
        AdminItemWriter.of(transaction, send.hub).changed(in: inquiry.market)
    }
}

/// An inquiry as shown to its owner.
struct InquiryView: ResponseEncodable, Encodable, Sendable {
    /// That of its conversation, too.
    let inquiry: String
    let market: String
    let title: String
    /// `responded` or `no-response-yet`.
    let status: String
    let createdAt: Date
    let lastAt: Date

    init(_ inquiry: Inquiry) {
        self.inquiry = inquiry.id.text
        market = inquiry.market
        title = inquiry.title
        status = inquiry.isAnswered ? "responded" : "no-response-yet"
        createdAt = inquiry.createdAt
        lastAt = inquiry.lastAt
    }
}

/// An inquiry as shown to admins.
struct DeskInquiryView: ResponseEncodable, Encodable, Sendable {
    let inquiry: String
    let market: String
    let title: String
    let status: String
    let createdAt: Date
    let lastAt: Date
    /// `customers` or `providers`.
    let section: String
    let account: String
    let takenBy: String?

    init(_ inquiry: Inquiry) {
        let own = InquiryView(inquiry)
        (self.inquiry, market, title, status) = (own.inquiry, own.market, own.title, own.status)
        (createdAt, lastAt) = (own.createdAt, own.lastAt)
        section = inquiry.section
        account = inquiry.account.text
        takenBy = inquiry.takenBy?.text
    }
}
