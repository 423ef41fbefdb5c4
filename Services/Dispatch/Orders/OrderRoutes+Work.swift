import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// An act of a party on an order, for which the path of the request is the whole input.
protocol OrderAct: Sendable {
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails
}

extension TakeOrder: OrderAct {}
extension RecordMeeting: OrderAct {}
extension ArriveAtOrder: OrderAct {}
extension ConfirmOrder: OrderAct {}
extension EndRideEarly: OrderAct {}
extension ReportNoShow: OrderAct {}

/// Routes by which parties bring an order on: those for which the path says all, the start of the work, and its time.
extension OrderRoutes {
    /// `POST {id}/<path>`, with an operation of its own.
    private var acts: [(path: String, act: any OrderAct)] {
        [
            ("take", operations.take), ("met", operations.meet), ("arrive", operations.arrive),
            ("complete", operations.confirm), ("end-early", operations.endEarly), ("no-show", operations.missCustomer),
        ]
    }

    /// `POST {id}/<path>`, which only applies a trigger; where it takes a reason, the body may say it.
    private static let triggers:
        [(path: String, takesReason: Bool, trigger: @Sendable (_ reason: String?) -> OrderTrigger)] = [
            ("ready", false, { _ in .ready }), ("decline", true, { .decline(reason: $0) }),
            // Answered without a body, since the order is no longer the caller's.
            ("give-up", true, { .giveUp(reason: $0) }),
        ]

    func addActs(to group: RouterGroup<AuthenticatedContext>) {
        for (path, act) in acts {
            group.post("{id}/\(path)") { request, context in
                let (order, once) = try await self.order(request, context)
                return try await answer(once, .ok, context) { transaction in
                    try await act(order, by: context.caller.accountID, at: clock(), in: transaction)
                }
            }
        }
        for (path, takesReason, trigger) in Self.triggers {
            group.post("{id}/\(path)") { request, context in
                let (order, once) = try await self.order(request, context)
                let reason =
                    takesReason
                    ? try await once.request.optionalReason(
                        not: markets.reasons, context: context) : nil
                return try await answer(once, .ok, context, reason: reason) { transaction in
                    try await operations.change(
                        trigger(reason), of: order, by: context.caller.accountID, at: clock(),
                        in: transaction)
                }
            }
        }
    }

    /// `POST {id}/start`, with the rider's or the courier's code if the order asks for one. A request that was answered
    /// gets its answer again and is no try; one that is repeated without a stored answer is the same try.
    func start(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (order, once) = try await order(request, context)
        let form = try await once.request.optionalForm(context: context)
        let code = form?.code("code", length: 1...20, required: false)?.revealed
        try form?.finish()
        let account = context.caller.accountID
        if code != nil {
            if let known = try await idempotency.known(once) { return known }
            try await operations.start.count(
                order, by: account, request: idempotency.mark(of: once), in: reader.pool)
        }
        return try await answer(once, .ok, context) { transaction in
            try await operations.start(order, by: account, code: code, at: clock(), in: transaction)
        }
    }

    /// `POST {id}/time`
    func askForTime(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (order, once) = try await order(request, context)
        let form = try await once.request.form(context: context)
        let time = form.date("time")
        guard let time, form.isValid else { throw form.problem }
        return try await answer(once, .ok, context) { transaction in
            try await operations.askForTime(
                order, by: context.caller.accountID, time: time, at: clock(), in: transaction)
        }
    }
}
