import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Routes for taking orders, for the start of the work, its end and giving up.
extension OrderRoutes {
    /// `POST {id}/take`
    func take(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (order, once) = try await order(request, context)
        return try await answer(once, .ok, context) { transaction in
            try await operations.take(order, by: context.caller.accountID, at: .thisMillisecond, in: transaction)
        }
    }

    /// `POST {id}/ready`
    func ready(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (order, once) = try await order(request, context)
        return try await answer(once, .ok, context) { transaction in
            try await operations.ready(order, by: context.caller.accountID, at: .thisMillisecond, in: transaction)
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
            try await operations.start(order, by: account, code: code, at: .thisMillisecond, in: transaction)
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
                order, by: context.caller.accountID, time: time, at: .thisMillisecond, in: transaction)
        }
    }

    /// `POST {id}/met`
    func meet(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (order, once) = try await order(request, context)
        return try await answer(once, .ok, context) { transaction in
            try await operations.meet(order, by: context.caller.accountID, at: .thisMillisecond, in: transaction)
        }
    }

    /// `POST {id}/end-early`
    func endEarly(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (order, once) = try await order(request, context)
        return try await answer(once, .ok, context) { transaction in
            try await operations.endEarly(order, by: context.caller.accountID, at: .thisMillisecond, in: transaction)
        }
    }

    /// `POST {id}/give-up`. Answers without a body, since the order is no longer the caller's.
    func giveUp(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (order, once) = try await order(request, context)
        let reason = try await once.request.optionalReason(context: context)
        return try await answer(once, .ok, context) { transaction in
            try await operations.giveUp(
                order, by: context.caller.accountID, reason: reason, at: .thisMillisecond, in: transaction)
        }
    }
}
