import Foundation
import Hummingbird
import Messaging
import Postgres
import SeraiJSON

/// `dead-messages` of a service: for master admins alone, since messages belong to no one market.
struct DeadMessageRoutes<Service: FeatureService>: Sendable {
    let pool: PostgresPool
    let cursors: CursorSealer
    let clock: @Sendable () -> Date

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("dead-messages", use: list)
        group.get("dead-messages/{message}", use: show)
        group.post("dead-messages/retry", use: retryAll)
        group.post("dead-messages/{message}/retry", use: retry)
        group.post("dead-messages/{message}/drop", use: drop)
    }

    /// `GET dead-messages`: the newest first, without bodies; those that wait, by default.
    @Sendable func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<DeadMessageView> {
        try context.caller.require("admin", in: "*")
        let query = QueryForm(request)
        let state = query.choice("state", of: DeadMessage.State.allCases.map(\.rawValue) + ["all"])
        let filter = DeadMessages.Filter(
            state: state == "all" ? nil : DeadMessage.State(rawValue: state ?? "") ?? .waiting,
            queue: query.text("queue"), name: query.text("name", maximum: 200))
        let page = try query.page(
            of: "dead-messages", .descending, owner: context.caller.accountID, sealedBy: cursors)
        let found = try await DeadMessages.list(filter, before: page.last, limit: page.fetchLimit, in: pool)
        return try page.answer(
            found, at: { ($0.failedAt, $0.id) }, item: { DeadMessageView($0, of: Service.name) })
    }

    /// `GET dead-messages/{message}`: with the body. The look is recorded before it is answered.
    @Sendable func show(_ request: Request, _ context: AuthenticatedContext) async throws -> DeadMessageView {
        try context.caller.require("admin", in: "*")
        let id = try context.uuid("message")
        return try await pool.withTransaction { transaction in
            guard let found = try await DeadMessages.find(id, in: transaction) else { throw Problem.notFound }
            if found.body != nil {
                try record(OperatorAct(.viewed, found.message, by: context.caller.accountID), transaction)
            }
            return DeadMessageView(found.message, of: Service.name, body: found.body.flatMap(ShownBody.of))
        }
    }

    /// `POST dead-messages/{message}/retry`
    @Sendable func retry(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try context.caller.require("admin", in: "*")
        let id = try context.uuid("message")
        try await decide { transaction in
            let found = try await DeadMessages.retry(id, at: clock(), in: transaction)
            try record(OperatorAct(.retried, found, by: context.caller.accountID), transaction)
        }
        return Response(status: .noContent)
    }

    /// `POST dead-messages/retry`: all that wait, or those of one queue or name.
    @Sendable func retryAll(_ request: Request, _ context: AuthenticatedContext) async throws -> RetriedView {
        try context.caller.require("admin", in: "*")
        let form = try await request.form(context: context)
        let filter = DeadMessages.Filter(
            queue: form.string("queue", length: 1...200, required: false),
            name: form.string("name", length: 1...200, required: false))
        guard form.isValid else { throw form.problem }
        return try await pool.withTransaction { transaction in
            let count = try await DeadMessages.retryAll(filter, at: clock(), in: transaction)
            try record(
                OperatorAct(retriedAll: filter, count: count, by: context.caller.accountID), transaction)
            return RetriedView(count: count)
        }
    }

    /// `POST dead-messages/{message}/drop`
    @Sendable func drop(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try context.caller.require("admin", in: "*")
        let id = try context.uuid("message")
        let form = try await request.form(context: context)
        let reason = form.string("reason", length: 1...500, lines: true)
        guard let reason, form.isValid else { throw form.problem }
        try await decide { transaction in
            let found = try await DeadMessages.drop(id, at: clock(), in: transaction)
            try record(OperatorAct(.dropped, found, reason: reason, by: context.caller.accountID), transaction)
        }
        return Response(status: .noContent)
    }

    private func record(_ act: OperatorAct, _ transaction: PostgresTransaction) throws {
        try Service.record(act, at: clock(), in: transaction)
    }

    private func decide(_ body: (PostgresTransaction) async throws -> Void) async throws {
        do {
            try await pool.withTransaction { try await body($0) }
        } catch let error as DeadMessageError {
            switch error {
            case .unknown: throw Problem.notFound
            case .decided(let state):
                throw Problem(
                    "dead-message-decided", status: .conflict, extensions: ["state": .string(state.rawValue)])
            case .notRetriable: throw Problem("dead-message-not-retriable", status: .conflict)
            }
        }
    }
}

struct RetriedView: ResponseEncodable, Sendable {
    let count: Int
}
