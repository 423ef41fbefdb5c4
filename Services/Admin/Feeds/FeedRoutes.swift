import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Routes by which a market's admins say where its news come from (H4).
extension AdminRoutes {
    static let maximumFeeds = 20
    static let feedActs = ["feed.added", "feed.changed", "feed.removed"]

    /// `GET markets/{market}/feeds`
    @Sendable func listFeeds(_ request: Request, _ context: AuthenticatedContext) async throws -> FeedsView {
        let market = try market(context)
        return FeedsView(items: try await pool.query(ListFeeds(market: market.id)).map(FeedView.init))
    }

    /// `POST markets/{market}/feeds`
    @Sendable func addFeed(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        let once = try await IdempotentRequest(request, context: context)
        let settings = try await feedSettings(try await once.request.form(context: context), in: market)
        return try await idempotency.answer(once) { transaction in
            let rows = try await feeds(of: market, in: transaction)
            guard rows.count < Self.maximumFeeds else {
                throw Problem(
                    "too-many-entries", status: .conflict, arguments: ["maximum": String(Self.maximumFeeds)])
            }
            try Self.checkUnique(settings, among: rows)
            let id = UUID.timeOrdered()
            transaction.send(
                StoreFeed(
                    id: id, market: market.id, settings: settings, version: 1, by: context.caller.accountID,
                    at: clock()))
            try record("feed.added", id, of: market, context, before: nil, after: settings, in: transaction)
            return try await feed(.created, id, of: market, in: transaction)
                .located(at: "/admin/v1/markets/\(market.id)/feeds")
        }
    }

    /// `PUT markets/{market}/feeds/{id}`: it is asked for at once.
    @Sendable func changeFeed(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, id) = try feedKey(context)
        let form = try await request.form(context: context)
        let match = Self.version(ifMatch: request.headers[.ifMatch])
        if match == .wrong { form.validator.reject("If-Match", "invalid-value") }
        let settings = try await feedSettings(form, in: market)
        return try await pool.withTransaction { transaction in
            let rows = try await feeds(of: market, in: transaction)
            guard let row = rows.first(where: { $0.id == id }) else { throw Problem.notFound }
            if let seen = match.version, seen != row.version {
                throw Problem(
                    "catalogue-changed", status: .preconditionFailed, arguments: ["version": String(row.version)],
                    extensions: ["version": .integer(Int64(row.version))])
            }
            try Self.checkUnique(settings, among: rows.filter { $0.id != id })
            transaction.send(
                StoreFeed(
                    id: id, market: market.id, settings: settings, version: row.version + 1,
                    by: context.caller.accountID, at: clock()))
            if settings != row.settings {
                try record(
                    "feed.changed", id, of: market, context, before: row.settings, after: settings, in: transaction)
            }
            return try await feed(.ok, id, of: market, in: transaction)
        }
    }

    /// `DELETE markets/{market}/feeds/{id}`: its news stay.
    @Sendable func removeFeed(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, id) = try feedKey(context)
        return try await pool.withTransaction { transaction in
            guard let row = try await feeds(of: market, in: transaction).first(where: { $0.id == id }) else {
                throw Problem.notFound
            }
            transaction.send(DeleteFeed(id: id))
            try record("feed.removed", id, of: market, context, before: row.settings, after: nil, in: transaction)
            return Response(status: .noContent)
        }
    }

    // MARK: Shared

    private func feedSettings(_ form: Form, in market: Market) async throws -> FeedSettings {
        let languages = try await inForce(in: market).languages
        let url = form.string("url", length: 1...500)
        if let url, feedAddress.url(url) == nil { form.reject("url", "not-a-feed-address") }
        let group = form.string("group", length: 1...20)
        if let group, !ContentSection.news.groups.contains(group) {
            form.reject("group", "not-a-choice", ["choices": ContentSection.news.groups.joined(separator: ", ")])
        }
        let language = form.string("language", length: 2...20)
        if let language, !languages.contains(language) {
            form.reject("language", "not-a-choice", ["choices": languages.joined(separator: ", ")])
        }
        let (publishes, active) = (form.bool("publishes"), form.bool("active"))
        try form.finish()
        guard let url, let group, let language, let publishes, let active else { throw form.problem }
        return FeedSettings(url: url, group: group, language: language, publishes: publishes, active: active)
    }

    private static func checkUnique(_ settings: FeedSettings, among rows: [FeedRow]) throws(Problem) {
        guard rows.allSatisfy({ $0.settings.url != settings.url }) else {
            throw .invalidFields([FieldProblem("url", "feed-known")])
        }
    }

    private func feeds(of market: Market, in transaction: PostgresTransaction) async throws -> [FeedRow] {
        try await transaction.queryAll(LockFeeds(market: market.id), ListFeeds(market: market.id)).1
    }

    private func feed(
        _ status: HTTPResponse.Status, _ id: UUID, of market: Market, in transaction: PostgresTransaction
    ) async throws -> Response {
        let rows = try await transaction.query(ListFeeds(market: market.id))
        guard let row = rows.first(where: { $0.id == id }) else { throw Problem.notFound }
        var response = try Response.json(status, FeedView(row))
        response.headers[.eTag] = "\"\(row.version)\""
        return response
    }

    private func record(
        _ act: String, _ id: UUID, of market: Market, _ context: AuthenticatedContext, before: FeedSettings?,
        after: FeedSettings?, in transaction: PostgresTransaction
    ) throws {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: .timeOrdered(), at: clock(), market: market.id, service: AdminService.name, action: act,
                    account: context.caller.accountID, subject: "feed/\(id.text)",
                    before: try before.map { PostgresJSON(try JSON.wire.encode($0)) },
                    after: try after.map { PostgresJSON(try JSON.wire.encode($0)) })))
    }

    private func feedKey(_ context: AuthenticatedContext) throws(Problem) -> (market: Market, id: UUID) {
        let market = try market(context)
        guard let id = UUID(uuidString: context.parameters.get("id") ?? "") else { throw .notFound }
        return (market, id)
    }
}

struct FeedsView: ResponseEncodable, Sendable {
    let items: [FeedView]
}

struct FeedView: ResponseEncodable, Sendable {
    let id: UUID
    let url: String
    let group: String
    let language: String
    let publishes: Bool
    let active: Bool
    let version: Int
    let changedAt: Date
    /// When it was asked for last; nil for never since its last change.
    let checkedAt: Date?
    /// A ``FeedFault``; nil where it could be read.
    let fault: String?

    init(_ row: FeedRow) {
        (id, url, group, language) = (row.id, row.settings.url, row.settings.group, row.settings.language)
        (publishes, active) = (row.settings.publishes, row.settings.active)
        (version, changedAt, checkedAt, fault) = (row.version, row.changedAt, row.checkedAt, row.fault)
    }
}

extension Feature {
    static func feeds(_ routes: AdminRoutes) -> Feature {
        Feature(
            "feeds",
            routes: {
                $0.signedIn.get("markets/{market}/feeds", use: routes.listFeeds)
                $0.signedIn.post("markets/{market}/feeds", use: routes.addFeed)
                $0.signedIn.put("markets/{market}/feeds/{id}", use: routes.changeFeed)
                $0.signedIn.delete("markets/{market}/feeds/{id}", use: routes.removeFeed)
            },
            working: [
                ServiceComponent(
                    "feeds", stage: .background,
                    ImportFeeds(
                        pool: routes.pool, client: FeedClient(address: routes.feedAddress), clock: routes.clock,
                        logger: routes.logger))
            ])
    }
}
