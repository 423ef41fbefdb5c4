import TestKit

@testable import SeraiDispatch

extension [OrderTrigger] {
    /// One of them for a random walk. Those that lead on come first, and oftener; what ends an order is seldom, so that walks get
    /// everywhere.
    func step(onward: Int, _ generator: inout SeededGenerator) -> OrderTrigger {
        let picked = Bool.random(using: &generator) ? nil : randomElement(using: &generator)
        guard let picked, !picked.isEnding || Int.random(in: 0..<4, using: &generator) == 0 else {
            return prefix(onward).randomElement(using: &generator) ?? .start
        }
        return picked
    }
}

extension OrderTrigger {
    fileprivate var isEnding: Bool {
        switch self {
        case .cancel, .report, .windowOver, .paymentReleased, .customerBanned, .providerBanned, .merchantBanned: true
        default: false
        }
    }
}
