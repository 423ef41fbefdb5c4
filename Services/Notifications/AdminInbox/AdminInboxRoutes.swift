import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// `/notifications/v1/markets/{market}/inbox`: what waits for a market's admins (N1). All of them see the same rows;
/// one of them takes a thing, and what the service that owns it has decided ends it.
///
/// The list has no names and no words of people, and the console reads it with each change, so reading it is no entry
/// of the audit log; the file of it is one.
struct AdminInboxRoutes: Sendable {
    let pool: PostgresPool
    let hub: StreamHub
    let catalogue: ProblemCatalogue
    let cursors: CursorSealer
    let clock: @Sendable () -> Date

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/inbox") { try await list($0, $1) }
        group.get("markets/{market}/inbox.csv") { try await file($0, $1) }
        group.get("markets/{market}/inbox-counts") { request, context in
            let market = try context.adminMarket()
            try QueryForm(request).finish()
            let count = CountAdminItems(market: market, admin: context.caller.accountID)
            return AdminItemCountsView(try await pool.query(count))
        }
        group.get("markets/{market}/inbox/{id}") { _, context in
            let market = try context.adminMarket()
            let find = FindAdminItem(id: try context.uuid("id"), market: market)
            guard let item = try await pool.first(find) else { throw Problem.notFound }
            return AdminItemView(item, catalogue, context.language)
        }
        group.put("markets/{market}/inbox/{id}/taker") { _, context in try await act(.take, context) }
        group.delete("markets/{market}/inbox/{id}/taker") { _, context in try await act(.release, context) }
        group.put("markets/{market}/inbox/{id}/done") { _, context in try await act(.finish, context) }
        group.delete("markets/{market}/inbox/{id}/done") { _, context in try await act(.reopen, context) }
    }

    // MARK: Reading

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<AdminItemView> {
        let market = try context.adminMarket()
        let query = QueryForm(request)
        let filter = filter(query, context)
        let page = try query.page(of: "admin inbox", .descending, where: ["market": market], sealedBy: cursors)
        let rows = try await rows(market, filter, after: page.last ?? ListInboxItems.beginning, page.fetchLimit)
        return try page.answer(
            rows, at: { ($0.at, $0.id) }, item: { AdminItemView($0, catalogue, context.language) })
    }

    private func file(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.adminMarket()
        let query = QueryForm(request)
        let filter = filter(query, context)
        try query.finish()
        let language = context.language
        return try await StreamCSV(
            name: "inbox-\(market)", head: AdminItemView.columns.map { $0.text(in: language.rawValue) },
            part: { after, limit in
                try await rows(market, filter, after: after ?? ListInboxItems.beginning, limit)
            }, position: { ($0.at, $0.id) }, line: { AdminItemView($0, catalogue, language).line }
        ).response()
    }

    private func filter(_ query: QueryForm, _ context: AuthenticatedContext) -> AdminItemFilter {
        AdminItemFilter(
            kind: query.choice("kind", of: AdminItemKind.self),
            state: query.choice("state", of: AdminItemCase.State.self),
            takenBy: query.bool("own") == true ? context.caller.accountID : nil, isUrgent: query.bool("urgent"))
    }

    private func rows(
        _ market: String, _ filter: AdminItemFilter, after: (at: Date, id: UUID), _ limit: Int
    ) async throws -> [AdminItem] {
        guard let state = filter.state, !state.isOpen else {
            return try await pool.query(
                ListOpenAdminItems(market: market, filter: filter, after: after, limit: limit))
        }
        return try await pool.query(ListEndedAdminItems(market: market, filter: filter, after: after, limit: limit))
    }

    // MARK: Acts

    /// Of two admins at once the second finds what the first has done. A repeat changes nothing.
    private func act(_ act: AdminItemCase.Act, _ context: AuthenticatedContext) async throws -> AdminItemView {
        let market = try context.adminMarket()
        let (id, admin) = (try context.uuid("id"), context.caller.accountID)
        return try await pool.withTransaction { transaction in
            guard let found = try await transaction.first(FindAdminItem(id: id, market: market)) else {
                throw Problem.notFound
            }
            // An inquiry is locked before what waits about it, as its own page locks them.
            try await passOn(act, found, by: admin, in: transaction)
            guard let item = try await transaction.first(LockAdminItem(id: id, market: market)) else {
                throw Problem.notFound
            }
            let next = try item.stand.after(act, by: admin)
            let now = clock()
            guard next != item.stand,
                let moved = try await transaction.first(
                    MoveAdminItem(id: id, stand: next, now: now))
            else { return AdminItemView(item, catalogue, context.language) }
            try transaction.publish(
                AdminItemManaged(
                    act: act.told, item: id, market: market, kind: item.kind, subject: item.subject, by: admin, at: now)
            )
            AdminItemWriter.of(transaction, hub).changed(in: market)
            return AdminItemView(moved, catalogue, context.language)
        }
    }

    /// Whoever takes an inquiry here has it on its own page, too.
    private func passOn(
        _ act: AdminItemCase.Act, _ item: AdminItem, by admin: UUID, in transaction: PostgresTransaction
    ) async throws {
        guard item.kind == AdminItemKind.inquiry.rawValue, item.stand.state.isOpen, item.stand.person != admin else {
            return
        }
        switch act {
        case .take:
            let take = TakeInquiry(id: item.subject, market: item.market, admin: admin)
            guard try await transaction.first(take) != nil else { throw AdminItemCase.Refusal.taken }
        case .release:
            _ = try await transaction.first(ReleaseInquiry(id: item.subject, market: item.market))
        case .finish, .reopen: break
        }
    }
}

extension AdminItemCase.Act {
    fileprivate var told: AdminItemManaged.Act {
        switch self {
        case .take: .taken
        case .release: .released
        case .finish: .done
        case .reopen: .reopened
        }
    }
}

extension AdminItemCase.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .ownMatter: .ownMatter
        case .taken: Problem("inbox-item-taken", status: .conflict)
        case .ended: Problem("inbox-item-ended", status: .conflict)
        }
    }
}
