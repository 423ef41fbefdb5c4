import Foundation
import Synchronization

/// What the phones did and were told, beside what their streams said.
final class Observations: Sendable {
    struct Order: Sendable {
        let customer: UUID
        /// Nil where the platform or the desk finds one.
        let provider: UUID?
        /// When the customer, or the desk, sent that after which a provider is asked.
        var sentAt: ContinuousClock.Instant
        /// Whether that has been sent: who takes a parcel from a board is asked by nobody.
        var isAsked = true
    }

    struct State: Sendable {
        var orders: [UUID: Order] = [:]
        /// When the provider's phone sent the acceptance that was taken, by the order.
        var acceptances: [UUID: ContinuousClock.Instant] = [:]
        /// When the customer first tried to pay, by the order: by the last card where one was refused before. What the wallet
        /// did not know of yet was sent again.
        var payments: [UUID: ContinuousClock.Instant] = [:]
        /// Orders that no provider could be found for in time.
        var notPlaced = 0
        /// Orders whose customers have seen their end.
        var ended = 0
        /// What the desk did to an order, in the words of the audit log.
        var deskActs: [UUID: [String]] = [:]
        /// Friends who began to show where they are, and how often the other saw the end of it.
        var shares = 0
        var sharesEnded = 0
        /// A repeated request that was answered otherwise than the first.
        var mismatchedRepeats = 0
        /// What went otherwise than a phone expects; the first few.
        var surprises: [String] = []
        var surpriseCount = 0
    }

    private static let surpriseLimit = 30
    private let state = Mutex(State())

    var now: State { state.withLock { $0 } }

    func update(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func surprise(_ what: String) {
        state.withLock { state in
            state.surpriseCount += 1
            if state.surprises.count < Self.surpriseLimit { state.surprises.append(what) }
        }
    }
}
