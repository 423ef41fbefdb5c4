import Contracts
import Foundation
import LiveMarkets
import Matching
import Postgres
import ServiceKit

/// Finds the position of an order's provider and the remaining way. Readers are the order's parties and, with the
/// customer's view, the relatives who may see it (O6).
struct TrackOrder: Sendable {
    struct Answer: Sendable {
        let last: Fix?
        let left: TravelEstimate?
        /// The customer's place; for the provider only.
        let destination: GeoPoint?
    }

    /// While the customer waits for an answer, he or she sees the chosen provider's coarse position.
    static let waiting: Set<OrderSnapshot.State> = [.requested]
    static let running: Set<OrderSnapshot.State> = [.accepted, .enRoute, .arrived, .inProgress]

    /// Whether the provider of a running order may be followed: one who does one order at a time, or a carrier who agrees
    /// to it, until he or she has confirmed the end.
    static func isFollowed(kind: String, state: String, isConfirmed: Bool, sharedSince: Date?) -> Bool {
        guard let state = OrderSnapshot.State(rawValue: state), running.contains(state) else { return false }
        return (Workflow.claiming.contains(kind) || sharedSince != nil) && (state != .inProgress || !isConfirmed)
    }

    let pool: PostgresPool
    let markets: LiveMarkets
    let travelTimes: any TravelTimes

    /// - Throws: 404 ``Problem`` for all other accounts, 409 if there is nothing to follow.
    func callAsFunction(_ id: UUID, for caller: UUID) async throws -> Answer {
        guard let order = try await pool.first(FindTrackedOrder(order: id)), try await mayFollow(order, caller) else {
            throw Problem.notFound
        }
        guard let state = OrderSnapshot.State(rawValue: order.state),
            // A provider who does several orders at once, or an order of a later day, is not followed, unless a carrier
            // agrees to it.
            Workflow.claiming.contains(order.kind) || order.sharedSince != nil,
            Self.waiting.contains(state) || Self.running.contains(state)
                // During an offer only the provider sees the way; nobody else sees the provider.
                || state == .offered && order.provider == caller,
            // After the provider has confirmed the end, he or she is no longer followed.
            state != .inProgress || !order.isConfirmed
        else { throw Problem.notTracked(state: order.state) }
        let isRunning = Self.running.contains(state)
        if order.provider == caller {
            // A provider whom a customer asks by name sees the exact place only after accepting.
            let goal = state == .requested ? order.destination.roughly : order.destination
            return Answer(
                last: order.last, left: try await left(from: order.last?.place, to: goal, order), destination: goal)
        }
        // Where a carrier was before agreeing is not shown.
        let last = order.last.flatMap { $0.at >= order.sharedSince ?? .distantPast ? $0 : nil }
        let shown = last.map { isRunning ? $0 : $0.coarse }
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
    /// The coarse place; see ``Order/Place/roughly``.
    fileprivate var roughly: GeoPoint {
        let place = Order.Place(latitude: latitude, longitude: longitude, description: nil).roughly
        return GeoPoint(latitude: place.latitude, longitude: place.longitude)
    }
}
