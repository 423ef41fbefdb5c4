import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// `/notifications/v1/markets/{market}/canned-answers`: what admins have ready to answer inquiries (N6). They choose one,
/// change it as they like and send it as any other answer.
struct CannedAnswerRoutes: Sendable {
    static let nameLimit = 60

    let pool: PostgresPool
    let markets: LiveMarkets
    let idempotency: IdempotencyStore
    let clock: @Sendable () -> Date

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/canned-answers") { try await list($0, $1) }
        group.post("markets/{market}/canned-answers") { try await add($0, $1) }
        group.put("markets/{market}/canned-answers/{id}") { try await change($0, $1) }
        group.delete("markets/{market}/canned-answers/{id}") { try await remove($0, $1) }
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> CannedAnswerListView {
        let market = try context.adminMarket()
        let query = QueryForm(request)
        let section = query.choice("section", of: Inquiry.Section.self)
        let language = query.choice("language", of: languages(of: market))
        try query.finish()
        let rows = try await pool.query(ListCannedAnswers(market: market, section: section, language: language))
        return CannedAnswerListView(items: rows.map(CannedAnswerView.init))
    }

    private func add(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.adminMarket()
        let once = try await IdempotentRequest(request, context: context)
        let draft = try draft(try await once.request.form(context: context), in: market)
        let (id, admin) = (UUID.timeOrdered(), context.caller.accountID)
        return try await idempotency.answer(once) { transaction in
            _ = try await transaction.query(LockCannedAnswers(market: market))
            let (count, taken) = try await transaction.queryAll(
                CountCannedAnswers(market: market), FindCannedAnswerName(market: market, draft: draft))
            guard taken.isEmpty else { throw Self.isTaken }
            guard count.first ?? 0 < CannedAnswer.maximum else { throw Self.tooMany }
            let insert = InsertCannedAnswer(id: id, market: market, draft: draft, admin: admin, now: clock())
            guard let answer = try await transaction.first(insert) else { throw Problem.notFound }
            try publish(.cannedAnswerAdded, of: id, in: market, by: admin, transaction)
            return try .json(
                .created, CannedAnswerView(answer),
                at: "/notifications/v1/markets/\(market)/canned-answers/\(id.text)")
        }
    }

    private func change(_ request: Request, _ context: AuthenticatedContext) async throws -> CannedAnswerView {
        let market = try context.adminMarket()
        let (id, admin) = (try context.uuid("id"), context.caller.accountID)
        let form = try await request.form(context: context)
        let version = request.expectedVersion(form.validator)
        let draft = try draft(form, in: market)
        return try await pool.withTransaction { transaction in
            _ = try await transaction.query(LockCannedAnswers(market: market))
            let (found, taken) = try await transaction.queryAll(
                FindCannedAnswer(market: market, id: id), FindCannedAnswerName(market: market, draft: draft))
            guard let found = found.first else { throw Problem.notFound }
            guard taken.allSatisfy({ $0 == id }) else { throw Self.isTaken }
            let change = ChangeCannedAnswer(
                market: market, id: id, version: version, draft: draft, admin: admin, now: clock())
            guard let answer = try await transaction.first(change) else { throw Self.changed(found.version) }
            try publish(.cannedAnswerChanged, of: id, in: market, by: admin, transaction)
            return CannedAnswerView(answer)
        }
    }

    private func remove(_ request: Request, _ context: AuthenticatedContext) async throws -> HTTPResponse.Status {
        let market = try context.adminMarket()
        let (id, admin) = (try context.uuid("id"), context.caller.accountID)
        try await pool.withTransaction { transaction in
            guard try await transaction.execute(DeleteCannedAnswer(market: market, id: id)) > 0 else {
                throw Problem.notFound
            }
            try publish(.cannedAnswerRemoved, of: id, in: market, by: admin, transaction)
        }
        return .noContent
    }

    private func publish(
        _ act: TalkManaged.Act, of id: UUID, in market: String, by admin: UUID, _ transaction: PostgresTransaction
    ) throws {
        try transaction.publish(TalkManaged(act: act, subject: id, market: market, by: admin, at: clock()))
    }

    private func draft(_ form: Form, in market: String) throws -> CannedAnswerDraft {
        let section = form.choice("section", of: Inquiry.Section.self)
        let languages = languages(of: market)
        let language = form.string("language", length: 1...10)
        if let language, !languages.contains(language) {
            form.reject("language", "not-a-choice", ["choices": languages.joined(separator: ", ")])
        }
        let name = form.string("name", length: 1...Self.nameLimit)
        let body = form.string("text", length: 1...ConversationRoutes.textLimit, lines: true)
        guard form.isValid, let section, let language, let name, let body else { throw form.problem }
        return CannedAnswerDraft(section: section, language: language, name: name, body: body)
    }

    private func languages(of market: String) -> [String] {
        markets.settings(of: market)?.languages ?? Market.named(market)?.defaults.languages ?? []
    }

    private static let isTaken = Problem("canned-answer-name-taken", status: .conflict)
    private static let tooMany = Problem(
        "too-many-canned-answers", status: .conflict, arguments: ["maximum": String(CannedAnswer.maximum)])

    private static func changed(_ version: Int) -> Problem {
        Problem(
            "canned-answer-changed", status: .preconditionFailed, arguments: ["version": String(version)],
            extensions: ["version": .integer(Int64(version))])
    }
}

struct CannedAnswerListView: ResponseEncodable, Encodable, Sendable {
    let items: [CannedAnswerView]
}

struct CannedAnswerView: ResponseEncodable, Encodable, Sendable {
    let answer: String
    let section: String
    let language: String
    let name: String
    let text: String
    let version: Int
    let changedAt: Date
    let changedBy: String

    init(_ answer: CannedAnswer) {
        self.answer = answer.id.text
        (section, language, name, text) = (answer.section, answer.language, answer.name, answer.body)
        (version, changedAt, changedBy) = (answer.version, answer.changedAt, answer.changedBy.text)
    }
}
