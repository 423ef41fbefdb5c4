import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Routes of bans: of a market, for its admins and master admins; of all markets (`*`), for master admins.
struct BanRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/markets/{market}/bans", context: AuthenticatedContext.self)
            .get(use: list)
            .post(use: ban)
            .delete("{account}", use: lift)
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<BanView> {
        let market = try context.administered()
        let page = try QueryForm(request, ignoring: .unknown).page(
            of: "bans", .descending, where: ["market": market], sealedBy: parts.cursors)
        let before = page.position(first: .end)
        let rows = try await parts.pool.query(
            ListMarketBans(market: market, before: before, now: parts.clock(), limit: page.fetchLimit))
        return try page.answer(rows, at: { ($0.bannedAt, $0.account) }, item: BanView.init)
    }

    private func ban(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administered()
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let account = form.uuid("account")
        let reason = form.showable("reason", maximum: 500, lines: true)
        let until = form.date("until", required: false)
        if let until, until <= parts.clock() { form.reject("until", "not-in-the-future") }
        guard let account, let reason, form.isValid else { throw form.problem }
        let caller = context.caller
        return try await parts.idempotency.answer(once) { transaction in
            try await parts.banAccount(
                Ban(market: market, reason: reason, until: until), account, by: caller.accountID, at: parts.clock(),
                in: transaction)
            guard let row = try await transaction.first(FindBan(market: market, account: account)) else {
                throw AccountError.notBanned
            }
            return try .json(
                .created, BanView(row), at: "/identity/v1/markets/\(market)/bans/\(account.text)")
        }
    }

    private func lift(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administered()
        let account = try context.uuid("account")
        try await parts.pool.withTransaction { transaction in
            try await parts.banAccount.lift(
                of: account, in: market, by: context.caller.accountID, at: parts.clock(), in: transaction)
        }
        return Response(status: .noContent)
    }
}

/// A ban as shown to an admin.
struct BanView: Encodable, Sendable {
    let account: String
    let name: String
    let reason: String
    let until: Date?
    let bannedAt: Date
    let bannedBy: String

    init(_ row: BanRow) {
        account = row.account.text
        name = row.name
        reason = row.reason
        until = row.until
        bannedAt = row.bannedAt
        bannedBy = row.bannedBy.text
    }
}
