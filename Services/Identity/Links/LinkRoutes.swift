import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Routes by which people manage their links to friends and family (I9).
struct LinkRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/accounts/me/links", context: AuthenticatedContext.self)
            .get(use: list)
            .post(use: ask)
            .post("{link}/agreement", use: agree)
            .post("{link}/block", use: block)
            .post("{link}/removal", use: askRemoval)
            .delete("{link}", use: remove)
    }

    /// An account has at most ``Link/maximum`` links, so there are no pages.
    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let account = context.caller.accountID
        let rows = try await parts.pool.query(ListLinks(account: account, now: parts.clock(), limit: Link.maximum))
        return try .json(
            .ok, LinkList(items: try rows.compactMap { $0 }.map { try LinkView($0, for: account, parts.cipher) }))
    }

    private func ask(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let kind = form.choice("kind", of: Link.Kind.self)
        // A market that confirms accounts by mail has people without a proved number, so a relative may be named by
        // address.
        let email = kind == .family ? form.emailAddress("email", required: false) : nil
        let mobile = form.knownMobileNumber("mobile", required: email == nil)
        let market = kind == .family ? form.market("market") : nil
        let scopes = form.linkScopes(kind)
        let contact = email.map(NewContact.email) ?? mobile.map(NewContact.mobile)
        guard let kind, let contact, let scopes, form.isValid else { throw form.problem }
        let account = context.caller.accountID
        if let market { try context.caller.require(anyOf: ["customer", "provider"], in: market.id) }
        return try await parts.idempotency.answer(once) {
            try await parts.changeLinks.find(contact, for: account, at: parts.clock())
        } _: { transaction, other in
            let link = Link.asked(
                .timeOrdered(), kind, market: market?.id, from: account, to: other, scopes: scopes)
            try await parts.changeLinks.ask(link, by: contact.kind, at: parts.clock(), in: transaction)
            return try .json(
                .created, LinkStateView(link), at: "/identity/v1/accounts/me/links/\(link.id.text)")
        }
    }

    private func agree(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let link = try context.uuid("link")
        let once = try await IdempotentRequest(request, context: context)
        return try await parts.idempotency.answer(once) { transaction in
            try .json(
                .ok,
                LinkStateView(
                    try await parts.changeLinks.agree(
                        link, by: context.caller.accountID, at: parts.clock(), in: transaction)))
        }
    }

    private func remove(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let link = try context.uuid("link")
        try await parts.pool.withTransaction { transaction in
            try await parts.changeLinks.remove(
                link, by: context.caller.accountID, at: parts.clock(), in: transaction)
        }
        return Response(status: .noContent)
    }

    /// Ends a friendship, or refuses one, and has the other person ask no more.
    private func block(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let link = try context.uuid("link")
        let once = try await IdempotentRequest(request, context: context)
        return try await parts.idempotency.answer(once) { transaction in
            try .json(
                .ok,
                LinkStateView(
                    try await parts.changeLinks.block(
                        link, by: context.caller.accountID, at: parts.clock(), in: transaction)))
        }
    }

    /// Asks the admins to remove the other person, for example after a death.
    private func askRemoval(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let link = try context.uuid("link")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        guard let reason = form.showable("reason", maximum: 500, lines: true), form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            let market = try await DecideRemoval.ask(
                by: context.caller.accountID, link: link, reason: reason, at: parts.clock(), in: transaction)
            return try .json(
                .accepted, OwnWordsView(warnings: WarningView.of([reason], in: market, context.language.rawValue)))
        }
    }
}
