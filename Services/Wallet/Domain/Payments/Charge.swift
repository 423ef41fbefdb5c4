import Foundation

/// One payment intent at the payment provider, and what is wanted of it. A payment by card has one for each attempt, a
/// top-up has one. All its requests carry keys made of its id, so that asking twice does nothing twice.
struct Charge: Hashable, Sendable {
    enum Purpose: String, Sendable, CaseIterable {
        case payment, topUp, subscription

        /// Whether its money is taken at once, with no order to wait for.
        var takesAtOnce: Bool { self != .payment }
    }

    /// What is known.
    enum State: String, Sendable, CaseIterable {
        /// Perhaps asked, with no answer yet.
        case asked
        case authorised
        case captured
        case cancelled
        /// Captured and given back.
        case refunded
        case declined
        /// Never answered, and too old to be asked again under the same key.
        case lapsed
    }

    /// What is wanted.
    enum Goal: String, Sendable, CaseIterable { case authorise, capture, cancel }

    /// What to ask of the payment provider next.
    enum Request: String, Sendable {
        /// Creates and confirms it, the money to be held.
        case authorise
        /// Creates and confirms it, the money to be taken at once.
        case take
        case capture
        case cancel
        /// Gives back what was captured.
        case refund
    }

    enum Outcome: Hashable, Sendable {
        case authorised, captured, cancelled, refunded
        case declined(reason: String)
    }

    /// How long the same key means the same charge; payment providers forget keys after a day.
    static let keyLifetimeSeconds = 23.0 * 3600
    /// How much of an authorisation's life is used. The rest is for a payment provider that is away when it is to be
    /// captured.
    static let usedLifetime = 6.0 / 7

    let id: UUID
    let purpose: Purpose
    /// The payment, the top-up or the subscription's period.
    let subject: UUID
    /// Minor units.
    let amount: Int
    let currency: String
    /// The stored card at the payment provider.
    let card: String
    /// What the payment provider gave for the CVV; once used it is worth nothing.
    let cvvReference: String?
    let madeAt: Date
    /// When its authorisation is captured, whatever the order does; nil where it is never left waiting.
    let captureAt: Date?

    private(set) var state: State
    private(set) var goal: Goal
    /// The payment provider's id of it.
    private(set) var reference: String?
    private(set) var reason: String?
    /// How often the payment provider was, or may have been, asked for the current step.
    private(set) var tries: Int

    init(
        id: UUID, purpose: Purpose, subject: UUID, amount: Int, currency: String, card: String, cvvReference: String?,
        madeAt: Date, captureAt: Date? = nil, state: State = .asked, goal: Goal? = nil, reference: String? = nil,
        reason: String? = nil,
        tries: Int = 0
    ) {
        self.id = id
        self.purpose = purpose
        self.subject = subject
        self.amount = amount
        self.currency = currency
        self.card = card
        self.cvvReference = cvvReference
        self.madeAt = madeAt
        self.captureAt = captureAt
        self.state = state
        self.goal = goal ?? (purpose.takesAtOnce ? .capture : .authorise)
        self.reference = reference
        self.reason = reason
        self.tries = tries
    }

    /// Nil when the goal is reached, or cannot be any more.
    var nextRequest: Request? {
        switch (state, goal) {
        // Also when it is to be cancelled: only the answer says what there is to cancel.
        case (.asked, _): purpose.takesAtOnce ? .take : .authorise
        case (.authorised, .capture): .capture
        case (.authorised, .cancel): .cancel
        // Too late to cancel it.
        case (.captured, .cancel): .refund
        case (.authorised, .authorise), (.captured, _), (.cancelled, _), (.refunded, _), (.declined, _), (.lapsed, _):
            nil
        }
    }

    /// Authorised and left so, until the order's end or ``captureAt``.
    var isWaiting: Bool { state == .authorised && goal == .authorise }

    /// - Parameter lifetimeSeconds: how long the payment provider keeps an authorisation.
    /// - Returns: when to capture one that may have been given as soon as its charge was made.
    static func captureAt(madeAt: Date, lifetimeSeconds: Double) -> Date {
        madeAt.addingTimeInterval(lifetimeSeconds * usedLifetime)
    }

    /// Changes what is wanted. One that was never asked for is cancelled at once.
    mutating func want(_ newGoal: Goal) {
        guard goal != newGoal else { return }
        goal = newGoal
        if newGoal == .cancel, state == .asked, tries == 0 { state = .cancelled }
        tries = state == .asked ? tries : 0
    }

    /// Notes what the payment provider says. Late and repeated answers change nothing.
    ///
    /// - Returns: whether anything is new.
    mutating func note(_ outcome: Outcome, reference newReference: String?) -> Bool {
        let isOpen = state == .asked || state == .lapsed
        switch outcome {
        case .authorised where isOpen: state = .authorised
        case .captured where isOpen || state == .authorised: state = .captured
        case .cancelled where isOpen || state == .authorised: state = .cancelled
        // A top-up's refund is not followed: its money may be spent.
        case .refunded where purpose == .payment && (isOpen || state == .authorised || state == .captured):
            state = .refunded
        case .declined(let why) where isOpen:
            state = .declined
            reason = why
        default: return false
        }
        reference = newReference ?? reference
        tries = 0
        return true
    }

    /// Gives up asking when the key may have been forgotten. If a late answer tells that an order's payment happened
    /// after all, it is undone: the customer has been told otherwise.
    ///
    /// - Returns: whether it did.
    mutating func lapse(at now: Date) -> Bool {
        guard state == .asked, now.timeIntervalSince(madeAt) > Self.keyLifetimeSeconds else { return false }
        state = .lapsed
        reason = "provider-down"
        if purpose == .payment { goal = .cancel }
        return true
    }

    /// How long to wait before the same is asked again: one second, doubled with each try, at most a minute, or five
    /// when nobody waits for it.
    var pauseSeconds: Double { min(doubled, goal == .cancel ? 300 : 60) }

    /// The same after an answer that was clear and of no use: at most an hour. To ask sooner seldom helps; somebody has
    /// to look at it.
    var longPauseSeconds: Double { min(doubled, 3_600) }

    private var doubled: Double { Double(1 << min(max(tries - 1, 0), 12)) }
}
