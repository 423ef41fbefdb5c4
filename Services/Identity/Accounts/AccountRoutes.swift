import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Postgres
import ServiceKit

/// Routes of accounts: registration is open to everybody, all others are about the caller's own account.
struct AccountRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1")
            .add(middleware: parts.limits.registering)
            .post("accounts", use: register)
        router.group("identity/v1/accounts/me", context: AuthenticatedContext.self)
            .get(use: profile)
            .patch(use: change)
            .put("active-role", use: activate)
            .post("roles", use: addRole)
    }

    private func register(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try RegistrationForm(
            try await once.request.form(context: context),
            language: { Account.Language(rawValue: context.language(among: parts.languages(of: $0)).rawValue) },
            languages: parts.choices, markets: parts.markets.named, rules: parts.roleRules)
        guard parts.signIn.takesPassword(in: form.registration.role.market) else { throw parts.signIn.refusal }
        let hash = try await parts.hashNewPassword(form.password)
        let now = parts.clock()
        let confirmation = parts.confirmation(form.registration.role.market)
        let secret = confirmation == .sms ? RefreshToken.generate() : nil
        return try await parts.idempotency.answer(once) { transaction in
            if confirmation == .sms {
                try await parts.smsBudget.check(form.registration.mobile.text, at: now, in: transaction)
            }
            let account = try await parts.register(
                form.registration, passwordHash: hash, secret: secret?.hash, at: now, in: transaction)
            return try .json(
                .created, AccountView(account, parts.markets, confirmation: confirmation, secret: secret?.text),
                at: "/identity/v1/accounts/me")
        }
    }

    private func profile(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        guard let profile = try await parts.readProfile(context.caller.accountID, at: parts.clock()) else {
            throw Problem.notFound
        }
        return try .json(.ok, ProfileView(profile, parts.markets, parts.onboarding))
    }

    private func change(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let form = try await request.form(context: context)
        let profile = form.profile(languages: parts.languages)
        let id = context.caller.accountID
        let now = parts.clock()
        let birthDate = form.birthDate(of: try await parts.readProfile(id, at: now), by: parts.roleRules)
        try form.finish()
        return try await answer(id) { transaction in
            _ = try await parts.change.profile(of: id, profile, at: now, in: transaction)
            guard let birthDate else { return }
            // The account is locked now: another role may have been taken since the form was checked.
            if let current = try await parts.readProfile.read(id, at: now, in: transaction) {
                try parts.roleRules.checkAges(of: birthDate, current)
            }
            try await parts.changeBirthDate(birthDate, of: id, at: now, in: transaction)
        }
    }

    /// Sets the role that the owner's apps show, on every device. Tokens hold all roles in any case.
    private func activate(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let form = try await request.form(context: context)
        let market = form.string("market", length: 1...100)
        let kind = form.choice("role", of: Role.Kind.self)
        let title = form.string("title", length: 1...100, required: false)
        guard let market, let kind, form.isValid else { throw form.problem }
        let id = context.caller.accountID
        return try await answer(id) { transaction in
            try await parts.change.activate(
                kind, title: title, in: market, of: id, at: parts.clock(), in: transaction)
        }
    }

    /// Runs the change and answers with the account after it.
    private func answer(
        _ id: UUID, _ change: (PostgresTransaction) async throws -> Void
    ) async throws -> Response {
        let profile = try await parts.pool.withTransaction { transaction in
            try await change(transaction)
            return try await parts.readProfile.read(id, at: parts.clock(), in: transaction)
        }
        guard let profile else { throw Problem.notFound }
        return try .json(.ok, ProfileView(profile, parts.markets, parts.onboarding))
    }

    /// The date of birth changed between the check of the form and the lock of the account.
    private struct BirthDateChanged: Error {}

    private func addRole(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        for _ in 0..<3 {
            do {
                return try await takeRole(once, context)
            } catch is BirthDateChanged {
                // All is checked again, with the date that holds now.
                continue
            }
        }
        throw Problem.unavailable
    }

    private func takeRole(_ once: IdempotentRequest, _ context: AuthenticatedContext) async throws -> Response {
        let form = try await once.request.form(context: context)
        let known = try await parts.readProfile.birthDate(of: context.caller.accountID)
        let asked = form.requestedRole(of: parts.markets.named)
        let billed = try await parts.pool.query(
            ListBillingAddresses(account: context.caller.accountID, market: asked?.market ?? ""))
        let intake = asked.map {
            form.intake(for: $0, by: parts.roleRules, birthDate: known, hasBilling: !billed.isEmpty)
        }
        let place = asked.flatMap { form.firstPlace(for: $0, by: parts.roleRules) }
        guard let asked, let intake, form.isValid else { throw form.problem }
        let role = intake.told(in: parts.roleRules.taken(asked))
        return try await parts.idempotency.answer(once) { transaction in
            let account = try await parts.change.add(
                role, to: context.caller.accountID, at: parts.clock(), in: transaction)
            guard try await parts.readProfile.birthDate(of: account.id, in: transaction) == known else {
                throw BirthDateChanged()
            }
            try await RecordIntake(cipher: parts.cipher)(
                intake, of: account.id, for: role, at: parts.clock(), in: transaction)
            if let place {
                _ = try await parts.places.add(
                    place, to: account.id, in: role.market, at: parts.clock(), in: transaction)
            }
            try await NotifyVerified(deliver: parts.deliver)(
                account, in: role.market, at: parts.clock(), in: transaction)
            return try .json(.created, AccountView(account, parts.markets), at: "/identity/v1/accounts/me")
        }
    }
}
