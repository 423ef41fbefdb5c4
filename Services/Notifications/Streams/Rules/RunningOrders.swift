import Foundation

/// Decides from the latest events of a stream whether its account has a running order.
enum RunningOrders {
    /// The relevant part of an order event.
    struct Told: Sendable, Equatable {
        let order: UUID
        let version: Int
        let state: String
        /// Whether the account was a party then: the last event about a lost order is without its provider.
        let isParty: Bool
    }

    /// The states of a running order, as dispatch writes them.
    static let running: Set = [
        "requested", "offered", "accepted", "preparing", "enRoute", "arrived", "inProgress",
    ]

    /// - Parameter events: in any order.
    static func areAmong(_ events: [Told]) -> Bool {
        var newest: [UUID: Told] = [:]
        for event in events where event.version >= (newest[event.order]?.version ?? 0) { newest[event.order] = event }
        return newest.values.contains { $0.isParty && running.contains($0.state) }
    }
}
