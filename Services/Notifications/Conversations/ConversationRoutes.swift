import Foundation
import HTTPTypes
import Hummingbird
import LiveMarkets
import Messaging
import Metrics
import Postgres
import SeraiJSON
import ServiceKit

/// `/notifications/v1/conversations`: what the caller says and hears. A conversation of others is a 404.
struct ConversationRoutes: Sendable {
    static let path = "/notifications/v1/conversations"
    static let filePath = "\(path)/{id}/messages/{message}/file"
    static let textLimit = 2_000
    static let maximumFileBytes = 2_097_152
    static let maximumSeconds = 300
    /// By account: a quick talker writes one message a second.
    static let messageRate = RateLimit(perSecond: 1, burst: 30)
    static let fileRate = RateLimit(perSecond: 0.2, burst: 15)
    /// Each wakes all processes.
    static let typingRate = RateLimit(perSecond: 0.5, burst: 5)

    let pool: PostgresPool
    let markets: LiveMarkets
    let hub: StreamHub
    let idempotency: IdempotencyStore
    let cursors: CursorSealer
    let metrics: any MetricsFactory
    let clock: @Sendable () -> Date

    private var send: SendMessage { SendMessage(hub: hub, markets: markets) }

    func add(to routes: ServiceRoutes) {
        let group = routes.signedIn
        group.get("conversations") { try await list($0, $1) }
        group.get("messages/unread") { _, context in
            let count = CountUnreadMessages(account: context.caller.accountID)
            return UnreadCountView(count: try await pool.first(count) ?? 0)
        }
        group.get("conversations/{id}") { _, context in try await view(try await talk(context), context) }
        group.get("conversations/{id}/messages") { try await messages($0, $1) }
        group.get("conversations/{id}/messages/{message}/file") { _, context in try await showFile(context) }
        group.put("conversations/{id}/marks") { try await mark($0, $1) }
        group.post("conversations/{id}/messages/{message}/report") { try await report($0, $1) }
        group.get("messages") { try await ownMessages($0, $1) }
        limited(routes, "message", Self.messageRate)
            .put("conversations/{id}/messages/{message}") { try await sendText($0, $1) }
            .delete("conversations/{id}/messages/{message}") { _, context in try await delete(context) }
        limited(routes, "file", Self.fileRate)
            .put("conversations/{id}/messages/{message}/file") { try await sendFile($0, $1) }
        limited(routes, "forward", Self.fileRate)
            .put("conversations/{id}/messages/{message}/forward") { try await forward($0, $1) }
        limited(routes, "typing", Self.typingRate)
            .put("conversations/{id}/typing") { try await type($0, $1) }
    }

    private func limited(
        _ routes: ServiceRoutes, _ name: String, _ rate: RateLimit
    ) -> RouterGroup<AuthenticatedContext> {
        routes.router.group("notifications/v1")
            .add(middleware: RateLimitMiddleware(group: name, rate, by: .caller, metrics: metrics))
            .group(context: AuthenticatedContext.self)
    }

    // MARK: Reading

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<TalkView> {
        let (query, account) = (QueryForm(request), context.caller.accountID)
        let (order, link, group) = (query.uuid("order"), query.uuid("link"), query.uuid("group"))
        let withEmpty = query.bool("empty") ?? false
        let page = try query.page(of: "conversations", .descending, owner: account, sealedBy: cursors)
        let talks = try await pool.query(
            ListTalks(
                account: account, order: order, link: link, group: group, withEmpty: withEmpty,
                after: page.last ?? ListInboxItems.beginning, limit: page.fetchLimit))
        let members = Dictionary(
            grouping: try await pool.query(ListTalkMembers(conversations: talks.map(\.id))), by: \.conversation)
        let now = clock()
        return try page.answer(talks, at: { ($0.lastAt, $0.id) }) { talk in
            let own = members[talk.id] ?? []
            return TalkView(talk, own, talk.door(own, markets, at: now), reader: account)
        }
    }

    private func talk(_ context: AuthenticatedContext) async throws -> Talk {
        let find = FindTalk(conversation: try context.uuid("id"), account: context.caller.accountID)
        guard let talk = try await pool.first(find) else { throw Problem.notFound }
        return talk
    }

    private func view(_ talk: Talk, _ context: AuthenticatedContext) async throws -> TalkView {
        let members = try await pool.query(ListTalkMembers(conversations: [talk.id]))
        return TalkView(talk, members, talk.door(members, markets, at: clock()), reader: context.caller.accountID)
    }

    private func messages(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<TalkMessageView> {
        let talk = try await talk(context)
        return try await TalkHistory(pool: pool, cursors: cursors).page(request, of: talk.id, since: talk.since)
    }

    private func showFile(_ context: AuthenticatedContext) async throws -> Response {
        let talk = try await talk(context)
        return try await TalkHistory(pool: pool, cursors: cursors).file(
            try context.uuid("message"), of: talk.id, since: talk.since)
    }

    private func ownMessages(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> Page<OwnMessageView> {
        let account = context.caller.accountID
        let page = try QueryForm(request).page(of: "own messages", .descending, owner: account, sealedBy: cursors)
        let rows = try await pool.query(
            ListOwnMessages(account: account, after: page.last ?? ListInboxItems.beginning, limit: page.fetchLimit))
        return try page.answer(rows, at: { ($0.at, $0.id) }, item: OwnMessageView.init)
    }

    // MARK: Saying

    private func sendText(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let form = try await request.form(context: context)
        let text = form.string("text", length: 1...Self.textLimit, lines: true)
        let anyway = form.bool("anyway", required: false) ?? false
        guard let text, form.isValid else { throw form.problem }
        return try await say(context) {
            try await send(.text(text), as: $0, in: $1, by: $2, anyway: anyway, at: $3, $4)
        }
    }

    /// A photo or a voice note; the body is the file.
    private func sendFile(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let query = QueryForm(request)
        let seconds = query.integer("seconds", in: 1...Self.maximumSeconds)
        try query.finish()
        // Whoever may not write here sends no megabytes first.
        _ = try await talk(context)
        let bytes = try await request.upload(of: FileKind.images.union(FileKind.voices), context: context)
        let file = try await LongWork.run {
            try UploadedFile(
                bytes, of: FileKind.images.union(FileKind.voices), maximumSide: UploadedFile.maximumPictureSide)
        }
        let isVoice = FileKind.voices.contains(file.kind)
        let content = TalkContent(
            kind: isVoice ? .voice : .photo,
            file: TalkContent.File(mediaType: file.kind.mediaType, bytes: file.bytes),
            seconds: isVoice ? seconds : nil)
        return try await say(context) { try await send(content, as: $0, in: $1, by: $2, at: $3, $4) }
    }

    /// A copy of what the caller can read in another conversation, or in this one.
    private func forward(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let form = try await request.form(context: context)
        let (conversation, message) = (form.uuid("conversation"), form.uuid("message"))
        let anyway = form.bool("anyway", required: false) ?? false
        guard let conversation, let message, form.isValid else { throw form.problem }
        let (source, forward) = (
            ForwardMessage.Source(conversation: conversation, message: message), ForwardMessage(send: send)
        )
        return try await say(context) {
            try await forward(source, as: $0, in: $1, by: $2, anyway: anyway, at: $3, $4)
        }
    }

    /// - Parameter saying: says it under an id in a conversation by an account at a time.
    private func say(
        _ context: AuthenticatedContext,
        _ saying: @Sendable (UUID, UUID, UUID, Date, PostgresTransaction) async throws -> TalkMessage
    ) async throws -> Response {
        let (conversation, id) = (try context.uuid("id"), try context.uuid("message"))
        let caller = context.caller
        let talk = try await talk(context)
        // A token of somebody who was banned in the market since has no role there. Friends need none: their door is closed.
        if !talk.isOfFriends { try caller.require(talk.role == "customer" ? "customer" : "provider", in: talk.market) }
        let message = try await pool.withTransaction { transaction in
            try await saying(id, conversation, caller.accountID, clock(), transaction)
        }
        return try .json(.ok, TalkMessageView(message))
    }

    /// Also in a conversation that is closed: nothing new is said.
    private func delete(_ context: AuthenticatedContext) async throws -> TalkMessageView {
        let (conversation, id) = (try context.uuid("id"), try context.uuid("message"))
        let deleting = DeleteMessage(hub: hub)
        return TalkMessageView(
            try await pool.withTransaction { transaction in
                try await deleting(id, in: conversation, by: context.caller.accountID, at: clock(), transaction)
            })
    }

    // MARK: Marks and typing

    private func mark(_ request: Request, _ context: AuthenticatedContext) async throws -> TalkView {
        let form = try await request.form(context: context)
        let read = form.integer("read", in: 0...Int(Int32.max), required: false)
        let delivered = form.integer("delivered", in: 0...Int(Int32.max), required: false)
        try form.finish()
        let (talk, account) = (try await talk(context), context.caller.accountID)
        try await pool.withTransaction { transaction in
            let raise = RaiseMarks(
                conversation: talk.id, account: account, read: read ?? 0, delivered: delivered ?? 0)
            guard let marks = try await transaction.first(raise) else { return }
            let told = ToldMarks(
                conversation: talk.id.text, order: talk.order?.text, role: marks.role, delivered: marks.delivered,
                read: marks.read)
            let (event, now) = (try JSON.wire.text(told), clock())
            let members = try await transaction.query(ListTalkMembers(conversations: [talk.id]))
            NoticeWriter.of(transaction, hub).tell(
                members.map { .told(.marks, event, to: $0.account, order: talk.order, at: now) })
        }
        return try await view(try await self.talk(context), context)
    }

    private func type(_ request: Request, _ context: AuthenticatedContext) async throws -> HTTPResponse.Status {
        let talk = try await talk(context)
        let members = try await pool.query(ListTalkMembers(conversations: [talk.id]))
        guard talk.door(members, markets, at: clock()).isOpen else { throw TalkRefusal.closed }
        let told = ToldTyping(conversation: talk.id.text, order: talk.order?.text, role: talk.role)
        // Of an inquiry the admin who has taken it hears it, too.
        let taker = talk.isInquiry ? try await pool.first(FindInquiry(id: talk.id))?.takenBy : nil
        let others = (members.map(\.account) + [taker].compactMap(\.self)).filter { $0 != context.caller.accountID }
        let signal = TypingSignal(conversation: talk.id, accounts: others, data: try JSON.wire.text(told))
        try await pool.execute(NotifyStreams(payloads: [signal.payload]))
        return .noContent
    }

    // MARK: Reports

    private func report(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let reason = form.string("reason", length: 1...500, lines: true)
        guard let reason, form.isValid else { throw form.problem }
        let (talk, message) = (try await talk(context), try context.uuid("message"))
        // An answer of the support is no case for the admins who review reports: they have written it.
        guard !talk.isInquiry else { throw Problem.notFound }
        return try await idempotency.answer(once) { transaction in
            // Its sender deletes it before or after: reported first, it stays for the admins.
            _ = try await transaction.first(LockConversation(conversation: talk.id))
            let find = FindTalkMessage(conversation: talk.id, id: message)
            guard let found = try await transaction.first(find), found.sender != context.caller.accountID,
                found.number > talk.since, found.sayable != nil
            else { throw Problem.notFound }
            let (id, reporter, now) = (UUID.timeOrdered(), context.caller.accountID, clock())
            let inserted = try await transaction.execute(
                InsertMessageReport(
                    id: id, market: talk.market, conversation: talk.id, number: found.number, reporter: reporter,
                    reason: reason, now: now))
            if inserted == 1 {
                AdminItemWriter.of(transaction, hub).note([
                    .waits(.messageReport, id, in: talk.market, about: found.sender, order: talk.order, at: now)
                ])
            }
            return Response(status: .noContent)
        }
    }
}

extension TalkRefusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .closed: Problem("conversation-closed", status: .conflict)
        case .full: Problem("conversation-full", status: .conflict)
        case .hasContact: Problem("contact-in-message", status: .conflict)
        case .idTaken: Problem("message-id-taken", status: .conflict)
        case .tooLate: Problem("message-too-old", status: .conflict)
        }
    }
}
