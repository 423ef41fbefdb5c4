import Contracts
import Foundation
import Matching
import Postgres

/// Checks whether a provider is at the place that a trigger claims: by the phone's position, or by the customer's word
/// that they have met.
struct Presence: Sendable {
    /// Neither the phone nor the customer confirms that the provider is there.
    struct NotAtPlace: Error, Equatable {
        /// Maximum distance in metres.
        let reach: Int
        /// Maximum age of the phone's last position in seconds.
        let freshness: Int
    }

    /// Maximum age of the last position in seconds.
    let freshness: TimeInterval

    /// Requires that the phone proves the presence at the meeting place; the customer's word does not count. The phone
    /// must have reported the place twice, since a single position may be wrong or invented.
    ///
    /// - Throws: ``NotAtPlace``; ``OrderRefusal/tooEarly(until:)`` while only one position shows it.
    func prove(
        _ order: Order, _ settings: MarketSettings, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let whereabouts = try await whereabouts(order, settings, at: now, in: transaction)
        try require(whereabouts, isProof: true, settings, at: now)
    }

    /// Requires presence for a trigger that claims that provider and customer are together. A place that was only taken
    /// on trust, the first of a provider who held the order already, has to be proved in any case.
    ///
    /// - Throws: ``NotAtPlace``; ``OrderRefusal``
    func require(
        _ trigger: OrderTrigger, _ order: Order, by actor: OrderActor, _ change: ChangeOrder, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard let word = order.presence(for: trigger.kind, by: actor) else { return }
        // Asks the workflow first, so that a caller without the right gets that answer wherever the caller is.
        let (workflow, settings) = try change.terms(of: order)
        _ = try order.applying(trigger, by: actor, at: now, windows: settings.orderWindows, in: workflow)
        if try await hasMet(order, in: transaction) { return }
        let whereabouts = try await whereabouts(order, settings, at: now, in: transaction)
        try require(whereabouts, isProof: word == .proved, settings, at: now)
    }

    /// Whether a ride's driver is at its destination.
    ///
    /// - Throws: ``OrderRefusal/tooEarly(until:)`` while only one position shows it.
    func isAtEnd(
        _ order: Order, _ settings: MarketSettings, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Bool {
        if try await hasMet(order, in: transaction) { return true }
        guard let whereabouts = try await whereabouts(order, settings, at: now, in: transaction) else { return false }
        try require(whereabouts, isProof: true, settings, at: now)
        return true
    }

    /// Nil if the provider is elsewhere, or has no fresh position.
    private func whereabouts(
        _ order: Order, _ settings: MarketSettings, at now: Date, in transaction: PostgresTransaction
    ) async throws -> ProviderPositionState? {
        guard let provider = order.provider?.account,
            let whereabouts = try await transaction.first(FindProviderPositionState(provider: provider)),
            now.timeIntervalSince(whereabouts.last.at) <= freshness,
            whereabouts.last.place.metres(to: GeoPoint(order.meetingPlace)) <= Double(settings.presenceRadiusMetres)
        else { return nil }
        return whereabouts
    }

    private func require(
        _ whereabouts: ProviderPositionState?, isProof: Bool, _ settings: MarketSettings, at now: Date
    ) throws {
        guard let whereabouts else {
            throw NotAtPlace(reach: settings.presenceRadiusMetres, freshness: Int(freshness))
        }
        guard isProof || !whereabouts.isSettled, !whereabouts.stay.isProved(by: whereabouts.last.place) else { return }
        let first = whereabouts.stay.since.at
        throw OrderRefusal.tooEarly(
            until: max(first.addingTimeInterval(Stay.leastSeconds), now.addingTimeInterval(1)))
    }

    private func hasMet(_ order: Order, in transaction: PostgresTransaction) async throws -> Bool {
        guard let meeting = try await transaction.first(FindMeeting(order: order.id)) else { return false }
        return order.hasMet(meeting.provider, at: meeting.at)
    }
}
