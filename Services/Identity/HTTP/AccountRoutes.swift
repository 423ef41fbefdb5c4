import Foundation
import Hummingbird
import Postgres
import ServiceKit

/// Accounts: anybody registers; everything else is about the caller's own.
struct AccountRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1")
            .add(middleware: parts.limits.registering)
            .post("accounts", use: register)
        router.group("identity/v1/accounts/me", context: AuthenticatedContext.self)
            .get(use: profile)
            .patch(use: change)
            .post("roles", use: addRole)
    }

    private func register(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try RegistrationForm(
            try await once.request.form(context: context),
            language: Account.Language(rawValue: context.language.rawValue) ?? .english)
        let hash = try await parts.hashNewPassword(form.password)
        let now = parts.clock()
        return try await parts.idempotency.answer(once) { transaction in
            let account = try await parts.register(
                form.registration, passwordHash: hash, at: now, in: transaction)
            return try .json(
                .created,
                AccountAnswer(account, confirmation: parts.confirmation(form.registration.role.market)))
        }
    }

    private func profile(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        guard let profile = try await parts.readProfile(context.caller.accountID) else { throw Problem.notFound }
        return try .json(.ok, ProfileAnswer(profile))
    }

    private func change(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let form = try await request.form(context: context)
        let name = form.personName("name", required: false)
        let gender = form.choice("gender", of: Account.Gender.self, required: false)
        let language = form.choice("language", of: Account.Language.self, required: false)
        try form.finish()
        let id = context.caller.accountID
        let profile = try await parts.pool.withTransaction { transaction in
            _ = try await parts.change.profile(
                of: id, name: name, gender: gender, language: language, at: parts.clock(), in: transaction)
            return try await parts.readProfile.read(id, in: transaction)
        }
        guard let profile else { throw Problem.notFound }
        return try .json(.ok, ProfileAnswer(profile))
    }

    private func addRole(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        guard let role = form.requestedRole(), form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            let account = try await parts.change.add(
                role, to: context.caller.accountID, at: parts.clock(), in: transaction)
            return try .json(.created, AccountAnswer(account))
        }
    }
}
