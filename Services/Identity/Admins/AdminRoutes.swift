import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Routes by which master admins manage the admins of a market and the master admins (`*`).
struct AdminRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/markets/{market}/admins", context: AuthenticatedContext.self)
            .get(use: list)
            .post(use: grant)
            .delete("{account}", use: revoke)
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<AdminView> {
        let market = try context.mastered()
        let page = try QueryForm(request, ignoring: .unknown).page(
            of: "admins", where: ["market": market], sealedBy: parts.cursors)
        let after = page.position(first: .beginning)
        let rows = try await parts.pool.query(ListAdmins(market: market, after: after, limit: page.fetchLimit))
        return try page.answer(rows, at: { ($0.since, $0.account) }, item: AdminView.init)
    }

    private func grant(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.mastered()
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        guard let account = form.uuid("account"), form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            try await parts.changeAdmin.grant(
                market, to: account, by: context.caller.accountID, at: parts.clock(), in: transaction)
            guard let found = try await Accounts.find(account, in: transaction) else {
                throw IdentityError.noSuchAccount
            }
            return try .json(
                .created, AdminView(account: account, name: found.name.text, since: parts.clock()),
                at: "/identity/v1/markets/\(market)/admins/\(account.text)")
        }
    }

    private func revoke(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.mastered()
        let account = try context.uuid("account")
        try await parts.pool.withTransaction { transaction in
            try await parts.changeAdmin.revoke(
                market, from: account, by: context.caller.accountID, at: parts.clock(), in: transaction)
        }
        return Response(status: .noContent)
    }
}

/// An admin as shown to a master admin.
struct AdminView: Encodable, Sendable {
    let account: String
    let name: String
    let since: Date

    init(account: UUID, name: String, since: Date) {
        self.account = account.text
        self.name = name
        self.since = since
    }

    init(_ row: AdminRow) { self.init(account: row.account, name: row.name, since: row.since) }
}
