import Contracts
import Foundation
import Hummingbird
import Postgres
import ServiceKit

/// Routes of role offers (P1, I13): an admin names an address or a number, and the person who receives the message
/// accepts.
struct RoleOfferRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/markets/{market}/role-offers", context: AuthenticatedContext.self)
            .post(use: offer)
        router.group("identity/v1/role-offers")
            .add(middleware: parts.limits.loggingIn)
            .post("finish", use: accept)
    }

    /// 202 whether the account exists or not.
    private func offer(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let role = form.role(in: parts.current(market))
        let email = form.emailAddress("email", required: false)
        let mobile = form.knownMobileNumber("mobile", required: email == nil)
        let contact = email.map(NewContact.email) ?? mobile.map(NewContact.mobile)
        guard let role, let contact, form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            try await parts.offerRole(
                role, to: contact, by: context.caller.accountID, at: parts.clock(), in: transaction)
            return Response(status: .accepted)
        }
    }

    private func accept(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let rules = parts.roleRules
        return try await parts.idempotency.answer(once) { transaction in
            // Read anew when the transaction is repeated: a form collects its faults.
            let form = try await once.request.form(context: context)
            guard let token = form.secret("token", length: 1...200), form.isValid else { throw form.problem }
            try await parts.offerRole.accept(
                link: token.revealed, rules: rules, at: parts.clock(), in: transaction
            ) { role, profile in try form.brought(for: role, of: profile, by: rules) }
            return Response(status: .noContent)
        }
    }
}
