import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Operations of admins on single bikes: an admin marks a bike as broken, lost or repaired, and ends a hire whose bike no
/// rack has reported.
/// Each act is published for the audit log. And a rider's word that the hired bike is broken. Lock order: the order before
/// the bike.
struct ManageBikes: Sendable {
    enum Act: String, Sendable, CaseIterable {
        case broken, lost, repaired
    }

    let run: RunHire
    let change: ChangeOrder

    /// A lost bike that was hired ends its hire at the price of the longest one and no more. A broken one is not given out
    /// any more; the hire that it is on goes on.
    ///
    /// - Throws: ``RackRefusal``
    func say(
        _ act: Act, of bike: UUID, in market: String, note: String?, by admin: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard let known = try await transaction.first(FindBike(bike: bike, market: market)) else {
            throw RackRefusal.notFound
        }
        var order: Order?
        if let id = known.order {
            let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
            order = try rows.first?.details().order
        }
        guard let found = try await transaction.first(LockBike(bike: bike, market: market)), found.order == known.order
        else { throw RackRefusal.bikeReserved }
        switch act {
        case .repaired:
            guard found.condition == .broken else { throw RackRefusal.notBroken }
            transaction.send(SetBikeCondition(bike: bike, condition: .good, note: nil, now: now))
        case .broken, .lost:
            // The order of a reserved bike is cancelled first, so that its rider is told.
            guard found.order == nil || found.rack == nil else { throw RackRefusal.bikeReserved }
            guard found.condition != .lost else { throw RackRefusal.notBroken }
            let condition: BikeCondition = act == .lost ? .lost : .broken
            transaction.send(SetBikeCondition(bike: bike, condition: condition, note: note, now: now))
            if act == .lost, let order, order.kind == Workflow.bikePickUp.kind, order.state == .inProgress {
                try change.bySystem(.windowOver(.completion), to: order, at: now, in: transaction)
            }
        }
        var details = ["bike": bike.text]
        if let note { details["note"] = note }
        if let order { details["order"] = order.id.text }
        try tell(
            act == .broken ? .broken : act == .lost ? .lost : .repaired, bike, market, details, admin, now, transaction)
    }

    /// Brings a bike back into a rack that has not reported it. The hire ends at the time that the admin says.
    ///
    /// - Parameter time: nil for now; not after now, nor before the hire began.
    /// - Throws: ``RackRefusal``
    func bringBack(
        _ bike: UUID, to rack: UUID, in market: String, at time: Date?, by admin: UUID, now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard try await transaction.first(FindRack(rack: rack, market: market)) != nil,
            let known = try await transaction.first(FindBike(bike: bike, market: market))
        else { throw RackRefusal.notFound }
        if let time, let id = known.order {
            let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
            let order = try rows.first?.details().order
            let began = order?.arrivedAt ?? order?.requestedAt ?? now
            guard time <= now, time >= began else { throw RackRefusal.wrongTime(began: began) }
        }
        if known.rack == rack { return }
        try await run.bringBack(bike, to: rack, in: market, now: time ?? now, in: transaction)
        var details = ["bike": bike.text, "rack": rack.text, "at": Timestamp.text(time ?? now)]
        if let id = known.order { details["order"] = id.text }
        try tell(.returned, bike, market, details, admin, now, transaction)
    }

    /// A rider says that the hired bike is broken: the hire ends and costs its time until now. The bike stays out in the
    /// rider's name until an admin has it, and the market's admins see a complaint.
    ///
    /// - Throws: ``OrderNotFound``, ``OrderRefusal``
    func breakDown(
        _ id: UUID, of rider: UUID, note: String?, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
        guard let details = try rows.first?.details(), details.order.customer.account == rider,
            details.order.kind == Workflow.bikePickUp.kind, let hire = details.order.bike
        else { throw OrderNotFound() }
        let order = details.order
        guard order.state == .inProgress, let began = order.arrivedAt else {
            throw OrderRefusal.wrongState(order.state)
        }
        if let bike = hire.bike, try await transaction.first(LockBike(bike: bike, market: order.market)) != nil {
            transaction.send(SetBikeCondition(bike: bike, condition: .broken, note: note, now: now))
        }
        let seconds = Int(max(0, now.timeIntervalSince(began)).rounded(.up))
        let cost = hire.cost(seconds: seconds) ?? order.total
        var ended = details
        ended.order = try change.store(.bringBack(cost: cost), to: order, by: .system, at: now, in: transaction)
        let report = StoredReport(
            id: .timeOrdered(), order: id, by: .customer, reason: Self.brokenReason, note: note, cancels: false, at: now
        )
        transaction.send(InsertReport(report: report))
        try transaction.publish(
            ReportOpened(
                report: report.id, order: id, market: order.market, by: .customer, account: rider,
                reason: report.reason, note: note, cancels: false, awaitsDecision: false, at: now))
        return ended
    }

    /// The id of the market's words for it.
    static let brokenReason = "bike-broken"

    private func tell(
        _ act: BikeManaged.Act, _ bike: UUID, _ market: String, _ details: [String: String], _ admin: UUID,
        _ now: Date, _ transaction: PostgresTransaction
    ) throws {
        try transaction.publish(
            BikeManaged(bike: bike, market: market, act: act, details: details, by: admin, at: now))
    }
}
