import Foundation
import Hummingbird
import Postgres
import ServiceKit

/// Routes for changing the e-mail address or mobile number: the owner asks with the password, or within a fresh login
/// without one, and confirms by the link or code.
struct ContactRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/accounts/me")
            .add(middleware: parts.limits.proving)
            .group(context: AuthenticatedContext.self)
            .post("email", use: askEmail)
            .post("mobile", use: askMobile)
        router.group("identity/v1/accounts/me/mobile/code", context: AuthenticatedContext.self)
            .post(use: confirmMobile)
        router.group("identity/v1/contact-changes")
            .add(middleware: parts.limits.loggingIn)
            .post("finish", use: confirmEmail)
    }

    private func askEmail(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try await ask(request, context) { $0.emailAddress("email").map(NewContact.email) }
    }

    private func askMobile(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try await ask(request, context) { $0.mobileNumber("mobile").map(NewContact.mobile) }
    }

    /// Requires the password or a fresh login, so that a stolen token is not enough to take the account over.
    private func ask(
        _ request: Request, _ context: AuthenticatedContext, _ read: (Form) -> NewContact?
    ) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let contact = read(form)
        let password = form.secret("password", length: 1...512, required: false)
        guard let contact, form.isValid else { throw form.problem }
        let checked = try await parts.proveOwner.byPassword(context.caller, password, at: parts.clock())
        return try await parts.idempotency.answer(once) { transaction in
            if case .mobile(let mobile) = contact {
                try await parts.smsBudget.check(mobile.text, at: parts.clock(), in: transaction)
            }
            try await parts.changeContact.ask(
                contact, of: context.caller.accountID, by: checked, at: parts.clock(), in: transaction)
            return Response(status: .accepted)
        }
    }

    private func confirmMobile(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        guard let code = form.proofCode("code"), form.isValid else { throw form.problem }
        let now = parts.clock()
        // A request that was answered gets its answer again, and its code is no other try.
        return try await parts.idempotency.answer(once) {
            try await parts.changeContact.check(code: code.revealed, of: context.caller.accountID, at: now)
        } _: { transaction, use in
            try await parts.changeContact.confirm(use, at: now, in: transaction)
            return Response(status: .noContent)
        }
    }

    private func confirmEmail(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        guard let token = form.secret("token", length: 1...200), form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            try await parts.changeContact.confirm(link: token.revealed, at: parts.clock(), in: transaction)
            return Response(status: .noContent)
        }
    }
}
