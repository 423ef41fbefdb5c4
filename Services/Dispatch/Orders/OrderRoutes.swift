import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// `/dispatch/v1/orders`, for customers, providers and merchants, and for admins who read or manage. All routes need a
/// token; an order is found only by its parties, its market's admins and others who may see it (see ``OrderReader``).
struct OrderRoutes: Sendable {
    let operations: OrderOperations
    let reader: OrderReader
    let idempotency: IdempotencyStore
    let cursors: CursorSealer
    let seal: PlaceSeal
    let clock: @Sendable () -> Date

    /// The markets as their admins have changed them last.
    var markets: LiveMarkets { operations.change.markets }

    func add(to router: Router<SeraiRequestContext>) {
        let group = router.group("dispatch/v1/orders", context: AuthenticatedContext.self)
        addActs(to: group)
        group
            .post { try await request($0, $1) }
            .get { try await list($0, $1) }
            .get("{id}") { try await find($0, $1) }
            .post("{id}/accept") { try await accept($0, $1) }
            .post("{id}/start") { try await start($0, $1) }
            .post("{id}/time") { try await askForTime($0, $1) }
            .get("{id}/partners") { try await partners($0, $1) }
            .post("{id}/assignment") { try await assign($0, $1) }
            .delete("{id}/assignment") { try await unassign($0, $1) }
            .put("{id}/schedule") { try await reschedule($0, $1) }
            .post("{id}/refusal") { try await refuse($0, $1) }
            .post("{id}/cancel") { try await cancel($0, $1) }
            .post("{id}/rating") { try await rate($0, $1) }
            .get("{id}/cancellation") { try await quoteCancellation($0, $1) }
            .post("{id}/cancellation") { try await cancelForCaller($0, $1) }
            .post("{id}/reports") { try await report($0, $1) }
            .get("{id}/reports") { try await reports($0, $1) }
            .get("{id}/matching") { try await matching($0, $1) }
            .get("{id}/trail") { try await trail($0, $1) }
    }

    // MARK: Reading

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<OrderView> {
        let query = try OrderListQuery(request, caller: context.caller, cursors: cursors)
        let (caller, after) = (context.caller.accountID, query.page.lastID)
        let orders =
            if query.isForMe {
                try await reader.list(
                    forRelative: caller, query.section, after: after, limit: query.page.fetchLimit)
            } else if let relative = query.relative {
                try await reader.list(
                    of: relative, seenBy: caller, query.section, after: after, limit: query.page.fetchLimit)
            } else {
                try await reader.list(
                    of: caller, as: query.role, query.section, isNew: query.isNew, in: query.market, after: after,
                    limit: query.page.fetchLimit)
            }
        return try query.page.answer(
            orders, id: { $0.order.id },
            item: {
                OrderView(
                    $0.opened(by: seal), of: markets.named($0.order.market), for: query.role,
                    in: context.language.rawValue,
                    isOnlySeen: query.relative != nil || query.isForMe)
            })
    }

    private func find(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (details, role) = try await reader.find(try context.uuid("id"), for: context.caller)
        let isNobody = details.order.role(of: context.caller.accountID) == nil
        let (isStranger, isOnlySeen) = (isNobody && role == .provider, isNobody && role == .customer)
        let extras = try await OrderPageExtras.read(
            details, for: role, in: context.language.rawValue, isStranger: isStranger, isOnlySeen: isOnlySeen,
            reader.pool)
        return try response(
            details, for: role, .ok, context, isStranger: isStranger, isOnlySeen: isOnlySeen, extras)
    }

    // MARK: Acting

    private func request(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        var input = try RequestOrder.Input(
            try await once.request.form(context: context), customer: context.caller.accountID, markets,
            isByHand: context.caller.scopes == nil)
        try context.caller.require("customer", in: input.market.id)
        input.place = try input.place.sealed(by: seal)
        return try await answer(once, .created, context) { [input] transaction in
            try await operations.request(input, at: clock(), in: transaction)
        }
    }

    private func accept(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (order, once) = try await order(request, context)
        let input = try await AcceptOrder.Input(once.request.optionalForm(context: context))
        return try await answer(once, .ok, context) { transaction in
            try await operations.accept(
                order, by: context.caller.accountID, input, at: clock(), in: transaction)
        }
    }

    private func rate(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (order, once) = try await order(request, context)
        let input = try RateOrder.Input(try await once.request.form(context: context))
        return try await answer(once, .created, context) { transaction in
            try await operations.rate(
                order, by: context.caller.accountID, input, at: clock(), in: transaction)
        }
    }

    // MARK: Shared steps

    func order(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> (order: UUID, once: IdempotentRequest) {
        (try context.uuid("id"), try await IdempotentRequest(request, context: context))
    }

    /// Performs an act once per Idempotency-Key and returns the order after it, or 204 if the order is no longer the
    /// caller's. The caller also needs the role in the order's market, since an account that has lost the role is still
    /// a party of the order.
    ///
    /// - Parameter reason: the caller's own words; who is no party any more is still warned of them, instead of a 204.
    func answer(
        _ once: IdempotentRequest, _ status: HTTPResponse.Status, _ context: AuthenticatedContext,
        reason: String? = nil,
        _ act: (PostgresTransaction) async throws -> OrderDetails
    ) async throws -> Response {
        try await idempotency.answer(once, asksFirst: true) { transaction in
            let details = try await act(transaction)
            let role = details.order.role(of: context.caller.accountID)
            // A caller who is no party after the act was the provider.
            try context.caller.require((role ?? .provider).roleInMarket, in: details.order.market)
            guard let role else {
                let warnings = WarningView.of([reason], in: details.order.market, context.language.rawValue)
                guard let warnings else { return Response(status: .noContent) }
                return try .json(.ok, OwnWordsView(warnings: warnings))
            }
            return try response(details, for: role, status, context)
        }
    }

    func response(
        _ details: OrderDetails, for role: OrderActor, _ status: HTTPResponse.Status, _ context: AuthenticatedContext,
        isStranger: Bool = false, isOnlySeen: Bool = false, _ extras: OrderPageExtras = .none
    ) throws -> Response {
        var view = OrderView(
            details.opened(by: seal), of: markets.named(details.order.market), for: role, in: context.language.rawValue,
            isStranger: isStranger,
            isOnlySeen: isOnlySeen)
        (view.car, view.trip) = (extras.car, extras.trip)
        return try .json(
            status, view, at: status == .created ? "/dispatch/v1/orders/\(details.order.id.text)" : nil)
    }
}

extension OrderActor {
    /// The market role that allows an actor to act; a merchant is a provider of the market.
    var roleInMarket: String { self == .merchant ? OrderActor.provider.rawValue : rawValue }
}
