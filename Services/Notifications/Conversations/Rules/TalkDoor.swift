import Foundation

/// Whether two parties of an order may write to each other now.
struct TalkDoor: Sendable, Equatable {
    let isOpen: Bool
    /// When it closes, where that is known; in the past for one that is closed.
    let closesAt: Date?

    static let open = TalkDoor(isOpen: true, closesAt: nil)
    static let closed = TalkDoor(isOpen: false, closesAt: nil)

    private init(isOpen: Bool, closesAt: Date?) {
        self.isOpen = isOpen
        self.closesAt = closesAt
    }

    /// - Parameters:
    ///   - state: of the order.
    ///   - endedAt: when the order ended, or was reported; nil while it runs.
    ///   - states: those in which the two may write.
    ///   - afterSeconds: how long they may go on after the end; nil where they may not.
    ///   - hasSameParties: whether the two still are the order's parties.
    init(
        state: String, endedAt: Date?, states: Set<String>, afterSeconds: Int?, hasSameParties: Bool, at now: Date
    ) {
        guard hasSameParties else {
            self = .closed
            return
        }
        guard let endedAt else {
            self = states.contains(state) ? .open : .closed
            return
        }
        guard let afterSeconds else {
            self = .closed
            return
        }
        let end = endedAt.addingTimeInterval(Double(afterSeconds))
        self.init(isOpen: now < end, closesAt: end)
    }
}
