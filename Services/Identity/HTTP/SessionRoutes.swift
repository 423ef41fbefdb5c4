import Foundation
import Hummingbird
import ServiceKit

/// Sessions: anybody logs in and refreshes; who is logged in logs out.
struct SessionRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/sessions")
            .add(middleware: parts.limits.loggingIn)
            .post(use: login)
        router.group("identity/v1/sessions")
            .post("refresh", use: refresh)
        router.group("identity/v1/sessions", context: AuthenticatedContext.self)
            .delete("current", use: logOut)
            .delete(use: logOutEverywhere)
    }

    /// The password is checked before the Idempotency-Key is looked up: a key that somebody guessed, or saw, must
    /// not open the session that it once began.
    private func login(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let login = form.string("login", length: 1...254)
        let password = form.secret("password", length: 1...512)
        guard let login, let password, form.isValid else { throw form.problem }
        let now = parts.clock()
        let account = try await parts.checkCredentials(
            LoginName(login), password, from: context.clientLimitKey, at: now)
        return try await parts.idempotency.answer(once) { transaction in
            try .json(
                .created, SessionAnswer(try await parts.startSession(for: account, at: now, in: transaction)))
        }
    }

    /// Needs no Idempotency-Key and looks at none: the token itself says whether this is a repetition.
    private func refresh(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let form = try await request.form(context: context)
        guard let text = form.secret("refreshToken", length: 1...200), form.isValid else { throw form.problem }
        guard let token = RefreshToken(text: text.revealed) else { throw IdentityError.sessionEnded }
        return try .json(.ok, SessionAnswer(try await parts.refreshSession(token, at: parts.clock())))
    }

    private func logOut(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        // A machine's token has no session to end.
        guard let session = context.caller.sessionID else { throw Problem.forbidden }
        try await parts.endSessions.one(session, of: context.caller.accountID, at: parts.clock())
        return Response(status: .noContent)
    }

    private func logOutEverywhere(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try await parts.endSessions.all(of: context.caller.accountID, at: parts.clock())
        return Response(status: .noContent)
    }
}
