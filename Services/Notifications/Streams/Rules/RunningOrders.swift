import Foundation

/// Whether somebody has an order under way, by what his or her stream was told last.
enum RunningOrders {
    /// What an order event says, in part.
    struct Told: Sendable, Equatable {
        let order: UUID
        let version: Int
        let state: String
        /// Whose it was when it was told: an order that was lost is told for the last time without its provider.
        let isParty: Bool
    }

    /// As dispatch writes them. Somebody waits for the next step.
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
