import Foundation
import Messaging
import Postgres
import ServiceKit

/// The operations of an owner on the restaurant and its menu (C5). Customers see each change at once, because their
/// views read these rows.
struct RunRestaurant: Sendable {
    let usePhoto = UsePhoto()

    /// Creates the owner's restaurant or changes its card. The role need not be verified yet: until it is, nobody but
    /// the owner sees card and menu, and the restaurant cannot open.
    ///
    /// - Throws: ``RestaurantRefusal``, ``Problem/accountLeaving``, ``Problem/banned``, ``PhotoRefusal/notOwn(field:)``
    func store(
        _ card: Restaurant.Card, of owner: UUID, in market: String, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Restaurant {
        try await Admission.require(owner, in: market, transaction)
        _ = try await isVerified(owner, in: market, transaction)
        let held = try await transaction.first(LockOwnRestaurant(market: market, owner: owner))?.card.picture
        if let picture = card.picture, picture != held { try await use(picture, of: owner, at: now, transaction) }
        transaction.send(StoreRestaurant(id: .timeOrdered(), market: market, owner: owner, card: card, now: now))
        return try await find(market, owner, transaction)
    }

    /// - Parameter prices: decides which items can be ordered; without such an item the restaurant cannot open.
    /// - Throws: ``RestaurantRefusal``
    func open(
        _ isOpen: Bool, of owner: UUID, in market: String, _ prices: PriceCurrency, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Restaurant {
        if isOpen, try await !isVerified(owner, in: market, transaction) { throw RestaurantRefusal.notARestaurant }
        var restaurant = try await find(market, owner, transaction)
        if isOpen {
            if let reason = try await transaction.first(FindClosedReason(restaurant: restaurant.id)) ?? nil {
                throw RestaurantRefusal.closedByAdmin(reason: reason)
            }
            let menu = try await transaction.query(ListMenu(restaurant: restaurant.id))
            guard menu.contains(where: { prices.counts($0.currency) }) else { throw RestaurantRefusal.emptyMenu }
        }
        transaction.send(SwitchRestaurant(restaurant: restaurant.id, isOpen: isOpen, now: now))
        restaurant.isOpen = isOpen
        restaurant.changedAt = now
        return restaurant
    }

    /// - Throws: ``RestaurantRefusal``, ``PhotoRefusal/notOwn(field:)``
    func add(
        _ item: MenuItem, of owner: UUID, in market: String, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let restaurant = try await find(market, owner, transaction)
        let added = try await transaction.execute(InsertMenuItem(item: item, restaurant: restaurant.id))
        guard added == 1 else { throw RestaurantRefusal.tooManyItems }
        if let picture = item.picture { try await use(picture, of: owner, at: now, transaction) }
    }

    /// Accepts a picture of the owner or the one that the item already has.
    ///
    /// - Throws: ``RestaurantRefusal``, ``PhotoRefusal/notOwn(field:)``
    func change(
        _ item: MenuItem, of owner: UUID, in market: String, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let restaurant = try await find(market, owner, transaction)
        guard let held = try await transaction.first(FindPicture(item: item.id, restaurant: restaurant.id)) else {
            throw RestaurantRefusal.notFound
        }
        transaction.send(UpdateMenuItem(item: item, restaurant: restaurant.id))
        if let picture = item.picture, picture != held {
            try await use(picture, of: owner, at: now, transaction)
        }
    }

    /// Removes an item; removing the last one that can be ordered closes the restaurant.
    ///
    /// - Parameter prices: decides which items can be ordered.
    /// - Throws: ``RestaurantRefusal``
    func remove(
        _ item: UUID, of owner: UUID, in market: String, _ prices: PriceCurrency, in transaction: PostgresTransaction
    ) async throws {
        let restaurant = try await find(market, owner, transaction)
        let removed = try await transaction.execute(DeleteMenuItem(item: item, restaurant: restaurant.id))
        guard removed == 1 else { throw RestaurantRefusal.notFound }
        transaction.send(CloseWithoutItems(restaurant: restaurant.id, currency: prices))
    }

    private func use(
        _ picture: UUID, of owner: UUID, at now: Date, _ transaction: PostgresTransaction
    ) async throws {
        try await usePhoto(picture, of: owner, as: "picture", at: now, in: transaction)
    }

    /// - Throws: ``RestaurantRefusal/notARestaurant`` for an account without the role.
    private func isVerified(
        _ owner: UUID, in market: String, _ transaction: PostgresTransaction
    ) async throws -> Bool {
        guard let isVerified = try await transaction.first(LockRestaurantRole(market: market, owner: owner)) else {
            throw RestaurantRefusal.notARestaurant
        }
        return isVerified
    }

    private func find(_ market: String, _ owner: UUID, _ transaction: PostgresTransaction) async throws -> Restaurant {
        guard let restaurant = try await transaction.first(LockOwnRestaurant(market: market, owner: owner)) else {
            throw RestaurantRefusal.notFound
        }
        return restaurant
    }
}
