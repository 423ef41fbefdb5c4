import Foundation
import Hummingbird
import Postgres
import ServiceKit

/// Routes of the second factor: its use in a login, for a caller with a challenge; its enrolment and removal, for
/// logged-in owners.
struct SecondFactorRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/sessions/second-factor")
            .add(middleware: parts.limits.loggingIn)
            .post(use: show)
        router.group("identity/v1/accounts/me/second-factor", context: AuthenticatedContext.self)
            .get(use: read)
            .post("confirmation", use: confirm)
        router.group("identity/v1/accounts/me/second-factor")
            .add(middleware: parts.limits.proving)
            .group(context: AuthenticatedContext.self)
            .post(use: enrol)
            .post("recovery-codes", use: renewCodes)
            .post("removal", use: remove)
    }

    /// The challenge is part of the key's input, so a caller with another challenge cannot get this answer by its key.
    private func show(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context, secretFields: ["code"])
        let form = try await once.request.form(context: context)
        let challenge = form.secret("challenge", length: 1...200)
        let code = form.code("code", length: 1...40)
        guard let challenge, let code, form.isValid else { throw form.problem }
        let now = parts.clock()
        return try await parts.idempotency.answer(once) {
            try await parts.logIn.check(code.revealed, challenge: challenge, at: now)
        } _: { transaction, checked in
            let grant = try await parts.logIn(checked, on: Device(request), at: now, in: transaction)
            return try parts.deliverSession.answer(.created, grant, to: request)
        }
    }

    private func read(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let row = try await parts.pool.first(FindSecondFactor(account: context.caller.accountID))
        return try .json(.ok, SecondFactorView(row))
    }

    private func enrol(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let account = context.caller.accountID
        try await prove(form, context)
        let name = try await parts.readProfile(account, at: parts.clock()).flatMap { $0.email ?? $0.mobile } ?? ""
        return try await parts.idempotency.answer(once) { transaction in
            let totp = try await parts.secondFactor.enrol(account, at: parts.clock(), in: transaction)
            return try .json(
                .created, EnrolledView(secret: totp.text, uri: totp.uri(of: name)),
                at: "/identity/v1/accounts/me/second-factor")
        }
    }

    private func confirm(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context, secretFields: ["code"])
        let form = try await once.request.form(context: context)
        guard let code = form.code("code", length: 1...40), form.isValid else { throw form.problem }
        let (account, now) = (context.caller.accountID, parts.clock())
        return try await parts.idempotency.answer(once) {
            try await parts.secondFactor.checkFirst(code.revealed, of: account, at: now)
        } _: { transaction, checked in
            let codes = try await parts.secondFactor.confirm(
                checked, of: account, session: context.caller.sessionID, at: now, in: transaction)
            return try .json(.ok, RecoveryCodesView(codes))
        }
    }

    private func renewCodes(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        try await prove(try await once.request.form(context: context), context)
        return try await parts.idempotency.answer(once) { transaction in
            try .json(
                .ok,
                RecoveryCodesView(
                    try await parts.secondFactor.renewCodes(of: context.caller.accountID, in: transaction)))
        }
    }

    private func remove(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        try await prove(try await once.request.form(context: context), context)
        return try await parts.idempotency.answer(once) { transaction in
            try await parts.secondFactor.remove(of: context.caller.accountID, at: parts.clock(), in: transaction)
            return Response(status: .noContent)
        }
    }

    /// Requires the password, so that a person who only found the phone can change nothing.
    private func prove(_ form: Form, _ context: AuthenticatedContext) async throws {
        let password = form.secret("password", length: 1...512, required: false)
        try form.finish()
        try await parts.proveOwner.byPassword(context.caller, password, at: parts.clock())
    }
}

/// The challenge that a login waits for.
struct ChallengeView: Encodable, Sendable {
    let challenge: String
    /// `totp`, `recovery`.
    let ways = ["totp", "recovery"]
    let expiresAt: Date

    init(_ challenge: LoginChallenge) {
        self.challenge = challenge.text
        expiresAt = challenge.expiresAt
    }
}

struct SecondFactorView: Encodable, Sendable {
    let enrolled: Bool
    let since: Date?
    /// The number of unused codes.
    let recoveryCodes: Int

    init(_ row: FindSecondFactor.Row?) {
        enrolled = row?.confirmedAt != nil
        since = row?.confirmedAt
        recoveryCodes = row?.recoveryCodes ?? 0
    }
}

struct EnrolledView: Encodable, Sendable {
    /// In base 32, for typing.
    let secret: String
    /// For the QR code that apps scan.
    let uri: String
}

struct RecoveryCodesView: Encodable, Sendable {
    let recoveryCodes: [String]

    init(_ codes: [RecoveryCode]) { recoveryCodes = codes.map(\.text) }
}
