import Foundation
import HTTPTypes
import Hummingbird
import Postgres
import ServiceKit

/// Routes of sessions: login and refresh, for everybody; listing and ending the caller's own sessions.
struct SessionRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/sessions")
            .add(middleware: parts.limits.loggingIn)
            .post(use: login)
        router.group("identity/v1/sessions")
            .post("refresh", use: refresh)
        router.group("identity/v1/sessions", context: AuthenticatedContext.self)
            .get(use: list)
            .delete("current", use: logOut)
            .delete("{session}", use: end)
            .delete(use: logOutEverywhere)
    }

    /// The password is checked before the Idempotency-Key is looked up: a key that was guessed or seen must not open
    /// the session that it once began.
    private func login(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let login = form.string("login", length: 1...254)
        let password = form.secret("password", length: 1...512)
        guard let login, let password, form.isValid else { throw form.problem }
        let now = parts.clock()
        let checked = try await parts.checkCredentials(
            LoginName(login), password, from: context.clientLimitKey, at: now)
        return try await parts.idempotency.answer(once) { transaction in
            switch try await parts.logIn(checked, on: Device(request), at: now, in: transaction) {
            case .session(let grant): return try parts.deliverSession.answer(.created, grant, to: request)
            case .challenge(let challenge): return try .json(.accepted, ChallengeView(challenge))
            }
        }
    }

    /// Needs no Idempotency-Key: the token itself shows whether this is a repetition.
    private func refresh(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let token: RefreshToken
        if let kept = try parts.deliverSession.token(in: request) {
            token = kept
        } else {
            let form = try await request.form(context: context)
            guard let text = form.secret("refreshToken", length: 1...200), form.isValid else { throw form.problem }
            guard let read = RefreshToken(text: text.revealed) else { throw IdentityError.sessionEnded }
            token = read
        }
        let grant = try await parts.refreshSession(token, at: parts.clock())
        return try parts.deliverSession.answer(.ok, grant, to: request)
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let rows = try await parts.pool.query(
            ListSessions(account: context.caller.accountID, now: parts.clock(), limit: SessionRule.maximumSessions))
        return try .json(
            .ok, SessionListView(items: rows.map { SessionItemView($0, current: context.caller.sessionID) }))
    }

    private func logOut(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        // A machine's token has no session.
        guard let session = context.caller.sessionID else { throw Problem.forbidden }
        try await end(session, of: context.caller.accountID)
        return try parts.deliverSession.forgetting(Response(status: .noContent), request)
    }

    /// Ends another session of the caller, for example on a lost device.
    private func end(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        guard try await end(try context.uuid("session"), of: context.caller.accountID) else { throw Problem.notFound }
        return Response(status: .noContent)
    }

    private func logOutEverywhere(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let account = context.caller.accountID
        try await parts.pool.withTransaction { transaction in
            // Locked, so that a concurrent login comes before this and is ended, or after it.
            _ = try await Accounts.lockIfFound(account, in: transaction)
            try await parts.endSessions.all(of: account, at: parts.clock(), in: transaction)
        }
        return try parts.deliverSession.forgetting(Response(status: .noContent), request)
    }

    @discardableResult
    private func end(_ session: UUID, of account: UUID) async throws -> Bool {
        try await parts.pool.withTransaction { transaction in
            try await parts.endSessions.one(session, of: account, at: parts.clock(), in: transaction)
        }
    }
}

extension Device {
    /// Reads `User-Agent`, and the id that an app sends.
    init(_ request: Request) {
        self.init(
            name: request.headers[.userAgent].flatMap(DeviceName.init(userAgent:)),
            id: HTTPField.Name.device.flatMap { request.headers[$0] }.map {
                String($0.prefix(Self.maximumIDCharacters))
            })
    }
}

extension HTTPField.Name {
    /// An opaque text that an app generates once and keeps.
    static let device = HTTPField.Name("serai-device")
}
