import Contracts
import Foundation
import Matching
import Postgres

/// Whether a provider is where he or she speaks of: by the phone, or because the customer says that the two have met.
struct Presence: Sendable {
    /// Nobody knows that the provider is there.
    struct NotThere: Error, Equatable {
        /// From how far away one may say so; metres.
        let reach: Int
        /// How old the phone's last word may be; seconds.
        let freshness: Int
    }

    /// How old the last position may be; seconds.
    let freshness: TimeInterval

    /// Where the two meet, by the phone alone. The phone has to have said so twice: a single place may be a mistake, or invented.
    ///
    /// - Throws: ``NotThere``; ``OrderRefusal/tooEarly(until:)`` while there is one place alone.
    func prove(
        _ order: Order, _ settings: MarketSettings, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let whereabouts = try await whereabouts(order, settings, at: now, in: transaction)
        try require(whereabouts, isProof: true, settings, at: now)
    }

    /// For a word that says that the two are together.
    ///
    /// - Throws: ``NotThere``; ``OrderRefusal``
    func require(
        _ trigger: OrderTrigger, _ order: Order, by actor: OrderActor, _ change: ChangeOrder, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard let word = order.presence(for: trigger.kind, by: actor) else { return }
        // Asked of the workflow first: who may not say so is told that, wherever he or she is.
        let (workflow, settings) = try change.terms(of: order)
        _ = try order.applying(trigger, by: actor, at: now, windows: settings.orderWindows, in: workflow)
        if try await hasMet(order, in: transaction) { return }
        let whereabouts = try await whereabouts(order, settings, at: now, in: transaction)
        try require(whereabouts, isProof: word == .proved, settings, at: now)
    }

    /// Whether a ride's driver is at its destination.
    ///
    /// - Throws: ``OrderRefusal/tooEarly(until:)`` while one place alone says so.
    func isAtEnd(
        _ order: Order, _ settings: MarketSettings, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Bool {
        if try await hasMet(order, in: transaction) { return true }
        guard let whereabouts = try await whereabouts(order, settings, at: now, in: transaction) else { return false }
        try require(whereabouts, isProof: true, settings, at: now)
        return true
    }

    /// Nil of who is not there, or has not told for a while.
    private func whereabouts(
        _ order: Order, _ settings: MarketSettings, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Whereabouts? {
        guard let provider = order.provider?.account,
            let whereabouts = try await transaction.first(FindWhereabouts(provider: provider)),
            now.timeIntervalSince(whereabouts.last.at) <= freshness,
            whereabouts.last.place.metres(to: GeoPoint(order.meetingPlace)) <= Double(settings.presenceRadiusMetres)
        else { return nil }
        return whereabouts
    }

    private func require(
        _ whereabouts: Whereabouts?, isProof: Bool, _ settings: MarketSettings, at now: Date
    ) throws {
        guard let whereabouts else {
            throw NotThere(reach: settings.presenceRadiusMetres, freshness: Int(freshness))
        }
        guard isProof, !whereabouts.stay.isProved(by: whereabouts.last.place) else { return }
        let first = whereabouts.stay.since.at
        throw OrderRefusal.tooEarly(
            until: max(first.addingTimeInterval(Stay.leastSeconds), now.addingTimeInterval(1)))
    }

    private func hasMet(_ order: Order, in transaction: PostgresTransaction) async throws -> Bool {
        guard let meeting = try await transaction.first(FindMeeting(order: order.id)) else { return false }
        return order.hasMet(meeting.provider, at: meeting.at)
    }
}
