import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

/// Exports the caller's own data as JSON. The owner has to prove to be the owner, and exports are rate limited.
struct ExportRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/accounts/me/export")
            .add(middleware: parts.limits.exporting)
            .group(context: AuthenticatedContext.self)
            .post(use: export)
    }

    /// A POST, because the password is in the body. It changes nothing and so needs no Idempotency-Key.
    private func export(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let form = try await request.form(context: context)
        let password = form.secret("password", length: 1...512, required: false)
        try form.finish()
        let caller = context.caller
        try await parts.proveOwner(caller, password: password, at: parts.clock())
        guard
            let export = try await parts.exportAccount(caller.accountID, current: caller.sessionID, at: parts.clock())
        else { throw Problem.notFound }
        var response = try Response.json(.ok, export)
        response.headers[.contentDisposition] = "attachment; filename=\"serai-account.json\""
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
