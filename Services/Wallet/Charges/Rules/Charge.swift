import Foundation

/// One payment intent at the payment provider, or one refund, with what is known and what is wanted. A payment by card
/// has one charge per attempt, a top-up has one. All requests carry idempotency keys made of the charge's id, so that a
/// repeat has no second effect.
struct Charge: Hashable, Sendable {
    enum Purpose: String, Sendable, CaseIterable {
        case payment, topUp, subscription
        /// Refunds a part of another charge, or all that is left of a top-up.
        case refund

        /// Whether the money is captured at once, without an order to wait for.
        var takesAtOnce: Bool { self == .topUp || self == .subscription }
    }

    /// The charge's last known state at the payment provider.
    enum State: String, Sendable, CaseIterable {
        /// Possibly asked for, without an answer yet.
        case asked
        /// The customer must confirm at ``actionURL``: 3-D Secure, or PayPal.
        case requiresAction
        case authorised
        case captured
        case cancelled
        /// Captured and refunded.
        case refunded
        case declined
        /// Never answered, and too old to be asked for again under the same key.
        case lapsed
    }

    /// The wanted end of the charge.
    enum Goal: String, Sendable, CaseIterable { case authorise, capture, cancel }

    /// The next request to the payment provider.
    enum Request: String, Sendable {
        /// Creates and confirms a payment intent that only authorises.
        case authorise
        /// Creates and confirms a payment intent that captures at once.
        case take
        /// Reads the current status.
        case check
        /// Searches for a charge that was never answered and may not be asked for again.
        case find
        case capture
        case cancel
        /// Refunds the captured amount.
        case refund
        /// Searches for a refund whose key may be forgotten, and refunds only when there is none.
        case findRefund
    }

    enum Outcome: Hashable, Sendable {
        case authorised, captured, cancelled, refunded
        /// A refund failed at the payment provider, at once or after it counted as made. The charge still becomes
        /// ``refunded``; the amount goes to its owner's wallet (``RecordCharge``).
        case refundFailed
        case declined(reason: String)
        case actionRequired(url: String)
        /// The payment provider wants an action of the customer that this service does not support.
        case actionUnknown
    }

    /// How long a key is relied on. Payment providers forget keys after 24 hours; the two hours less allow for requests
    /// in transit and clock differences.
    static let keyLifetimeSeconds = 22.0 * 3600
    /// The number of fruitless searches after which a charge counts as never made, and the seconds between them: the
    /// payment provider's search lags behind its data.
    static let missesToLapse = 3
    static let missSeconds = 1_800.0
    /// The number of faults under one key after which the key is not used again: the payment provider stores such an
    /// answer and repeats it as long as it knows the key.
    static let faultsOfKey = 10
    /// The part of an authorisation's life after which it is captured early. The rest is a reserve in case the payment
    /// provider is down then.
    static let usedLifetime = 6.0 / 7
    /// How long a top-up or subscription waits for its owner's confirmation. A payment waits until its order's
    /// deadline.
    static let actionLifetimeSeconds = 1_800.0

    let id: UUID
    let purpose: Purpose
    /// The id of the payment, top-up (also for its return), subscription period or refund.
    let subject: UUID
    /// Minor units.
    let amount: Int
    let currency: String
    /// The payment provider's id of the stored card or phone wallet token; nil for PayPal.
    let card: String?
    /// The payment provider's reference for the CVV; worthless after its use.
    let cvvReference: String?
    let method: PaymentMethod
    /// The payment provider's customer that owns the card.
    let customer: String?
    /// When the owner consented to be charged in his or her absence; nil when the owner is present.
    let consentedAt: Date?
    let madeAt: Date
    /// When a waiting authorisation is captured early; nil for charges that never wait.
    let captureAt: Date?

    private(set) var state: State
    private(set) var goal: Goal
    /// The payment provider's id of the payment intent or refund.
    private(set) var reference: String?
    private(set) var reason: String?
    /// Where the customer must confirm. A secret of the customer: anybody who knows the address could answer.
    private(set) var actionURL: String?
    /// The number of requests that were, or may have been, made for the current step.
    private(set) var tries: Int
    /// The number of fruitless searches, and the time of the last one.
    private(set) var misses: Int
    private(set) var missedAt: Date?
    /// The number of faults that the payment provider answered to the current step's key.
    private(set) var faults: Int
    /// The number in the idempotency key; raised after too many faults. Keys also differ by step.
    private(set) var keyNumber: Int
    /// When the state or goal last changed, as stored.
    let changedAt: Date
    /// The customer's return URL, fixed by the first request: each try must send the same form.
    let returnURL: String?

    init(
        id: UUID, purpose: Purpose, subject: UUID, amount: Int, currency: String, card: String?, cvvReference: String?,
        method: PaymentMethod = .card, customer: String? = nil, consentedAt: Date? = nil, madeAt: Date,
        captureAt: Date? = nil, state: State = .asked, goal: Goal? = nil, reference: String? = nil,
        reason: String? = nil, actionURL: String? = nil, tries: Int = 0, misses: Int = 0, missedAt: Date? = nil,
        changedAt: Date? = nil, returnURL: String? = nil, faults: Int = 0, keyNumber: Int = 0
    ) {
        self.id = id
        self.purpose = purpose
        self.subject = subject
        self.amount = amount
        self.currency = currency
        self.card = card
        self.cvvReference = cvvReference
        self.method = method
        self.customer = customer
        self.consentedAt = consentedAt
        self.madeAt = madeAt
        self.captureAt = captureAt
        self.state = state
        self.goal = goal ?? (purpose.takesAtOnce ? .capture : .authorise)
        self.reference = reference
        self.reason = reason
        self.actionURL = actionURL
        self.tries = tries
        self.misses = misses
        self.missedAt = missedAt
        self.changedAt = changedAt ?? madeAt
        self.returnURL = returnURL
        self.faults = faults
        self.keyNumber = keyNumber
    }

    init(
        id: UUID, purpose: Purpose, subject: UUID, amount: Int, currency: String, with instrument: Instrument,
        madeAt: Date, captureAt: Date? = nil
    ) {
        self.init(
            id: id, purpose: purpose, subject: subject, amount: amount, currency: currency, card: instrument.reference,
            cvvReference: instrument.cvvReference, method: instrument.method, customer: instrument.customer,
            consentedAt: instrument.consentedAt, madeAt: madeAt, captureAt: captureAt)
    }

    /// The next request; nil when the goal is reached or out of reach.
    var nextRequest: Request? {
        switch (state, goal) {
        // Another request would create an unwanted charge, so only an existing one is searched for and cancelled.
        case (.asked, .cancel): .find
        case (.asked, _): purpose.takesAtOnce ? .take : .authorise
        case (.requiresAction, .cancel): .cancel
        case (.requiresAction, _): .check
        case (.authorised, .capture): .capture
        case (.authorised, .cancel): .cancel
        // Too late to cancel.
        case (.captured, .cancel): .refund
        case (.authorised, .authorise), (.captured, _), (.cancelled, _), (.refunded, _), (.declined, _), (.lapsed, _):
            nil
        }
    }

    /// The request to make now. A charge whose key is too old, or has faults stored under it, is searched for before it
    /// is asked for again.
    ///
    /// So are refunds: a part could be refunded twice; and so could a whole charge after a first refund failed and its
    /// amount went to the owner's wallet.
    func nextRequest(at now: Date) -> Request? {
        let isOld = now.timeIntervalSince(madeAt) > Self.keyLifetimeSeconds
        if state == .asked { return isOld || faults >= Self.faultsOfKey ? .find : nextRequest }
        return nextRequest == .refund && (isOld || keyNumber > 0) ? .findRefund : nextRequest
    }

    /// The idempotency key, under which the payment provider performs the request at most once.
    func key(of request: Request) -> String {
        "\(request.rawValue)-\(id.uuidString.lowercased())" + (keyNumber == 0 ? "" : "-\(keyNumber)")
    }

    /// Counts a fault of the payment provider, after which the request may or may not have been performed. After
    /// ``faultsOfKey`` faults another key is used: captures and cancellations cannot happen twice. A new charge or a
    /// refund could, so it is searched for first, from half an hour later on.
    ///
    /// - Parameter asked: the charge as it was when it was asked for.
    /// - Returns: seconds to wait; nil when the charge changed meanwhile.
    mutating func fault(after asked: Charge, at now: Date) -> Double? {
        guard state == asked.state, goal == asked.goal, keyNumber == asked.keyNumber, faults < Self.faultsOfKey
        else { return nil }
        faults += 1
        guard faults == Self.faultsOfKey else { return pauseSeconds }
        if state == .asked {
            missedAt = now
            return Self.missSeconds
        }
        keyNumber += 1
        faults = 0
        return nextRequest(at: now) == .findRefund ? Self.missSeconds : pauseSeconds
    }

    /// Whether a top-up or subscription has waited too long for its owner's confirmation.
    func isAbandoned(at now: Date) -> Bool {
        purpose.takesAtOnce && state == .requiresAction && goal != .cancel
            && now.timeIntervalSince(changedAt) > Self.actionLifetimeSeconds
    }

    /// The reason of a charge that is given up because the payment provider does not answer.
    static let providerDown = "provider-down"

    /// Whether the customer waits for the answer and may try something else. A top-up has no alternative.
    var mayBeGivenUp: Bool { state == .asked && (goal == .authorise || (purpose == .subscription && goal == .capture)) }

    /// Gives up the charge of a subscription period that was tried for too long; what may have happened is undone.
    mutating func giveUp() {
        guard purpose == .subscription, mayBeGivenUp else { return }
        want(.cancel)
        reason = Self.providerDown
    }

    /// Whether the owner was told that the charge failed, and may have paid otherwise.
    private var isGivenUp: Bool { purpose == .subscription && goal == .cancel && reason == Self.providerDown }

    /// Whether the customer's confirmation is missing.
    var awaitsConfirmation: Bool { state == .requiresAction }

    /// Whether the charge is authorised and waits for the order's end or ``captureAt``.
    var isWaiting: Bool { state == .authorised && goal == .authorise }

    /// - Parameter lifetimeSeconds: how long the payment provider keeps an authorisation.
    /// - Returns: when to capture early, counted from the charge's making, since the authorisation cannot be older.
    static func captureAt(madeAt: Date, lifetimeSeconds: Double) -> Date {
        madeAt.addingTimeInterval(lifetimeSeconds * usedLifetime)
    }

    /// Changes the goal. A charge that was never asked for is cancelled at once.
    mutating func want(_ newGoal: Goal) {
        guard goal != newGoal else { return }
        goal = newGoal
        if newGoal == .cancel, state == .asked, tries == 0 { state = .cancelled }
        if newGoal == .cancel, state == .requiresAction { reason = "abandoned" }
        if state != .asked { (tries, faults) = (0, 0) }
    }

    /// Applies an answer of the payment provider. Late and repeated answers change nothing.
    ///
    /// - Returns: whether the charge changed.
    mutating func note(_ outcome: Outcome, reference newReference: String?) -> Bool {
        let isOpen = [.asked, .lapsed, .requiresAction].contains(state)
        switch outcome {
        case .actionRequired(let url) where state == .asked:
            state = .requiresAction
            actionURL = url
        // The charge cannot continue and must not stay open at the payment provider.
        case .actionUnknown where state == .asked || (state == .requiresAction && goal != .cancel):
            state = .requiresAction
            actionURL = nil
            goal = .cancel
            reason = "authentication-failed"
        case .authorised where isOpen: state = .authorised
        case .captured where isOpen || state == .authorised: state = .captured
        case .cancelled where isOpen || state == .authorised: state = .cancelled
        case .refunded where !purpose.takesAtOnce && (isOpen || state == .authorised || state == .captured):
            state = .refunded
        // Refunded before its capture was heard of, so nothing was credited. A later refund is not followed here: the
        // money or subscription time may be spent.
        case .refunded
        where purpose.takesAtOnce && (isOpen || state == .declined || (state == .captured && goal == .cancel)):
            state = .refunded
            reason = "given-back"
        case .declined(let why) where isOpen:
            state = .declined
            reason = why
        // The customer tried again on the payment provider's page after being told of the failure, so the money is
        // refunded.
        case .authorised where state == .declined, .captured where state == .declined:
            state = outcome == .authorised ? .authorised : .captured
            goal = .cancel
        default: return false
        }
        if state != .requiresAction { actionURL = nil }
        // A top-up's or subscription's captured money counts whatever was wanted, unless the owner was told to pay
        // otherwise.
        if purpose.takesAtOnce, state == .captured, !isGivenUp { goal = .capture }
        reference = newReference ?? reference
        (tries, faults) = (0, 0)
        return true
    }

    /// Records that the payment provider does not know the charge and was not asked to make it. After ``missesToLapse``
    /// times the charge counts as not made. If an order's payment or a subscription turns out to have happened after
    /// all, it is undone, since its owner was told otherwise.
    ///
    /// - Returns: whether the charge is given up.
    mutating func miss(at now: Date) -> Bool {
        guard state == .asked, nextRequest(at: now) == .find else { return false }
        if let missedAt, now.timeIntervalSince(missedAt) < Self.missSeconds { return false }
        misses += 1
        missedAt = now
        guard misses >= Self.missesToLapse else { return false }
        state = .lapsed
        reason = Self.providerDown
        if purpose == .payment || purpose == .subscription { goal = .cancel }
        return true
    }

    /// Seconds before the same request is repeated: one, doubled with each try, at most a minute, or five minutes for a
    /// cancellation, for which nobody waits.
    var pauseSeconds: Double { min(doubled, goal == .cancel ? 300 : 60) }

    /// Seconds before the payment provider is asked whether the customer has confirmed. Usually its webhook comes
    /// first.
    var checkPauseSeconds: Double { min(doubled * 5, 60) }

    /// Seconds until the charge is looked at after a change. Fruitless searches are spaced ever further apart.
    var firstPauseSeconds: Double {
        switch state {
        case .asked: min(doubled, Self.missSeconds)
        default: nextRequest == .check ? 5 : 0
        }
    }

    /// Seconds to wait after a clear but unusable answer: doubled with each try, at most an hour, since an operator
    /// usually has to act.
    var longPauseSeconds: Double { min(doubled, 3_600) }

    private var doubled: Double { Double(1 << min(max(tries - 1, 0), 12)) }
}
