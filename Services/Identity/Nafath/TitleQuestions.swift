import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Questions about job titles that Nafath names, that are medical, and that are no title of the market (I5). The person is
/// a customer, or a provider who waits, until an admin has found a title.
struct TitleQuestions: Sendable {
    let managePeople: ManagePeople
    let decideProvider: DecideProvider
    let rules: @Sendable () -> RoleRules

    /// Asks about a job title, unless an admin has decided about the same words.
    static func ask(
        _ jobTitle: String, of account: UUID, in market: String, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let put = PutTitleQuestion(account: account, market: market, jobTitle: jobTitle, now: now)
        guard try await transaction.first(put) != nil else { return }
        try transaction.publish(TitleQuestioned(account: account, market: market, isDeclined: false, at: now))
    }

    /// Decides a question: a title makes a provider, as if the admin had given the role; who is a provider already gets
    /// the title and is verified.
    ///
    /// - Parameter title: nil for none of the market's titles.
    /// - Throws: ``IdentityError/noSuchAccount`` without an open question; the errors of
    ///   ``ManagePeople/give(_:to:by:rules:at:in:bring:)`` and ``DecideProvider``.
    func decide(
        _ title: String?, of account: UUID, in market: String, by admin: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard account != admin else { throw IdentityError.ownAccount }
        if let title, try await isProvider(account, in: market, in: transaction) {
            let change = PersonChange(name: nil, gender: nil, language: nil, title: title)
            let changed = try await managePeople.change(
                account, in: market, to: change, by: admin, at: now, in: transaction)
            if changed.provider(in: market, title: title)?.isVerified == false {
                try await decideProvider(
                    .verify(title: title, version: nil), on: account, in: market, by: admin, at: now, in: transaction)
            }
        } else if let title {
            _ = try await managePeople.give(
                .provider(in: market, title: title), to: account, by: admin, rules: rules(), at: now, in: transaction)
        } else {
            _ = try await AdminRights.lock(of: admin, in: market, at: now, in: transaction)
        }
        let decide = DecideTitleQuestion(account: account, market: market, title: title, admin: admin, now: now)
        guard try await transaction.execute(decide) == 1 else { throw IdentityError.noSuchAccount }
        guard title == nil else { return }
        try transaction.publish(TitleQuestioned(account: account, market: market, isDeclined: true, at: now))
        try transaction.publish(
            AccountManaged(account: account, market: market, act: .titleDeclined, by: admin, at: now))
    }

    private func isProvider(
        _ account: UUID, in market: String, in transaction: PostgresTransaction
    ) async throws -> Bool {
        let roles = try await transaction.query(ListRoles(account: account))
        return roles.contains { $0?.kind == .provider && $0?.market == market && $0?.sells == false }
    }
}

/// Routes by which admins decide about job titles that Nafath named.
struct TitleQuestionRoutes: Sendable {
    private enum Decision: String, CaseIterable { case title, none }

    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/markets/{market}/title-questions", context: AuthenticatedContext.self)
            .get(use: list)
            .post("{account}/decision", use: decide)
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<TitleQuestionView> {
        let market = try context.administeredMarket().id
        let page = try QueryForm(request, ignoring: .unknown).page(
            of: "title-questions", where: ["market": market], sealedBy: parts.cursors)
        let rows = try await parts.pool.query(
            ListTitleQuestions(
                market: market, after: page.position(first: .beginning), limit: page.fetchLimit))
        return try page.answer(rows, at: { ($0.askedAt, $0.account) }, item: TitleQuestionView.init)
    }

    private func decide(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let account = try context.uuid("account")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let decision = form.choice("decision", of: Decision.self)
        let title = decision == .title ? form.title(of: parts.current(market), required: true) : nil
        guard let decision, form.isValid, decision == .none || title != nil else { throw form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            try await parts.titleQuestions.decide(
                title, of: account, in: market.id, by: context.caller.accountID, at: parts.clock(), in: transaction)
            return Response(status: .noContent)
        }
    }
}

/// An open question as shown to an admin.
struct TitleQuestionView: Encodable, Sendable {
    let account: String
    let name: String
    /// In Nafath's words.
    let jobTitle: String
    let askedAt: Date

    init(_ row: ListTitleQuestions.Row) {
        account = row.account.text
        name = row.name
        jobTitle = row.jobTitle
        askedAt = row.askedAt
    }
}

/// Stores a question and returns a row when it is new: the first one, or other words than those that were decided.
struct PutTitleQuestion: Statement {
    static let sql: SQL = """
        INSERT INTO title_questions AS q (account, market, job_title, asked_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (account, market) DO UPDATE SET job_title = excluded.job_title, asked_at = excluded.asked_at,
            decided_at = NULL, decided_by = NULL, title = NULL
        WHERE q.job_title <> excluded.job_title
        RETURNING true
        """
    let account: UUID
    let market: String
    let jobTitle: String
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, market, jobTitle, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Deletes an open question: the person has a title of the market.
struct DropTitleQuestion: Statement {
    static let sql: SQL =
        "DELETE FROM title_questions WHERE account = $1 AND market = $2 AND decided_at IS NULL"
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
}

struct DecideTitleQuestion: Statement {
    static let sql: SQL = """
        UPDATE title_questions SET decided_at = $5, decided_by = $4, title = $3
        WHERE account = $1 AND market = $2 AND decided_at IS NULL
        """
    let account: UUID
    let market: String
    let title: String?
    let admin: UUID
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, market, title, admin, now) }
}

struct ListTitleQuestions: Statement {
    struct Row: Sendable {
        let account: UUID
        let name: String
        let jobTitle: String
        let askedAt: Date
    }

    static let sql: SQL = """
        SELECT q.account, a.name, q.job_title, q.asked_at
        FROM title_questions AS q JOIN accounts AS a ON a.id = q.account
        WHERE q.market = $1 AND q.decided_at IS NULL AND (q.asked_at, q.account) > ($2, $3)
        ORDER BY q.asked_at, q.account LIMIT $4
        """
    let market: String
    let after: TimePosition
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(market, after.time, after.id, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(account: try row.next(), name: try row.next(), jobTitle: try row.next(), askedAt: try row.next())
    }
}
