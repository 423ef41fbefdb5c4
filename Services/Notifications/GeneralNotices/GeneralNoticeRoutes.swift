import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// `/notifications/v1/markets/{market}/general-notices`: what admins tell all people of their market, or many (N5).
struct GeneralNoticeRoutes: Sendable {
    static let subjectLimit = 120
    static let contentLimit = 2_000
    static let farthestSeconds: Double = 366 * 86_400
    /// A moment that has passed since it was chosen means now.
    static let latenessSeconds: Double = 300

    let pool: PostgresPool
    let markets: LiveMarkets
    let idempotency: IdempotencyStore
    let cursors: CursorSealer
    let clock: @Sendable () -> Date

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/general-notices") { try await list($0, $1) }
        group.get("markets/{market}/general-notices.csv") { try await file($0, $1) }
        group.post("markets/{market}/general-notices") { try await create($0, $1) }
        group.get("markets/{market}/general-notices/{id}") { _, context in
            let market = try context.adminMarket()
            return GeneralNoticeView(try await find(try context.uuid("id"), in: market))
        }
        group.put("markets/{market}/general-notices/{id}") { try await change($0, $1) }
        group.put("markets/{market}/general-notices/{id}/cancellation") { request, context in
            try await cancel(true, request, context)
        }
        group.delete("markets/{market}/general-notices/{id}/cancellation") { request, context in
            try await cancel(false, request, context)
        }
        group.get("markets/{market}/notice-reach") { try await reach($0, $1) }
    }

    // MARK: Reading

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<GeneralNoticeView> {
        let market = try context.adminMarket()
        let query = QueryForm(request)
        let state = query.choice("state", of: GeneralNotice.State.self)
        let page = try query.page(of: "general notices", .descending, where: ["market": market], sealedBy: cursors)
        let rows = try await pool.query(
            ListGeneralNotices(
                market: market, state: state, after: page.last ?? ListInboxItems.beginning, limit: page.fetchLimit))
        return try page.answer(rows, at: { ($0.createdAt, $0.id) }, item: GeneralNoticeView.init)
    }

    private func file(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.adminMarket()
        let query = QueryForm(request)
        let state = query.choice("state", of: GeneralNotice.State.self)
        try query.finish()
        let language = context.language.rawValue
        return try await StreamCSV(
            name: "notices-\(market)", head: GeneralNoticeView.columns.map { $0.text(in: language) },
            part: { after, limit in
                try await pool.query(
                    ListGeneralNotices(
                        market: market, state: state, after: after ?? ListInboxItems.beginning, limit: limit))
            }, position: { ($0.createdAt, $0.id) }, line: { GeneralNoticeView($0).line }
        ).response()
    }

    private func find(_ id: UUID, in market: String) async throws -> GeneralNotice {
        guard let notice = try await pool.first(FindGeneralNotice(market: market, id: id)) else {
            throw Problem.notFound
        }
        return notice
    }

    /// How many would get a notice now. Counts so many people at most that it takes a moment.
    private func reach(_ request: Request, _ context: AuthenticatedContext) async throws -> NoticeReachView {
        let market = try context.adminMarket()
        let query = QueryForm(request)
        let audience = NoticeAudience(
            group: query.choice("audience", of: NoticeAudience.Group.self) ?? .all,
            title: query.choice("title", of: titles(of: market)),
            language: query.choice("language", of: languages(of: market)))
        if audience.title != nil, audience.group != .providers { query.reject("title", "invalid-value") }
        try query.finish()
        let count = try await pool.first(CountNoticePeople(market: market, audience: audience))
        return NoticeReachView(people: count?.people ?? 0, isMore: count?.isMore ?? false)
    }

    // MARK: Acts

    private func create(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.adminMarket()
        let once = try await IdempotentRequest(request, context: context)
        let draft = try draft(try await once.request.form(context: context), in: market)
        let (id, admin) = (UUID.timeOrdered(), context.caller.accountID)
        return try await idempotency.answer(once) { transaction in
            let now = clock()
            let insert = InsertGeneralNotice(
                id: id, market: market, arguments: try draft.arguments(), audience: draft.audience,
                dueAt: draft.dueAt ?? now, admin: admin, now: now)
            guard let notice = try await transaction.first(insert) else { throw Problem.notFound }
            try publish(.made, of: notice, by: admin, in: transaction)
            return try .json(
                .created, GeneralNoticeView(notice),
                at: "/notifications/v1/markets/\(market)/general-notices/\(id.text)")
        }
    }

    private func change(_ request: Request, _ context: AuthenticatedContext) async throws -> GeneralNoticeView {
        let market = try context.adminMarket()
        let (id, admin) = (try context.uuid("id"), context.caller.accountID)
        let form = try await request.form(context: context)
        let expected = request.expectedVersion(form.validator)
        let draft = try draft(form, in: market)
        return try await pool.withTransaction { transaction in
            let change = ChangeGeneralNotice(
                market: market, id: id, version: expected, arguments: try draft.arguments(), audience: draft.audience,
                dueAt: draft.dueAt ?? clock())
            guard let notice = try await transaction.first(change) else {
                throw try await refusal(of: id, in: market, .waiting, transaction)
            }
            try publish(.changed, of: notice, by: admin, in: transaction)
            return GeneralNoticeView(notice)
        }
    }

    /// Cancels it before it goes, or takes that back.
    private func cancel(
        _ isCancelled: Bool, _ request: Request, _ context: AuthenticatedContext
    ) async throws -> GeneralNoticeView {
        let market = try context.adminMarket()
        let (id, admin) = (try context.uuid("id"), context.caller.accountID)
        let validator = Validator()
        let expected = request.expectedVersion(validator)
        try validator.finish()
        return try await pool.withTransaction { transaction in
            let cancel = CancelGeneralNotice(market: market, id: id, isCancelled: isCancelled, version: expected)
            guard let notice = try await transaction.first(cancel) else {
                // A repeat finds it done.
                if expected == nil, let found = try await transaction.first(FindGeneralNotice(market: market, id: id)),
                    (found.state == GeneralNotice.State.cancelled.rawValue) == isCancelled,
                    isCancelled || found.state == GeneralNotice.State.waiting.rawValue
                {
                    return GeneralNoticeView(found)
                }
                throw try await refusal(of: id, in: market, isCancelled ? .waiting : .cancelled, transaction)
            }
            try publish(isCancelled ? .cancelled : .restored, of: notice, by: admin, in: transaction)
            return GeneralNoticeView(notice)
        }
    }

    /// Why an act upon a notice changed nothing.
    /// - Parameter needed: the state that it has to be in.
    private func refusal(
        of id: UUID, in market: String, _ needed: GeneralNotice.State, _ transaction: PostgresTransaction
    ) async throws -> Problem {
        guard let notice = try await transaction.first(FindGeneralNotice(market: market, id: id)) else {
            return .notFound
        }
        guard notice.state == needed.rawValue else {
            return Problem(
                "notice-state", status: .conflict, arguments: ["notice": notice.state],
                extensions: ["state": .string(notice.state)])
        }
        return Problem(
            "notice-changed", status: .preconditionFailed, arguments: ["version": String(notice.version)],
            extensions: ["version": .integer(Int64(notice.version))])
    }

    private func publish(
        _ act: NoticeManaged.Act, of notice: GeneralNotice, by admin: UUID, in transaction: PostgresTransaction
    ) throws {
        try transaction.publish(
            NoticeManaged(
                act: act, notice: notice.id, market: notice.market, audience: notice.audience.group.rawValue,
                title: notice.audience.title, language: notice.audience.language, dueAt: notice.dueAt, by: admin,
                at: clock()))
    }

    // MARK: What is written

    /// Both texts are needed in each language of the market.
    private func draft(_ form: Form, in market: String) throws -> NoticeDraft {
        let languages = languages(of: market)
        func texts(_ name: String, _ limit: Int, lines: Bool) -> [String: String] {
            guard let group = form.group(name) else { return [:] }
            var texts: [String: String] = [:]
            for language in languages { texts[language] = group.string(language, length: 1...limit, lines: lines) }
            return texts
        }
        let subject = texts("subject", Self.subjectLimit, lines: false)
        let content = texts("content", Self.contentLimit, lines: true)
        let group = form.choice("audience", of: NoticeAudience.Group.self)
        let title = choice("title", of: titles(of: market), form)
        if title != nil, let group, group != .providers { form.reject("title", "invalid-value") }
        let language = choice("language", of: languages, form)
        let dueAt = form.date("at", required: false)
        if let dueAt {
            let seconds = dueAt.timeIntervalSince(clock())
            if seconds < -Self.latenessSeconds { form.reject("at", "already-past") }
            if seconds > Self.farthestSeconds { form.reject("at", "too-far-ahead") }
        }
        guard form.isValid, let group else { throw form.problem }
        return NoticeDraft(
            subject: subject, content: content,
            audience: NoticeAudience(group: group, title: title, language: language), dueAt: dueAt)
    }

    private func choice(_ name: String, of choices: [String], _ form: Form) -> String? {
        guard let text = form.string(name, length: 1...100, required: false) else { return nil }
        if choices.contains(text) { return text }
        form.reject(name, "not-a-choice", ["choices": choices.joined(separator: ", ")])
        return nil
    }

    private func titles(of market: String) -> [String] { markets.named(market)?.titles.map(\.id) ?? [] }

    private func languages(of market: String) -> [String] {
        markets.settings(of: market)?.languages ?? Market.named(market)?.defaults.languages ?? []
    }
}
