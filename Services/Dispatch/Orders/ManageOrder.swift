import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// Acts of a market's admins on an order at the desk. Each act is published for the audit log.
struct ManageOrder: Sendable {
    enum Act: Sendable {
        case assign(UUID)
        case unassign(reason: String?)
        case reschedule(Date)
        case refuse(reason: String?)
        case cancel(reason: String?)

        /// The partner of an assignment.
        fileprivate var partner: UUID? { if case .assign(let account) = self { account } else { nil } }
    }

    enum Refusal: Error, Equatable {
        /// The account is no verified provider of the market whose title allows all ordered services.
        case unknownPartner
        /// The partner has another visit at that time.
        case calendarConflict
        case time(CareTime.Fault)
    }

    let change: ChangeOrder

    /// - Parameter isAdmin: whether the caller is an admin of the given market; throws for its support.
    /// - Throws: ``OrderNotFound`` if the caller is no admin of its market; ``Problem/ownMatter`` for the order's
    ///   customer or provider and for an admin who assigns himself or herself; ``OrderRefusal``, ``Refusal``
    func callAsFunction(
        _ act: Act, of id: UUID, by admin: UUID, isAdmin: (String) throws -> Bool, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        if case .assign(let partner) = act { try await AccountDeletionGuard.refuse(partner, in: transaction) }
        let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
        guard var details = try rows.first?.details(), try isAdmin(details.order.market) else { throw OrderNotFound() }
        let order = details.order
        guard ![order.customer.account, order.provider?.account, act.partner].contains(admin) else {
            throw Problem.ownMatter
        }
        details.order = try change.store(
            try await trigger(act, order, at: now, in: transaction), to: order, by: .admin, at: now, in: transaction)
        try transaction.publish(
            OrderManaged(
                order: id, market: order.market, act: act.told, details: act.details, by: admin, at: now))
        return details
    }

    private func trigger(
        _ act: Act, _ order: Order, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderTrigger {
        switch act {
        case .assign(let account):
            let partner = try await transaction.first(FindPartner(market: order.market, account: account))
            guard let partner, let market = change.markets.named(order.market), partner.mayDo(order, in: market),
                account != order.customer.account
            else {
                throw Refusal.unknownPartner
            }
            // The hours were checked when the visit was ordered, but one "at once" may wait, and hours change.
            let start = order.scheduledAt ?? max(order.requestedAt, now)
            try change.requireCareHours(of: order, from: start, at: now)
            try await requireFree(account, for: order, from: start, at: now, transaction)
            return .assign(Order.Party(account: account, name: partner.name))
        case .unassign(let reason):
            return .unassign(reason: reason)
        case .reschedule(let time):
            guard time > now else { throw Refusal.time(.past) }
            try change.requireCareHours(of: order, from: time, at: now)
            if let provider = order.provider {
                try await requireFree(provider.account, for: order, from: time, at: now, transaction)
            }
            return .reschedule(time)
        case .refuse(let reason): return .decline(reason: reason)
        case .cancel(let reason): return .cancel(reason: reason)
        }
    }

    /// Requires a free calendar. Locks the partner's row, after the order's, so that of two assignments for the same
    /// time only one succeeds.
    private func requireFree(
        _ partner: UUID, for order: Order, from start: Date, at now: Date, _ transaction: PostgresTransaction
    ) async throws {
        let end = start.addingTimeInterval(Double(order.homeCare?.minutes ?? 0) * 60)
        let (_, conflicts) = try await transaction.queryAll(
            LockProvider(account: partner),
            FindCalendarConflict(provider: partner, order: order.id, from: start, to: end, now: now))
        guard conflicts.isEmpty else { throw Refusal.calendarConflict }
    }
}

extension ManageOrder.Act {
    fileprivate var told: OrderManaged.Act {
        switch self {
        case .assign: .assigned
        case .unassign: .unassigned
        case .reschedule: .rescheduled
        case .refuse: .refused
        case .cancel: .cancelled
        }
    }

    fileprivate var details: [String: String] {
        switch self {
        case .assign(let partner): ["provider": partner.text]
        case .reschedule(let time): ["time": Timestamp.text(time)]
        case .unassign(let reason), .refuse(let reason), .cancel(let reason): reason.map { ["reason": $0] } ?? [:]
        }
    }
}

extension Partner {
    /// Whether the partner's title allows all ordered services.
    func mayDo(_ order: Order, in market: Market) -> Bool {
        // A retired service is still done where it was ordered.
        let allowed = Set(OfferingRules(all: market, title: title).allowed)
        return order.lines.allSatisfy { allowed.contains($0.service) }
    }
}
