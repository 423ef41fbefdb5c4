import Foundation
import HTTPTypes
import Hummingbird
import LiveMarkets
import Messaging
import Metrics
import Postgres
import ServiceKit

/// `/notifications/v1/calls`: calls of the caller with the other party of an order (N4). A call of others is a 404.
///
/// No signal is logged, and each is passed to the device that talks alone.
struct CallRoutes: Sendable {
    /// By account: nobody is rung up again and again.
    static let startRate = RateLimit(perSecond: 0.1, burst: 6)
    /// Both descriptions, some candidates at a time, and signs of life.
    static let signalRate = RateLimit(perSecond: 3, burst: 60)
    static let candidatesAtOnce = 20

    let pool: PostgresPool
    let start: StartCall
    let relay: CallRelay
    let metrics: any MetricsFactory
    let clock: @Sendable () -> Date

    private var move: MoveCall { start.move }
    private var signal: SignalCall { SignalCall(move: move) }

    func add(to routes: ServiceRoutes) {
        let group = routes.signedIn
        group.get("calls") { try await list($0, $1) }
        group.get("calls/{id}") { try await show($0, $1) }
        group.put("calls/{id}/answered") { try await answer($0, $1) }
        group.put("calls/{id}/declined") { try await end($0, $1, isDeclined: true) }
        group.put("calls/{id}/ended") { try await end($0, $1, isDeclined: false) }
        limited(routes, "call", Self.startRate)
            .put("conversations/{id}/calls/{call}") { try await call($0, $1) }
        let signals = limited(routes, "call-signal", Self.signalRate)
        signals.get("calls/{id}/relay") { try await showRelay($0, $1) }
        signals.put("calls/{id}/description") { try await describe($0, $1) }
        signals.put("calls/{id}/candidates") { try await addCandidates($0, $1) }
        signals.put("calls/{id}/alive") { try await stay($0, $1) }
    }

    private func limited(
        _ routes: ServiceRoutes, _ name: String, _ rate: RateLimit
    ) -> RouterGroup<AuthenticatedContext> {
        routes.router.group("notifications/v1")
            .add(middleware: RateLimitMiddleware(group: name, rate, by: .caller, metrics: metrics))
            .group(context: AuthenticatedContext.self)
    }

    // MARK: Reading

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> CallListView {
        let query = QueryForm(request)
        let device = query.uuid("device")
        try query.finish()
        let account = context.caller.accountID
        let calls = try await pool.query(ListRunningCalls(account: account))
        return CallListView(items: calls.map { CallView($0, reader: account, device: device) })
    }

    private func show(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let query = QueryForm(request)
        let device = query.uuid("device")
        try query.finish()
        return try await answer(try await find(context), context, device)
    }

    /// The servers for the device that talks: nobody else may use the relay.
    private func showRelay(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let query = QueryForm(request)
        let device = query.uuid("device", isRequired: true)
        try query.finish()
        let (call, account) = (try await find(context), context.caller.accountID)
        guard call.state.isRunning else { throw CallState.Refusal.over }
        guard call.isBy(device, of: account) else { throw CallState.Refusal.alreadyTaken }
        return try Self.unkept(.json(.ok, relay.view(for: account, in: call.id, at: clock())))
    }

    private func find(_ context: AuthenticatedContext) async throws -> Call {
        let find = FindCall(call: try context.uuid("id"), account: context.caller.accountID)
        guard let call = try await pool.first(find) else { throw Problem.notFound }
        return call
    }

    // MARK: Calling

    private func call(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let device = try await device(request, context)
        let (conversation, id) = (try context.uuid("id"), try context.uuid("call"))
        let caller = context.caller
        guard let talk = try await pool.first(FindTalk(conversation: conversation, account: caller.accountID)) else {
            throw Problem.notFound
        }
        try Self.require(talk.role, in: talk.market, caller)
        let call = try await pool.withTransaction { transaction in
            try await start(
                as: id, in: conversation, by: caller.accountID, on: device, at: clock(), transaction)
        }
        return try await answer(call, context, device)
    }

    private func answer(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let device = try await device(request, context)
        let (found, account) = (try await find(context), context.caller.accountID)
        // Of the caller it is no call to answer.
        guard !found.isCaller(account) else { throw Problem.notFound }
        try Self.require(found.role(of: account), in: found.market, context.caller)
        let call = try await pool.withTransaction { transaction in
            var call = try await move.locked(found.id, for: account, at: clock(), transaction)
            try move(&call, on: .answered, by: device, at: clock(), transaction)
            return call
        }
        return try await answer(call, context, device)
    }

    /// Declines, or hangs up. Always possible for a party, also for one who may call nobody any more.
    private func end(
        _ request: Request, _ context: AuthenticatedContext, isDeclined: Bool
    ) async throws -> Response {
        let device = try await device(request, context)
        let (found, account) = (try await find(context), context.caller.accountID)
        guard !isDeclined || !found.isCaller(account) else { throw Problem.notFound }
        let call = try await pool.withTransaction { transaction in
            var call = try await move.locked(found.id, for: account, at: clock(), transaction)
            // Another device of the same account ends nothing that this one talks in.
            guard call.state != .taken || isDeclined || call.isBy(device, of: account) else {
                throw CallState.Refusal.alreadyTaken
            }
            let hungUp: CallState.Event = call.isCaller(account) ? .hungUpByCaller : .hungUpByCalled
            try move(&call, on: isDeclined ? .declined : hungUp, by: device, at: clock(), transaction)
            return call
        }
        return try await answer(call, context, device)
    }

    // MARK: Signals

    private func describe(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let form = try await request.form(context: context)
        let device = form.uuid("device")
        // As it is: a browser reads what another one wrote.
        let text = form.secret("description", length: 1...CallSignal.descriptionLimit)?.revealed
        guard let device, let text, form.isValid else { throw form.problem }
        let (found, account) = (try await find(context), context.caller.accountID)
        let isOffer = found.isCaller(account)
        if let fault = (isOffer ? CallSignal.offer(text) : .answer(text)).fault {
            form.reject("description", fault.code)
            throw form.problem
        }
        let call = try await pool.withTransaction { transaction in
            try await signal.describe(found.id, text, by: account, on: device, at: clock(), transaction)
        }
        return try await answer(call, context, device)
    }

    private func addCandidates(_ request: Request, _ context: AuthenticatedContext) async throws -> HTTPResponse.Status
    {
        let form = try await request.form(context: context)
        let device = form.uuid("device")
        let first = form.integer("first", in: 0...(CallSignal.candidatesLimit - 1))
        let texts = form.strings(
            "candidates", count: 1...Self.candidatesAtOnce, length: 0...CallSignal.candidateLimit)
        for (index, text) in (texts ?? []).enumerated() {
            guard let fault = CallSignal.candidate(text).fault else { continue }
            form.validator.reject(JSONPointer(["candidates"]).appending(index), fault.code)
        }
        guard let device, let first, let texts, form.isValid else { throw form.problem }
        guard first + texts.count <= CallSignal.candidatesLimit else {
            form.reject("candidates", "too-many", ["maximum": String(CallSignal.candidatesLimit)])
            throw form.problem
        }
        let candidates = texts.enumerated().map { CallCandidate(number: first + $0.offset, text: $0.element) }
        let (id, account) = (try context.uuid("id"), context.caller.accountID)
        try await pool.withTransaction { transaction in
            try await signal.add(candidates, to: id, by: account, on: device, at: clock(), transaction)
        }
        return .noContent
    }

    private func stay(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let device = try await device(request, context)
        let (id, account) = (try context.uuid("id"), context.caller.accountID)
        let call = try await pool.withTransaction { transaction in
            try await signal.stay(id, by: account, on: device, at: clock(), transaction)
        }
        return try await answer(call, context, device)
    }

    // MARK: Parts

    private func device(_ request: Request, _ context: AuthenticatedContext) async throws -> UUID {
        let form = try await request.form(context: context)
        guard let device = form.uuid("device"), form.isValid else { throw form.problem }
        return device
    }

    private func answer(_ call: Call, _ context: AuthenticatedContext, _ device: UUID?) async throws -> Response {
        let account = context.caller.accountID
        let candidates =
            call.isBy(device, of: account)
            ? try await pool.query(ListCandidates(call: call.id, byCaller: !call.isCaller(account))) : []
        return try Self.unkept(
            .json(.ok, CallView(call, reader: account, device: device, candidates: candidates)))
    }

    /// Neither addresses nor passwords stay in a browser's cache.
    private static func unkept(_ response: Response) -> Response {
        var response = response
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// A token of somebody who was banned in the market since has no role there.
    private static func require(_ role: String, in market: String, _ caller: Caller) throws(Problem) {
        try caller.require(role == "customer" ? "customer" : "provider", in: market)
    }
}

extension CallSignal.Fault {
    /// Of a field.
    var code: String {
        switch self {
        case .tooLong: "too-long"
        case .notSDP, .notOneVoice, .notCandidate, .unprintable: "not-a-signal"
        }
    }
}

extension CallRefusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .closed: Problem("call-closed", status: .conflict)
        case .busy: Problem("call-busy", status: .conflict)
        case .inCall: Problem("call-running", status: .conflict)
        case .idTaken: Problem("call-id-taken", status: .conflict)
        case .tooOften:
            Problem(
                "call-too-often", status: .tooManyRequests,
                headers: [.retryAfter: String(Int(StartCall.unansweredSeconds))])
        }
    }
}

extension CallState.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .alreadyTaken: Problem("call-taken", status: .conflict)
        case .over: Problem("call-over", status: .conflict)
        }
    }
}
