import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Routes by which admins create, change and remove the providers and customers of a market (I13), and decide about
/// accounts listed for removal because they are not used or a relative asks for it (I12).
struct PeopleRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/markets/{market}/people", context: AuthenticatedContext.self)
            .post(use: create)
            .patch("{account}", use: change)
            .delete("{account}", use: remove)
            .post("{account}/invitation", use: invite)
            .post("{account}/second-factor-reset", use: resetSecondFactor)
            .post("{account}/roles", use: give)
            .post("{account}/contact", use: correct)
        router.group("identity/v1/markets/{market}/removals", context: AuthenticatedContext.self)
            .get(use: list)
            .post("{account}/decision", use: decide)
    }

    private static func path(of account: UUID, in market: String) -> String {
        "/identity/v1/markets/\(market)/people/\(account.text)"
    }

    private func create(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let once = try await IdempotentRequest(request, context: context)
        let form = PersonForm(
            try await once.request.form(context: context), parts.current(market), parts.choices(in: market.id))
        let language = parts.languages(of: market.id).first.map { Account.Language(rawValue: $0.rawValue) }
        let registration = try form.registration(language: language ?? .english, rules: parts.roleRules)
        return try await parts.idempotency.answer(once) { transaction in
            let account = try await parts.managePeople.create(
                registration, by: context.caller.accountID, at: parts.clock(), in: transaction)
            return try .json(
                .created, AccountView(account, parts.markets), at: Self.path(of: account.id, in: market.id))
        }
    }

    private func change(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let id = try context.uuid("account")
        let change = try PersonForm(
            try await request.form(context: context), parts.current(market), parts.choices(in: market.id)
        )
        .change()
        let account = try await parts.pool.withTransaction { transaction in
            try await parts.managePeople.change(
                id, in: market.id, to: change, by: context.caller.accountID, at: parts.clock(), in: transaction)
        }
        return try .json(.ok, AccountView(account, parts.markets))
    }

    /// 202 when the account is to be deleted, which is decided a moment later; 204 when only the roles of the market
    /// were removed.
    private func remove(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let id = try context.uuid("account")
        let deletion = try await parts.pool.withTransaction { transaction in
            try await parts.managePeople.remove(
                id, from: market.id, by: context.caller.accountID, at: parts.clock(), in: transaction)
        }
        guard let deletion else { return Response(status: .noContent) }
        return try .json(.accepted, DeletionView(deletion, decidedAt: nil))
    }

    private func invite(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let id = try context.uuid("account")
        let once = try await IdempotentRequest(request, context: context)
        return try await parts.idempotency.answer(once) { transaction in
            try await parts.managePeople.invite(
                id, in: market.id, by: context.caller.accountID, at: parts.clock(), in: transaction)
            return Response(status: .accepted)
        }
    }

    /// Corrects e-mail address, mobile number, or both.
    private func correct(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let id = try context.uuid("account")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let email = form.emailAddress("email", required: false)
        let mobile = form.mobileNumber("mobile", required: email == nil)
        guard form.isValid else { throw form.problem }
        let contacts = [email.map(NewContact.email), mobile.map(NewContact.mobile)].compactMap { $0 }
        return try await parts.idempotency.answer(once) { transaction in
            try await parts.correctContact(
                contacts, of: id, in: market.id, by: context.caller.accountID, at: parts.clock(), in: transaction)
            return Response(status: .noContent)
        }
    }

    /// Gives another role to a person whom the market knows.
    private func give(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let id = try context.uuid("account")
        let once = try await IdempotentRequest(request, context: context)
        let form = PersonForm(
            try await once.request.form(context: context), parts.current(market), parts.choices(in: market.id))
        let asked = form.form.role(in: form.market)
        guard let role = asked, form.form.isValid else { throw form.form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            let account = try await parts.managePeople.give(
                role, to: id, by: context.caller.accountID, rules: parts.roleRules, at: parts.clock(), in: transaction)
            return try .json(.created, AccountView(account, parts.markets), at: Self.path(of: id, in: market.id))
        }
    }

    /// Removes the second factor of a person who has lost both the app and the recovery codes.
    private func resetSecondFactor(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administered()
        let id = try context.uuid("account")
        let once = try await IdempotentRequest(request, context: context)
        return try await parts.idempotency.answer(once) { transaction in
            try await parts.managePeople.resetSecondFactor(
                of: id, in: market, by: context.caller.accountID, at: parts.clock(), in: transaction)
            return Response(status: .noContent)
        }
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<RemovalView> {
        let market = try context.administeredMarket().id
        let page = try QueryForm(request, ignoring: .unknown).page(
            of: "removals", where: ["market": market], sealedBy: parts.cursors)
        let rows = try await parts.pool.query(
            ListRemovals(
                market: market, now: parts.clock(), after: page.position(first: .beginning), limit: page.fetchLimit,
                isMaster: context.caller.has(Role.Kind.admin.rawValue, in: Role.everyMarket)))
        return try page.answer(rows, at: { ($0.dueAt, $0.account) }, item: RemovalView.init)
    }

    private func decide(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket().id
        let id = try context.uuid("account")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        guard let word = form.choice("decision", of: DecideRemoval.Word.self), form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            let deletion = try await parts.decideRemoval(
                word, on: id, in: market, by: context.caller.accountID, at: parts.clock(), in: transaction)
            guard let deletion else { return Response(status: .noContent) }
            return try .json(.accepted, DeletionView(deletion, decidedAt: nil))
        }
    }
}

/// The form in which an admin describes a person.
private struct PersonForm {
    let form: Form
    let market: Market
    /// The languages of the market.
    let languages: Set<Account.Language>

    init(_ form: Form, _ market: Market, _ languages: Set<Account.Language>) {
        self.form = form
        self.market = market
        self.languages = languages
    }

    func registration(language: Account.Language, rules: RoleRules) throws(Problem) -> Registration {
        let role = role(rules: rules)
        let name = form.personName("name")
        let email = form.emailAddress("email")
        let mobile = form.mobileNumber("mobile")
        let gender = form.choice("gender", of: Account.Gender.self, required: false)
        let chosen = form.language("language", of: languages)
        let born = role.flatMap { form.birthDate(for: $0, by: rules) }
        guard let role, let name, let email, let mobile, form.isValid else { throw form.problem }
        return Registration(
            name: name, email: email, mobile: mobile, gender: gender, language: chosen ?? language, role: role,
            intake: RoleIntake(birthDate: born))
    }

    /// The role as an admin gives it; nil when the form is wrong.
    func role(rules: RoleRules) -> Role? { form.role(in: market).map(rules.given) }

    func change() throws(Problem) -> PersonChange {
        let change = PersonChange(
            name: form.personName("name", required: false),
            gender: form.choice("gender", of: Account.Gender.self, required: false),
            language: form.language("language", of: languages),
            title: form.title(of: market, required: false))
        try form.finish()
        return change
    }
}

/// An account listed for removal, as shown to an admin.
struct RemovalView: Encodable, Sendable {
    let account: String
    let name: String
    /// `inactive`, `relative`.
    let cause: String
    let askedBy: String?
    let reason: String?
    let askedAt: Date
    /// The day of the last login or refresh.
    let lastActiveOn: String

    init(_ row: RemovalRow) {
        account = row.account.text
        name = row.name
        cause = row.cause
        askedBy = row.askedBy?.text
        reason = row.reason
        askedAt = row.askedAt
        lastActiveOn = row.lastActiveOn
    }
}
