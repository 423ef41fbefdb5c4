import Contracts
import Foundation
import Messaging
import Postgres

/// Runs a bike from the code to the return, hired or delivered. Lock order: the order before the bike.
struct RunHire: Sendable {
    /// The time in which a rack that got no answer may report the same pick-up again, in seconds.
    static let repeatSeconds = 120.0

    let hire: HireBike
    let change: ChangeOrder

    /// The account that may get the code; it decides the order's kind and state.
    enum Holder: Sendable {
        case rider, driver

        var kind: String { self == .rider ? Workflow.bikePickUp.kind : Workflow.bikeDropOff.kind }
        var actor: OrderActor { self == .rider ? .customer : .provider }
        var state: OrderState { self == .rider ? .accepted : .arrived }
    }

    /// Makes a code for a paid bike that is still in its rack. An earlier code stops working.
    ///
    /// - Parameter mayHold: throws unless the caller still has the role in the order's market.
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
        // The reported validity ends with the order's deadline, after which a pick-up is refused.
        let until = now.addingTimeInterval(UnlockCode.seconds)
        return (code, min(until, order.deadline ?? until), order)
    }

    /// Handles a rack's report of a code: the bike is out, and the hire or delivery begins. A repeated report has no
    /// further effect.
    ///
    /// - Returns: the bike that the rack releases.
    /// - Throws: ``RackRefusal/wrongCode``
    func pickUp(
        _ text: String, at rack: UUID, now: Date, in transaction: PostgresTransaction
    ) async throws -> UUID {
        guard let code = UnlockCode(text) else { throw RackRefusal.wrongCode }
        let find = FindCodeOrder(rack: rack, hash: code.hash(key: hire.signingKey, rack: rack))
        guard let id = try await transaction.first(find)?.order else { throw RackRefusal.wrongCode }
        // Read again under the lock: of two concurrent reports the second sees the first one's changes.
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
        // If the order has ended meanwhile, the rollback leaves the code unused.
        guard try change.bySystem(.start, to: order, at: now, in: transaction) else { throw RackRefusal.wrongCode }
        return bike
    }

    /// Handles a rack's report of a returned bike: a hire ends and its time is charged. A repeated report has no
    /// further effect. A delivered bike costs nothing more, since its price includes the use; its parties confirm the
    /// delivery.
    ///
    /// - Throws: ``RackRefusal/notOut``
    func bringBack(
        _ bike: UUID, to rack: UUID, in market: String, now: Date, in transaction: PostgresTransaction
    ) async throws {
        let find = FindBike(bike: bike, market: market)
        guard let found = try await transaction.first(find) else { throw RackRefusal.notOut }
        // A repeated report, even if the bike was reserved again meanwhile.
        if found.rack == rack { return }
        if found.isLost {
            transaction.send(ReturnLostBike(bike: bike, market: market, rack: rack, now: now))
            return
        }
        guard found.rack == nil, let id = found.order else { throw RackRefusal.notOut }
        // Read again under the lock: of two concurrent reports the second sees the first one's changes.
        let (_, rows, bikes) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id), find)
        if bikes.first?.rack == rack { return }
        guard let out = bikes.first, out.rack == nil, out.order == id else { throw RackRefusal.notOut }
        _ = try await hire.bringBack(bike, to: rack, in: market, in: transaction)
        transaction.send(SetReturnRack(order: id, rack: rack))
        // A late return: the order has ended already, or it was deleted.
        guard let order = try rows.first?.details().order, let began = order.arrivedAt, let terms = order.bike else {
            return
        }
        let seconds = Int(max(0, now.timeIntervalSince(began)).rounded(.up))
        let cost = terms.cost(seconds: seconds) ?? order.total
        try change.bySystem(.bringBack(cost: cost), to: order, at: now, in: transaction)
    }
}
