import Contracts
import Foundation
import Hummingbird
import Postgres
import ServiceKit

/// Routes of passwords: asking for a link and setting a password by it, for everybody; changing the password, for
/// logged-in owners.
struct PasswordRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/password-resets")
            .add(middleware: parts.limits.loggingIn)
            .post("finish", use: finish)
        router.group("identity/v1/password-resets")
            .add(middleware: parts.limits.asking)
            .post(use: ask)
        router.group("identity/v1/accounts/me/password")
            .add(middleware: parts.limits.proving)
            .group(context: AuthenticatedContext.self)
            .post(use: change)
    }

    /// The answer and the work are the same whether the account exists or not (``AskProof``).
    private func ask(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let form = try await request.form(context: context)
        guard let login = form.string("login", length: 1...254), form.isValid else { throw form.problem }
        let now = parts.clock()
        let name = parts.checkCredentials.find(LoginName(login))
        try await parts.pool.withTransaction { parts.askProof(.password, for: name, at: now, in: $0) }
        return Response(status: .accepted)
    }

    private func finish(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let token = form.secret("token", length: 1...200)
        let password = form.newPassword("password")
        guard let token, let password, form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) {
            // An invalid link costs no hash.
            let account = try await parts.changePassword.check(link: token.revealed, at: parts.clock())
            if let old = try await parts.pool.first(FindOwnPassword(account: account)),
                try await parts.hasher.verify(password, against: old)
            {
                throw IdentityError.samePassword(field: "password")
            }
            return try await parts.hashNewPassword(password)
        } _: { transaction, hash in
            try await parts.changePassword.reset(
                link: token.revealed, hash: hash, at: parts.clock(), in: transaction)
            return Response(status: .noContent)
        }
    }

    private func change(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let old = form.secret("oldPassword", length: 1...512)
        let new = form.newPassword("newPassword")
        guard let old, let new, form.isValid else { throw form.problem }
        let caller = context.caller
        // Failures are limited, so that a stolen token cannot be used to guess the password. The work is skipped for a
        // repetition, because the password has changed by then.
        return try await parts.idempotency.answer(once) {
            let checked = try await parts.checkCredentials.again(caller.accountID, old, at: parts.clock())
            guard try await !parts.hasher.verify(new, against: checked.hash) else {
                throw IdentityError.samePassword(field: "newPassword")
            }
            return (checked, try await parts.hashNewPassword(new, field: "newPassword"))
        } _: { transaction, passwords in
            try await parts.changePassword(
                passwords.0, to: passwords.1, keeping: caller.sessionID, at: parts.clock(), in: transaction)
            return Response(status: .noContent)
        }
    }
}
