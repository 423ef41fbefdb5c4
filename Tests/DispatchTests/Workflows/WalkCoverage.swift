import Foundation

@testable import SeraiDispatch

/// What random walks have come to. Walks that never get to a state would agree about nothing in it, so they go on until
/// each was seen: at least ``steps`` steps in all, and at most twenty times as many.
struct WalkCoverage {
    static let steps = ProcessInfo.processInfo.environment["SERAI_WALK_STEPS"].flatMap { Int($0) } ?? 20_000
    /// Of one order.
    static let length = 25

    /// What is worth seeing besides states.
    enum Mark: Hashable {
        case fined, decided
        case state(OrderState)
    }

    private(set) var missing: Set<Mark>
    /// How many have begun.
    private(set) var walks = 0

    init(_ marks: Set<Mark>) {
        missing = marks
    }

    /// Whether one more order is to be walked.
    mutating func begins() -> Bool {
        let least = max(1, Self.steps / Self.length)
        defer { walks += 1 }
        return walks < least || (walks < 20 * least && !missing.isEmpty)
    }

    mutating func saw(_ order: Order) {
        missing.remove(.state(order.state))
        if (order.ending?.fine?.amount ?? 0) > 0 { missing.remove(.fined) }
        if order.ending?.verdict != nil { missing.remove(.decided) }
    }
}
