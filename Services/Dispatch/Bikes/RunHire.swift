import Contracts
import Foundation
import Messaging
import Postgres

/// A bike from the code that opens the rack to its return, hired or brought. The order is locked before the bike, by all.
struct RunHire: Sendable {
    /// For how long a rack that was not answered may tell of the same pick-up again; seconds.
    static let repeatSeconds = 120.0

    let hire: HireBike
    let change: ChangeOrder

    /// Whose the code is, and in which state of the order.
    enum Holder: Sendable {
        case rider, driver

        var kind: String { self == .rider ? Workflow.bikePickUp.kind : Workflow.bikeDropOff.kind }
        var actor: OrderActor { self == .rider ? .customer : .provider }
        var state: OrderState { self == .rider ? .accepted : .arrived }
    }

    /// A code for a bike that is paid and was not taken out. One before it opens nothing any more.
    ///
    /// - Parameter mayHold: whether the caller still has the role in a market.
    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, what `mayHold` throws.
    func code(
        of id: UUID, for account: UUID, as holder: Holder, random: Int, mayHold: (String) throws -> Void, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> (code: UnlockCode, until: Date, order: Order) {
        let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
        guard let order = try rows.first?.details().order, let role = order.role(of: account),
            order.kind == holder.kind, let bike = order.bike
        else { throw OrderNotFound() }
        guard role == holder.actor else { throw OrderRefusal.wrongActor }
        try mayHold(order.market)
        guard order.state == holder.state else { throw OrderRefusal.wrongState(order.state) }
        if let deadline = order.deadline, deadline <= now { throw OrderRefusal.tooLate(order.state) }
        let code = try await hire.code(for: id, at: bike.rack, random: random, at: now, in: transaction)
        // What is not picked up in time is not opened by a code that would still be good.
        let until = now.addingTimeInterval(UnlockCode.seconds)
        return (code, min(until, order.deadline ?? until), order)
    }

    /// A rack was told a code: the bike is out, and the hire or the way begins. Told again, it has begun already.
    ///
    /// - Returns: which bike the rack lets go.
    /// - Throws: ``RackRefusal/wrongCode``
    func pickUp(
        _ text: String, at rack: UUID, now: Date, in transaction: PostgresTransaction
    ) async throws -> UUID {
        guard let code = UnlockCode(text) else { throw RackRefusal.wrongCode }
        let find = FindCodeOrder(rack: rack, hash: code.hash(key: hire.signingKey, rack: rack))
        guard let id = try await transaction.first(find)?.order else { throw RackRefusal.wrongCode }
        // Of two reports at once the second one sees what the first one did.
        let (_, rows, codes) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id), find)
        guard let order = try rows.first?.details().order, let found = codes.first, found.order == id else {
            throw RackRefusal.wrongCode
        }
        if let usedAt = found.usedAt {
            guard let bike = found.bike, now.timeIntervalSince(usedAt) < Self.repeatSeconds else {
                throw RackRefusal.wrongCode
            }
            return bike
        }
        let (_, bike) = try await hire.pickUp(text, at: rack, at: now, in: transaction)
        // What has ended meanwhile opens nothing: the code is not used up.
        guard try change.bySystem(.start, to: order, at: now, in: transaction) else { throw RackRefusal.wrongCode }
        return bike
    }

    /// A bike stands in a rack, whichever: a hire ends and costs its time. Told again, it has ended already. Of one that was
    /// brought the price has the use in it, and whether it was delivered its parties say.
    ///
    /// - Throws: ``RackRefusal/notOut``
    func bringBack(
        _ bike: UUID, to rack: UUID, in market: String, now: Date, in transaction: PostgresTransaction
    ) async throws {
        let find = FindBike(bike: bike, market: market)
        guard let found = try await transaction.first(find) else { throw RackRefusal.notOut }
        // Whoever has reserved it since.
        if found.rack == rack { return }
        guard found.rack == nil, let id = found.order else { throw RackRefusal.notOut }
        // Of two reports at once the second one sees what the first one did.
        let (_, rows, bikes) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id), find)
        if bikes.first?.rack == rack { return }
        guard let out = bikes.first, out.rack == nil, out.order == id else { throw RackRefusal.notOut }
        _ = try await hire.bringBack(bike, to: rack, in: market, in: transaction)
        // One that was given up for lost has ended, and one that is long past is known no more.
        guard let order = try rows.first?.details().order, let began = order.arrivedAt, let terms = order.bike else {
            return
        }
        let seconds = Int(max(0, now.timeIntervalSince(began)).rounded(.up))
        let cost = terms.cost(seconds: seconds) ?? order.total
        try change.bySystem(.bringBack(cost: cost), to: order, at: now, in: transaction)
    }
}
