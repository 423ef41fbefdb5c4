import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Routes by which master admins manage the admins and the support of a market, and the master admins (`*`).
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
        let named = form.uuid("account", required: false)
        let email = form.emailAddress("email", required: named == nil)
        if named != nil, email != nil { form.reject("email", "invalid-value") }
        let rank = form.choice("rank", of: Rank.self, required: false) ?? .admin
        if rank == .support, market == Role.everyMarket { form.reject("rank", "support-of-one-market") }
        try form.finish()
        return try await parts.idempotency.answer(once) { transaction in
            guard let account = try await account(named, email, in: transaction) else {
                throw Problem.invalidFields([FieldProblem("email", "no-account-of-email")])
            }
            try await parts.changeAdmin.grant(
                rank == .admin ? .admin(of: market) : .support(of: market), to: account,
                by: context.caller.accountID, at: parts.clock(), in: transaction)
            guard let found = try await Accounts.find(account, in: transaction) else {
                throw IdentityError.noSuchAccount
            }
            return try .json(
                .created,
                AdminView(account: account, name: found.name.text, rank: rank.rawValue, since: parts.clock()),
                at: "/identity/v1/markets/\(market)/admins/\(account.text)")
        }
    }

    /// The named account, or the one whose owner has proved the address: whoever merely wrote it down may be a
    /// stranger.
    private func account(
        _ named: UUID?, _ email: EmailAddress?, in transaction: PostgresTransaction
    ) async throws -> UUID? {
        guard named == nil, let email else { return named }
        return try await transaction.first(FindByEmail(emailHash: parts.cipher.hash(email.normalized, for: .email)))
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

/// The rank that a master admin gives to an account.
private enum Rank: String, CaseIterable { case admin, support }

/// An admin, or a person of support, as shown to a master admin.
struct AdminView: Encodable, Sendable {
    let account: String
    let name: String
    /// `admin` or `support`.
    let rank: String
    let since: Date

    init(account: UUID, name: String, rank: String, since: Date) {
        self.account = account.text
        self.name = name
        self.rank = rank
        self.since = since
    }

    init(_ row: AdminRow) { self.init(account: row.account, name: row.name, rank: row.rank, since: row.since) }
}
