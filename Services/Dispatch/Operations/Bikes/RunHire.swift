import Contracts
import Foundation
import Messaging
import Postgres

/// A hire from the code that opens the rack to the bike's return. The order is locked before the bike, by all.
struct RunHire: Sendable {
    /// For how long a rack that was not answered may tell of the same pick-up again; seconds.
    static let repeatSeconds = 120.0

    let hire: HireBike
    let change: ChangeOrder

    /// A code for a bike that is paid and was not taken out. One before it opens nothing any more.
    ///
    /// - Parameter mayHire: whether the caller is still a customer in a market.
    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, what `mayHire` throws.
    func code(
        of id: UUID, for rider: UUID, random: Int, mayHire: (String) throws -> Void, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> (code: UnlockCode, until: Date, order: Order) {
        let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
        guard let order = try rows.first?.details().order, order.customer.account == rider,
            order.kind == Workflow.bikePickUp.kind, let bike = order.bike
        else { throw OrderNotFound() }
        try mayHire(order.market)
        guard order.state == .accepted else { throw OrderRefusal.wrongState(order.state) }
        if let deadline = order.deadline, deadline <= now { throw OrderRefusal.tooLate(order.state) }
        let code = try await hire.code(for: id, at: bike.rack, random: random, at: now, in: transaction)
        // What is not picked up in time is not opened by a code that would still be good.
        let until = now.addingTimeInterval(UnlockCode.seconds)
        return (code, min(until, order.deadline ?? until), order)
    }

    /// A rack was told a code: the bike is out and the hire begins. Told again, it has begun already.
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

    /// A bike stands in a rack, whichever: the hire ends and costs its time. Told again, it has ended already.
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
