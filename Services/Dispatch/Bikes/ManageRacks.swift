import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// The operations of admins on racks. Each publishes an event for the audit log.
struct ManageRacks: Sendable {
    /// How often bikes are deleted until so few are free: each time some of those that were chosen may be reserved.
    private static let deletions = 3

    /// - Parameter key: the rack's key; only its hash is stored.
    /// - Throws: ``RackRefusal/tooMany``
    func add(
        _ card: Rack.Card, key: String, in market: String, by admin: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Rack {
        let rack = Rack(id: .timeOrdered(), market: market, card: card, stock: [:])
        transaction.send(SerializeRacks(market: market))
        let insert = InsertRack(rack: rack, keyHash: RackKey.hash(key), now: now)
        guard try await transaction.execute(insert) == 1 else { throw RackRefusal.tooMany }
        try tell(.added, rack.id, market, details(card), admin, now, transaction)
        return rack
    }

    /// - Throws: ``RackRefusal/notFound``
    func change(
        _ id: UUID, to card: Rack.Card, in market: String, by admin: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let update = UpdateRack(rack: id, market: market, card: card, now: now)
        guard try await transaction.execute(update) == 1 else { throw RackRefusal.notFound }
        try tell(.changed, id, market, details(card), admin, now, transaction)
    }

    /// Replaces the rack's key; the old one stops working at once.
    ///
    /// - Throws: ``RackRefusal/notFound``
    func setKey(
        _ key: String, of id: UUID, in market: String, by admin: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let set = SetRackKey(rack: id, market: market, keyHash: RackKey.hash(key), now: now)
        guard try await transaction.execute(set) == 1 else { throw RackRefusal.notFound }
        try tell(.keyed, id, market, [:], admin, now, transaction)
    }

    /// Sets the number of free bikes of a type by adding or deleting bikes. Bikes that are reserved at the same moment
    /// are not counted; the event says how many are free afterwards.
    ///
    /// - Throws: ``RackRefusal``
    func stock(
        _ id: UUID, with type: BikeType, count: Int, in market: String, by admin: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let (locks, counts): ([Void], [(all: Int, free: Int)]) = try await transaction.queryAll(
            LockRack(rack: id, market: market), CountBikes(rack: id, type: type.rawValue))
        guard !locks.isEmpty, let bikes = counts.first else { throw RackRefusal.notFound }
        let more = count - bikes.free
        guard bikes.all + more <= Rack.maximumBikes else { throw RackRefusal.tooMany }
        if more > 0 {
            transaction.send(
                InsertBikes(
                    market: market, type: type.rawValue, rack: id, ids: (0..<more).map { _ in .timeOrdered() }))
        }
        var free = max(bikes.free, count)
        for _ in 0..<Self.deletions where free > count {
            transaction.send(DeleteBikes(rack: id, type: type.rawValue, count: free - count))
            free = try await transaction.first(CountBikes(rack: id, type: type.rawValue))?.free ?? 0
        }
        try tell(
            .stocked, id, market, ["type": type.rawValue, "count": String(free)], admin, now, transaction)
    }

    private func details(_ card: Rack.Card) -> [String: String] {
        ["name": card.name, "place": "\(card.latitude),\(card.longitude)", "active": String(card.isActive)]
    }

    private func tell(
        _ act: RackManaged.Act, _ rack: UUID, _ market: String, _ details: [String: String], _ admin: UUID,
        _ now: Date, _ transaction: PostgresTransaction
    ) throws {
        try transaction.publish(
            RackManaged(rack: rack, market: market, act: act, details: details, by: admin, at: now))
    }
}

/// Reserves a bike for an order and checks the code that opens the rack for it.
struct HireBike: Sendable {
    let signingKey: [UInt8]

    /// - Throws: ``RackRefusal/noBike``
    static func reserve(
        _ type: BikeType, at rack: UUID, for order: UUID, in transaction: PostgresTransaction
    ) async throws -> UUID {
        let reserve = ReserveBike(rack: rack, type: type.rawValue, order: order)
        guard let bike = try await transaction.first(reserve) else { throw RackRefusal.noBike }
        return bike
    }

    /// Makes a new code; an earlier code of the order stops working.
    ///
    /// - Throws: ``RackRefusal/wrongCode`` when a code of the order was used already.
    func code(
        for order: UUID, at rack: UUID, random: Int, at now: Date, in transaction: PostgresTransaction
    ) async throws -> UnlockCode {
        let code = UnlockCode(random: random)
        let store = StoreUnlockCode(
            order: order, rack: rack, hash: code.hash(key: signingKey, rack: rack),
            expiresAt: now.addingTimeInterval(UnlockCode.seconds))
        guard try await transaction.execute(store) == 1 else { throw RackRefusal.wrongCode }
        return code
    }

    /// Uses the code up and takes the bike out of the rack.
    ///
    /// - Throws: ``RackRefusal/wrongCode``
    func pickUp(
        _ text: String, at rack: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> (order: UUID, bike: UUID) {
        guard let code = UnlockCode(text) else { throw RackRefusal.wrongCode }
        let use = UseUnlockCode(rack: rack, hash: code.hash(key: signingKey, rack: rack), now: now)
        guard let order = try await transaction.first(use),
            let bike = try await transaction.first(TakeBikeOut(order: order, rack: rack))
        else { throw RackRefusal.wrongCode }
        return (order, bike)
    }

    /// Puts the bike into any rack of its market.
    ///
    /// - Returns: the order that had it.
    /// - Throws: ``RackRefusal/notOut``
    func bringBack(
        _ bike: UUID, to rack: UUID, in market: String, in transaction: PostgresTransaction
    ) async throws -> UUID {
        let back = ReturnBike(bike: bike, market: market, rack: rack)
        guard let order = try await transaction.first(back) else { throw RackRefusal.notOut }
        return order
    }
}
