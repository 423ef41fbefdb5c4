import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// `/notifications/v1/webhooks`: where an account's own orders are told to its own servers, for their owner alone (X9).
struct WebhookRoutes: Sendable {
    /// How long a replaced secret signs as well.
    static let overlapSeconds: Double = 86_400

    let pool: PostgresPool
    let address: OutgoingAddress
    let seal: DeliverySeal
    let idempotency: IdempotencyStore
    let cursors: CursorSealer
    let clock: @Sendable () -> Date

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("webhooks") { _, context in
            let caller = context.caller
            let rows = try await pool.query(ListWebhooks(account: caller.accountID, market: caller.keyMarket))
            return WebhookListView(items: rows.map { WebhookView($0) })
        }
        group.post("webhooks") { try await make($0, $1) }
        group.get("webhooks/{id}") { _, context in WebhookView(try await find(context)) }
        group.put("webhooks/{id}") { try await change($0, $1) }
        group.delete("webhooks/{id}") { _, context in
            let delete = DeleteWebhook(id: try context.uuid("id"), account: context.caller.accountID)
            guard try await pool.execute(delete) > 0 else { throw Problem.notFound }
            return HTTPResponse.Status.noContent
        }
        group.post("webhooks/{id}/secret") { try await replaceSecret($0, $1) }
        group.post("webhooks/{id}/test") { try await test($0, $1) }
        group.get("webhooks/{id}/deliveries") { try await log($0, $1) }
        group.post("webhooks/{id}/deliveries/{message}/replay") { try await replay($0, $1) }
    }

    private func make(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let name = form.string("market", length: 1...100)
        let market = name.flatMap(Market.named)
        if name != nil, market == nil {
            form.reject("market", "not-a-choice", ["choices": Market.all.map(\.id).joined(separator: ", ")])
        }
        if let market { try context.caller.require("customer", in: market.id) }
        let (url, events) = (url(form), Self.events(form))
        guard let market, let url, let events, form.isValid else { throw form.problem }
        let (id, secret, account) = (UUID.timeOrdered(), WebhookSecret.generate(), context.caller.accountID)
        let sealed = try seal.seal(.init(to: secret.text, arguments: [:]), delivery: id)
        return try await idempotency.answer(once) { transaction in
            _ = try await transaction.query(LockOwnRows(account: account))
            let made = try await transaction.first(
                InsertWebhook(
                    id: id, account: account, market: market.id, url: url, events: events, sealed: sealed, now: clock())
            )
            guard let made else { throw Self.tooMany }
            return try .json(
                .created, WebhookView(made, secret: secret.text), at: "/notifications/v1/webhooks/\(id.text)")
        }
    }

    private func change(_ request: Request, _ context: AuthenticatedContext) async throws -> WebhookView {
        let form = try await request.form(context: context)
        let (url, events, isOn) = (url(form), Self.events(form), form.bool("enabled"))
        guard let url, let events, let isOn, form.isValid else { throw form.problem }
        // Whoever is no customer of its market any more cannot switch it on.
        if isOn { try context.caller.require("customer", in: try await find(context).market) }
        let update = UpdateWebhook(
            id: try context.uuid("id"), account: context.caller.accountID, url: url, events: events, isOn: isOn,
            now: clock())
        guard let changed = try await pool.first(update) else { throw Problem.notFound }
        return WebhookView(changed)
    }

    private func replaceSecret(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let (id, secret) = (try context.uuid("id"), WebhookSecret.generate())
        let sealed = try seal.seal(.init(to: secret.text, arguments: [:]), delivery: id)
        return try await idempotency.answer(once) { transaction in
            let replace = ReplaceWebhookSecret(
                id: id, account: context.caller.accountID, sealed: sealed,
                until: clock().addingTimeInterval(Self.overlapSeconds))
            guard let changed = try await transaction.first(replace) else { throw Problem.notFound }
            return try .json(.ok, WebhookView(changed, secret: secret.text))
        }
    }

    /// Queues an event that says nothing, so that its owner sees whether it arrives.
    private func test(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let endpoint = try await find(context)
        return try await idempotency.answer(once) { transaction in
            let (message, now) = (UUID.timeOrdered(), clock())
            let body = #"{"type":"\#(WebhookEvent.test)","timestamp":"\#(Timestamp.text(now))","data":{}}"#
            transaction.send(QueueTestWebhook(endpoint: endpoint.id, message: message, body: body, now: now))
            return Response(status: .accepted)
        }
    }

    private func log(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<WebhookDeliveryView> {
        let endpoint = try await find(context)
        let query = QueryForm(request, ignoring: .unknown)
        let state = query.choice("state", of: ["waiting", "sent", "failed"])
        let page = try query.page(
            of: "webhook-deliveries", .descending, where: ["endpoint": endpoint.id.text],
            owner: context.caller.accountID, sealedBy: cursors)
        let rows = try await pool.query(
            ListWebhookDeliveries(
                endpoint: endpoint.id, state: state, after: page.lastID, limit: page.fetchLimit))
        return try page.answer(rows, id: { $0.message }, item: { WebhookDeliveryView($0) })
    }

    private func replay(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let (endpoint, message) = (try await find(context), try context.uuid("message"))
        return try await idempotency.answer(once) { transaction in
            let replay = ReplayWebhook(endpoint: endpoint.id, message: message)
            guard let delivery = try await transaction.first(replay) else { throw Problem.notFound }
            return try .json(.accepted, WebhookDeliveryView(delivery))
        }
    }

    private func find(_ context: AuthenticatedContext) async throws -> WebhookEndpoint {
        let find = FindWebhook(id: try context.uuid("id"), account: context.caller.accountID)
        guard let endpoint = try await pool.first(find) else { throw Problem.notFound }
        return endpoint
    }

    private func url(_ form: Form) -> String? {
        guard let text = form.string("url", length: 1...2_000) else { return nil }
        guard address.url(text) != nil else {
            form.reject("url", "not-a-webhook-url")
            return nil
        }
        return text
    }

    /// Empty for all.
    private static func events(_ form: Form) -> [String]? {
        let events = form.strings("events", count: 0...WebhookEvent.names.count, length: 1...60, required: false) ?? []
        for (index, event) in events.enumerated() where !WebhookEvent.names.contains(event) {
            form.validator.reject(
                JSONPointer(["events"]).appending(index), "not-a-choice",
                ["choices": WebhookEvent.names.joined(separator: ", ")])
        }
        return Set(events).sorted()
    }

    private static let tooMany = Problem(
        "too-many-webhooks", status: .conflict, arguments: ["maximum": String(WebhookEndpoint.maximum)])
}
