import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Routes by which providers manage their own documents and details for a market.
struct DocumentRoutes: Sendable {
    static let upload = "/identity/v1/accounts/me/providers/{market}/documents/{document}"

    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/accounts/me/providers/{market}", context: AuthenticatedContext.self)
            .get(use: read)
            .put("details", use: changeDetails)
            .get("documents/{document}", use: contents)
        router.group("identity/v1/accounts/me/providers/{market}/documents/{document}")
            .add(middleware: parts.limits.uploading)
            .group(context: AuthenticatedContext.self)
            .put(use: upload)
    }

    private func read(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try await answer(request, context) { _ in }
    }

    private func changeDetails(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        let form = try await request.form(context: context)
        let rules = parts.roleRules
        let id = context.caller.accountID
        return try await answer(request, context) { transaction in
            let account = try await Accounts.lock(id, in: transaction)
            guard let role = account.provider(in: market.id, title: titleAsked(request)), let title = role.title else {
                throw AccountError.notAProvider
            }
            let asked = rules.onboarding(market.id).details(of: title)
            let details = form.details(asked, today: rules.today(in: market.id))
            try form.finish()
            try await parts.changeDetails(
                details, asked: Set(asked.map(\.id)), of: account, for: role, at: parts.clock(), in: transaction)
        }
    }

    /// The body is the file. It replaces a waiting or rejected document; a verified one holds until this one is
    /// verified.
    private func upload(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        let kind = context.parameters.get("document") ?? ""
        let bytes = try await request.upload(of: FileKind.papers, context: context)
        let id = context.caller.accountID
        let file = try await parts.documents.prepare(bytes, for: id)
        return try await answer(request, context) { transaction in
            try await parts.documents.upload(
                file, as: kind, of: id, in: market.id, at: parts.clock(), in: transaction)
        }
    }

    private func contents(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        let document = try context.uuid("document")
        let row = try await parts.pool.withTransaction(.readOnly) { transaction in
            try await parts.documents.contents(
                document, of: context.caller.accountID, in: market.id, by: nil, at: parts.clock(), in: transaction)
        }
        return .file(try await parts.documents.open(row, of: document), mediaType: row.mediaType, name: row.kind)
    }

    /// The provider's documents and details after the change.
    private func answer(
        _ request: Request, _ context: AuthenticatedContext, _ change: (PostgresTransaction) async throws -> Void
    ) async throws -> Response {
        let market = try market(context)
        let found = try await parts.pool.withTransaction { transaction in
            try await change(transaction)
            return try await parts.readPapers(
                of: context.caller.accountID, title: titleAsked(request), in: market.id, transaction)
        }
        return try .json(.ok, PapersView(found, of: market, parts.markets, parts.onboarding(market.id)))
    }

    /// Whose papers are meant where the account has two titles; without it the work's.
    private func titleAsked(_ request: Request) -> String? { QueryForm(request)["title"] }

    private func market(_ context: AuthenticatedContext) throws(Problem) -> Market {
        let id = context.parameters.get("market") ?? ""
        // Any role in the market is enough: a token may be older than the provider role.
        try context.caller.require(anyOf: Set(Role.Kind.allCases.map(\.rawValue)), in: id)
        guard let market = Market.named(id) else { throw .notFound }
        return market
    }
}
