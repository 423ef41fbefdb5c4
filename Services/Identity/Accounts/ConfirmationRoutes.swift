import Contracts
import Foundation
import Hummingbird
import Postgres
import ServiceKit

/// Routes that confirm an account by the link or code that was sent to it. They need no login.
struct ConfirmationRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/confirmations")
            .add(middleware: parts.limits.loggingIn)
            .post(use: confirm)
            .post("code", use: code)
        router.group("identity/v1/confirmations/resend")
            .add(middleware: parts.limits.asking)
            .post(use: resend)
    }

    /// Confirms by the link of the mail. The owner logs in afterwards.
    private func confirm(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        guard let token = form.secret("token", length: 1...200), form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            try await parts.confirmAccount(link: token.revealed, at: parts.clock(), in: transaction)
            return Response(status: .noContent)
        }
    }

    /// Confirms by the code of the SMS, and logs the owner in. A caller who sends the registration's secret has tries
    /// of its own, which other callers cannot use up.
    private func code(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let secret = form.secret("secret", length: 1...200, required: false)
        let login = form.string("login", length: 1...254, required: secret == nil)
        let code = form.proofCode("code")
        guard let code, form.isValid else { throw form.problem }
        let now = parts.clock()
        // The code is checked before the Idempotency-Key is looked up, as a login's password is.
        let checked: ConfirmAccount.CheckedCode
        if let secret {
            checked = try await parts.confirmAccount.check(code: code.revealed, secret: secret.revealed, at: now)
        } else {
            let name = parts.checkCredentials.find(LoginName(login ?? ""))
            checked = try await parts.confirmAccount.check(code: code.revealed, of: name, at: now)
        }
        return try await parts.idempotency.answer(once) { transaction in
            try await parts.confirmAccount(checked, at: now, in: transaction)
            let grant = try await parts.startSession(
                for: checked.account, password: nil, on: Device(request), at: now, in: transaction)
            return try parts.deliverSession.answer(.created, grant, to: request)
        }
    }

    /// Sends another link or code. The answer and the work are the same whether the account exists, whether it waits
    /// for confirmation, and whether one was sent just now (``AskProof``).
    private func resend(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let form = try await request.form(context: context)
        guard let login = form.string("login", length: 1...254), form.isValid else { throw form.problem }
        let now = parts.clock()
        let name = parts.checkCredentials.find(LoginName(login))
        try await parts.pool.withTransaction { parts.askProof(.confirm, for: name, at: now, in: $0) }
        return Response(status: .accepted)
    }
}
