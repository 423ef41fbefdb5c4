import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Routes by which admins of a market read and decide about providers' documents. Every read is recorded in the audit
/// log.
struct DocumentDecisionRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/markets/{market}/providers/{account}", context: AuthenticatedContext.self)
            .get("papers", use: read)
            .get("documents/{document}", use: contents)
            .post("documents/{document}/decision", use: decide)
    }

    private func read(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        let account = try context.uuid("account")
        let found = try await parts.pool.withTransaction { transaction in
            let found = try await parts.readPapers(of: account, in: market.id, transaction)
            try transaction.publish(
                DocumentViewed(
                    account: account, market: market.id, kind: "details", document: nil,
                    by: context.caller.accountID, at: parts.clock()))
            return found
        }
        return try .json(.ok, PapersAnswer(found, of: market, parts.onboarding(market.id)))
    }

    private func contents(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        let account = try context.uuid("account")
        let document = try context.uuid("document")
        let row = try await parts.pool.withTransaction { transaction in
            try await parts.documents.contents(
                document, of: account, in: market.id, by: context.caller.accountID, at: parts.clock(),
                in: transaction)
        }
        return .file(try await parts.documents.open(row, of: document), mediaType: row.mediaType, name: row.kind)
    }

    private func decide(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        enum Word: String, CaseIterable { case verify, reject }
        let market = try market(context)
        let account = try context.uuid("account")
        let document = try context.uuid("document")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let word = form.choice("decision", of: Word.self)
        let reason = form.showable("reason", maximum: 500, lines: true, required: word == .reject)
        guard let word, form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            try await parts.documents.decide(
                document, of: account, in: market.id, rejectedBecause: word == .reject ? reason : nil,
                by: context.caller.accountID, at: parts.clock(), in: transaction)
            // Details are left out: the request did not ask for them, so this is no read for the audit log.
            let found = try await parts.readPapers(of: account, in: market.id, withDetails: false, transaction)
            return try .json(.ok, PapersAnswer(found, of: market, parts.onboarding(market.id)))
        }
    }

    /// A caller who is no admin of the market gets a 403, whether the market exists or not.
    private func market(_ context: AuthenticatedContext) throws(Problem) -> Market {
        let id = context.parameters.get("market") ?? ""
        try context.caller.require(Role.Kind.admin.rawValue, in: id)
        guard let market = Market.named(id) else { throw .notFound }
        return market
    }
}
