import Contracts
import Foundation
import Matching
import Postgres

/// One party is there, has waited as long as the market asks, and the other is not. The order ends; where the workflow says so,
/// a customer who was not there pays for the way, or for what was brought.
///
/// A provider's word costs the customer money, so the provider's phone has to have said where it is, a moment ago and at the
/// order's place. A customer's word costs nobody anything.
struct MissCustomer: Sendable {
    /// How far from the place one is still there; metres. It has room for a car park, and for what phones get wrong among
    /// houses; a market's `nearbyMetres` are for who is still on the way.
    static let reachMetres = 200.0

    /// Nobody knows that the provider is where the customer is missed.
    struct NotThere: Error, Equatable {
        /// From how far away one may say so; metres.
        let reach: Int
        /// How old the word of one's phone may be; seconds.
        let freshness: Int
    }

    let change: ChangeOrder
    /// How old a provider's place may be; seconds.
    let freshness: TimeInterval

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``NotThere``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(of: order, by: account, at: now, in: transaction) { order, actor in
            if actor == .customer { return .missProvider }
            let (workflow, settings) = try change.terms(of: order)
            // Asked of the workflow first: who may not say so, or not yet, is told that, wherever he or she is.
            _ = try order.applying(
                .missCustomer(fine: .none), by: actor, at: now, windows: settings.orderWindows, in: workflow)
            try await require(account, at: order.meetingPlace, now, in: transaction)
            guard workflow.fines(.missCustomer, by: actor, in: order.state) else { return .missCustomer(fine: .none) }
            let metres = try await transaction.first(ReadOdometer(order: order.id)) ?? 0
            return .missCustomer(
                fine: WayFine(metres: metres, rates: settings.lateRates(of: order), price: order.total))
        }
    }

    private func require(
        _ provider: UUID, at place: Order.Place, _ now: Date, in transaction: PostgresTransaction
    ) async throws {
        let last = try await transaction.first(FindLastPosition(provider: provider))
        let goal = GeoPoint(latitude: place.latitude, longitude: place.longitude)
        guard let last, now.timeIntervalSince(last.at) <= freshness, last.place.metres(to: goal) <= Self.reachMetres
        else {
            throw NotThere(reach: Int(Self.reachMetres), freshness: Int(freshness))
        }
    }
}

extension Order {
    /// Where its provider and its customer meet: where it begins, or where it goes once that is under way.
    var meetingPlace: Place { state == .inProgress ? destination ?? place : place }
}
