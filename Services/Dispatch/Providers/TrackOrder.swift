import Contracts
import Foundation
import LiveMarkets
import Matching
import Postgres
import ServiceKit

/// Where the provider of an order is, and how far it still is: to the two parties of the order, and as to its customer to the
/// relatives who may see it (O6).
struct TrackOrder: Sendable {
    struct Answer: Sendable {
        let last: Fix?
        let left: TravelEstimate?
        /// The customer's place; to the provider.
        let destination: GeoPoint?
    }

    /// While the customer waits for an answer, the chosen provider is seen on the map, roughly.
    static let waiting: Set<OrderSnapshot.State> = [.requested]
    static let running: Set<OrderSnapshot.State> = [.accepted, .enRoute, .arrived, .inProgress]

    let pool: PostgresPool
    let markets: LiveMarkets
    let travelTimes: any TravelTimes

    /// - Throws: 404 ``Problem`` for everybody but these, 409 when there is no way to follow.
    func callAsFunction(_ id: UUID, for caller: UUID) async throws -> Answer {
        guard let order = try await pool.first(FindTrackedOrder(order: id)), try await mayFollow(order, caller) else {
            throw Problem.notFound
        }
        guard let state = OrderSnapshot.State(rawValue: order.state),
            // Who does several things, or something in some days, is followed by nobody.
            Workflow.claiming.contains(order.kind),
            Self.waiting.contains(state) || Self.running.contains(state)
                // Who is asked by the platform sees how far it would be, and is seen by nobody.
                || state == .offered && order.provider == caller,
            // Who has carried a customer there goes on without being followed.
            state != .inProgress || !order.isConfirmed
        else { throw Problem.notTracked(state: order.state) }
        let isRunning = Self.running.contains(state)
        if order.provider == caller {
            // Whom a customer asks by name is told where the door is once he or she has said yes.
            let goal = state == .requested ? order.destination.roughly : order.destination
            return Answer(
                last: order.last, left: try await left(from: order.last?.place, to: goal, order), destination: goal)
        }
        let shown = order.last.map { isRunning ? $0 : $0.coarse }
        return Answer(
            last: shown, left: try await left(from: shown?.place, to: order.destination, order), destination: nil)
    }

    private func mayFollow(_ order: TrackedOrder, _ caller: UUID) async throws -> Bool {
        if order.customer == caller || order.provider == caller { return true }
        let seen = ListSeenMarkets(account: caller, relative: order.customer, market: order.market)
        return try await pool.first(seen) != nil
    }

    private func left(
        from place: GeoPoint?, to goal: GeoPoint, _ order: TrackedOrder
    ) async throws -> TravelEstimate? {
        guard let place, let settings = markets.settings(of: order.market) else { return nil }
        return try await travelTimes.estimates(
            from: [place], to: goal, metresPerMinute: settings.speedMetresPerMinute
        ).first
    }
}

extension GeoPoint {
    /// See ``Order/Place/roughly``.
    fileprivate var roughly: GeoPoint {
        let place = Order.Place(latitude: latitude, longitude: longitude, description: nil).roughly
        return GeoPoint(latitude: place.latitude, longitude: place.longitude)
    }
}
