import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Postgres
import ServiceKit

/// Routes of Nafath: signing in, for everybody, and adding Nafath to the caller's account.
struct NafathRoutes: Sendable {
    /// Fields left out of the input that an Idempotency-Key is bound to, as passwords are.
    static let secretFields: Set<String> = ["secret", "code", "ticket"]

    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/sessions/nafath")
            .add(middleware: parts.limits.loggingIn)
            .post(use: begin)
            .post("finish", use: finish)
            .post("code", use: sendCode)
            .post("link", use: link)
        router.group("identity/v1/accounts/me/nafath/finish", context: AuthenticatedContext.self)
            .post(use: finishLinking)
        router.group("identity/v1/accounts/me/nafath")
            .add(middleware: parts.limits.proving)
            .group(context: AuthenticatedContext.self)
            .post(use: beginLinking)
            .post("removal", use: remove)
    }

    // MARK: Signing in

    /// Needs no Idempotency-Key: each call begins a new attempt, which has no effect by itself.
    private func begin(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let form = try await request.form(context: context)
        guard let market = form.market("market"), form.isValid else { throw form.problem }
        let begun = try await service(of: market).begin(
            for: nil, in: market.id, language: language(in: market.id, context).rawValue, at: parts.clock())
        return try .json(.created, NafathBegunView(begun), at: "/identity/v1/sessions/nafath/finish")
    }

    private func finish(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context, secretFields: Self.secretFields)
        let now = parts.clock()
        let outcome = try await finish(try await once.request.form(context: context), account: nil, at: now)
        return try await parts.idempotency.answer(once) { transaction in
            guard case .person(let person, let claims, let id) = outcome, let market = parts.markets.named(id) else {
                throw IdentityError.nafathRefused
            }
            let language = language(in: market.id, context)
            let admitted = try await parts.admitNafathPerson(
                person, claims, in: market, language: language, at: now, in: transaction)
            switch admitted {
            case .ownerNeeded(let ticket): return try .json(.accepted, NafathOwnerNeededView(ticket))
            case .account(let account):
                return try await session(account, nil, request, at: now, in: transaction)
            }
        }
    }

    /// The language of a new person, and of Nafath's own page: by Accept-Language among the market's, else the market's first.
    private func language(in market: String, _ context: SeraiRequestContext) -> Account.Language {
        Account.Language(rawValue: context.language(among: parts.languages(of: market)).rawValue)
    }

    private func sendCode(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let form = try await request.form(context: context)
        guard let ticket = form.secret("ticket", length: 1...200), form.isValid else { throw form.problem }
        guard let nafath = parts.nafath else { throw Problem.notFound }
        try await nafath.link.sendCode(ticket: ticket, at: parts.clock())
        return Response(status: .accepted)
    }

    private func link(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        // The ticket is part of the key's input, so a caller with another ticket cannot get this answer by its key.
        let once = try await IdempotentRequest(request, context: context, secretFields: ["code"])
        let form = try await once.request.form(context: context)
        let ticket = form.secret("ticket", length: 1...200)
        let code = form.proofCode("code", required: false)
        let password = form.secret("password", length: 1...512, required: code == nil && form.isValid)
        guard let ticket, form.isValid else { throw form.problem }
        guard let nafath = parts.nafath else { throw Problem.notFound }
        let now = parts.clock()
        let word: LinkNafathPerson.Word
        switch (code, password) {
        case (let code?, _): word = .code(code)
        case (nil, let password?): word = .password(password)
        case (nil, nil): throw form.problem
        }
        // The proof is checked before the Idempotency-Key is looked up, as a login's password is.
        let checked = try await nafath.link.check(word, ticket: ticket, at: now)
        return try await parts.idempotency.answer(once) { transaction in
            let language = language(in: checked.market.id, context)
            let account = try await nafath.link(checked, language: language, at: now, in: transaction)
            var proved: CheckedPassword?
            if case .password(let password) = checked.kind { proved = password }
            return try await session(account, proved, request, at: now, in: transaction)
        }
    }

    // MARK: Adding Nafath to one's account

    private func beginLinking(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let form = try await request.form(context: context)
        let password = form.secret("password", length: 1...512, required: false)
        guard let market = form.market("market"), form.isValid else { throw form.problem }
        let service = try service(of: market)
        // Nafath is a lasting way in, so a person who only found the phone must not be able to add it.
        try await parts.proveOwner.byPassword(context.caller, password, at: parts.clock())
        let language = context.language(among: parts.languages(of: market.id))
        let begun = try await service.begin(
            for: context.caller.accountID, in: market.id, language: language.rawValue, at: parts.clock())
        return try .json(.created, NafathBegunView(begun), at: "/identity/v1/accounts/me/nafath/finish")
    }

    private func finishLinking(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context, secretFields: Self.secretFields)
        let now = parts.clock()
        let account = context.caller.accountID
        let outcome = try await finish(try await once.request.form(context: context), account: account, at: now)
        return try await parts.idempotency.answer(once) { transaction in
            guard case .person(let person, _, let id) = outcome, let market = parts.markets.named(id) else {
                throw IdentityError.nafathRefused
            }
            try await parts.admitNafathPerson.link(person, to: account, in: market, at: now, in: transaction)
            try await parts.deliver(
                .nafathLinked, to: try await Accounts.lock(account, in: transaction),
                until: now.addingTimeInterval(LinkNafathPerson.mailSeconds), at: now, in: transaction)
            return Response(status: .noContent)
        }
    }

    /// Works also when no issuer is configured any more.
    private func remove(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        guard let password = form.secret("password", length: 1...512), form.isValid else { throw form.problem }
        let account = context.caller.accountID
        try await parts.proveOwner.byPassword(context.caller, password, at: parts.clock())
        return try await parts.idempotency.answer(once) { transaction in
            try await parts.removeNafath(account, at: parts.clock(), in: transaction)
            return Response(status: .noContent)
        }
    }

    // MARK: Parts

    private func finish(_ form: Form, account: UUID?, at now: Date) async throws -> FinishNafathSignIn.Outcome {
        let state = form.string("state", length: 1...200)
        let code = form.secret("code", length: 1...2_000)
        let secret = form.secret("secret", length: 1...200)
        guard let state, let code, let secret, form.isValid else { throw form.problem }
        guard let nafath = parts.nafath else { throw Problem.notFound }
        return try await nafath.finish(state: state, secret: secret, code: code, account: account, at: now)
    }

    private func session(
        _ account: UUID, _ password: CheckedPassword?, _ request: Request, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Response {
        let grant = try await parts.startSession(
            for: account, password: password, isStrong: true, on: Device(request), at: now, in: transaction)
        return try parts.deliverSession.answer(.created, grant, to: request)
    }

    /// - Throws: a 404 when the market does not use Nafath, or the deployment has no provider.
    private func service(of market: Market) throws(Problem) -> NafathParts {
        guard market.signIn.contains(.nafath), let nafath = parts.nafath else { throw .notFound }
        return nafath
    }
}
