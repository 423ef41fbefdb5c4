import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Routes of API keys (X9): their owner makes, lists and revokes them; a program gets access tokens for its key.
struct APIKeyRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/accounts/me/api-keys", context: AuthenticatedContext.self)
            .get(use: list)
            .post(use: make)
            .delete("{key}", use: revoke)
        router.group("identity/v1/api-tokens")
            .add(middleware: parts.limits.loggingIn)
            .post(use: issue)
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let rows = try await parts.pool.query(ListAPIKeys(account: context.caller.accountID))
        return try .json(.ok, APIKeyList(items: rows.map { APIKeyView($0, at: parts.clock()) }))
    }

    private func make(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let market = form.market("market")
        if let market { try context.caller.require(Role.Kind.customer.rawValue, in: market.id) }
        let name = form.showable("name", maximum: 60)
        let scopes = form.strings("scopes", count: 1...KeyScope.allCases.count, length: 1...40)
        for (index, scope) in (scopes ?? []).enumerated() where KeyScope(rawValue: scope) == nil {
            let choices = KeyScope.allCases.map(\.rawValue).joined(separator: ", ")
            form.validator.reject(
                JSONPointer(["scopes"]).appending(index), "not-a-choice", ["choices": choices])
        }
        let days = form.integer("days", in: APIKey.days, required: false) ?? APIKey.defaultDays
        guard let market, let name, let scopes, form.isValid else { throw form.problem }
        let (key, account, now) = (APIKey.generate(), context.caller.accountID, parts.clock())
        return try await parts.idempotency.answer(once) { transaction in
            let owner = try await Accounts.lock(account, in: transaction)
            let row = try await transaction.first(
                InsertAPIKey(
                    id: .timeOrdered(), account: account, market: market.id, name: name,
                    scopes: Set(scopes).sorted(), hash: key.hash, now: now,
                    expiresAt: now.addingTimeInterval(Double(days) * 86_400)))
            guard let row else { throw IdentityError.tooManyKeys(maximum: APIKey.maximum) }
            try await parts.deliver(
                .keyMade(name), to: owner, until: now.addingTimeInterval(ChangePassword.mailSeconds), at: now,
                in: transaction)
            return try Response.json(
                .created, APIKeyView(row, at: now, secret: key.text),
                at: "/identity/v1/accounts/me/api-keys/\(row.id.text)")
        }
    }

    /// Revokes a key. Tokens that it has got are refused as soon as the services hear of it, within a second.
    private func revoke(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (id, account, now) = (try context.uuid("key"), context.caller.accountID, parts.clock())
        try await parts.pool.withTransaction { transaction in
            guard try await transaction.first(RevokeAPIKey(id: id, account: account, now: now)) != nil else {
                throw Problem.notFound
            }
            try parts.endSessions.tell([id], of: account, at: now, in: transaction)
        }
        return Response(status: .noContent)
    }

    /// The secret itself shows who asks, so it needs no Idempotency-Key, and a repetition gets another token.
    private func issue(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let form = try await request.form(context: context)
        guard let text = form.secret("key", length: 1...200), form.isValid else { throw form.problem }
        let now = parts.clock()
        guard let key = APIKey(text.revealed) else { throw IdentityError.wrongKey }
        let (row, account, accepted) = try await parts.pool.withTransaction { transaction in
            guard let row = try await transaction.first(UseAPIKey(hash: key.hash, now: now)),
                let account = try await Accounts.find(row.account, in: transaction)
            else { throw IdentityError.wrongKey }
            return (row, account, try await transaction.query(ListAcceptedTerms(account: account.id)))
        }
        if let ban = account.banEverywhere(at: now) { throw IdentityError.banned(ban) }
        // A ban in the market, or the loss of the role, leaves nothing that the key could do.
        guard account.roles(at: now).contains(where: { $0.kind == .customer && $0.market == row.market }) else {
            throw IdentityError.wrongKey
        }
        let asked = AskedTerms.of(account, accepted: accepted, parts.onboarding)
        guard !AskedTerms.enforced(asked, parts.onboarding).contains(row.market) else {
            throw Problem.termsNotAccepted(in: row.market)
        }
        let token = try await parts.tokens.issue(to: account, key: row, at: now)
        return try .json(
            .ok, APITokenView(accessToken: token, expiresInSeconds: parts.tokens.lifetimeSeconds))
    }
}

/// A key as shown to its owner.
struct APIKeyView: Encodable, Sendable {
    let key: String
    let market: String
    let name: String
    let scopes: [String]
    let createdAt: Date
    let expiresAt: Date
    let lastUsedAt: Date?
    let revokedAt: Date?
    /// Whether it counts now.
    let active: Bool
    /// The text that programs send. Only the answer to its making has it.
    let secret: String?

    init(_ row: APIKeyRow, at now: Date, secret: String? = nil) {
        key = row.id.text
        market = row.market
        name = row.name
        scopes = row.scopes
        createdAt = row.createdAt
        expiresAt = row.expiresAt
        lastUsedAt = row.lastUsedAt
        revokedAt = row.revokedAt
        active = row.revokedAt == nil && row.expiresAt > now
        self.secret = secret
    }
}

struct APIKeyList: Encodable, Sendable {
    let items: [APIKeyView]
}

struct APITokenView: Encodable, Sendable {
    let accessToken: String
    let expiresInSeconds: Int
}

extension Feature {
    static func apiKeys(_ parts: IdentityParts) -> Feature {
        Feature("api-keys", routes: { APIKeyRoutes(parts: parts).add(to: $0.router) })
    }
}
