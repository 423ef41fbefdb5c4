import Foundation

/// One payment intent at the payment provider, and what is wanted of it. A payment by card has one for each attempt, a
/// top-up has one. All its requests carry keys made of its id, so that asking twice does nothing twice.
struct Charge: Hashable, Sendable {
    enum Purpose: String, Sendable, CaseIterable {
        case payment, topUp, subscription
        /// Gives back a part of what another charge has captured, or all that is left of a top-up.
        case refund

        /// Whether its money is taken at once, with no order to wait for.
        var takesAtOnce: Bool { self == .topUp || self == .subscription }
    }

    /// What is known.
    enum State: String, Sendable, CaseIterable {
        /// Perhaps asked, with no answer yet.
        case asked
        /// The customer has to go to ``actionURL`` and say yes: 3-D Secure, or PayPal.
        case requiresAction
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
        /// Reads how it stands; nothing happens by it.
        case check
        /// Looks for one that was never answered and is not to be asked for again.
        case find
        case capture
        case cancel
        /// Gives back what was captured.
        case refund
        /// Looks for a refund whose key may have been forgotten, and gives back only when there is none.
        case findRefund
    }

    enum Outcome: Hashable, Sendable {
        case authorised, captured, cancelled, refunded
        /// Its refund was asked for, or made as far as was known, and came to nothing at the payment provider. To the
        /// charge that is ``refunded``: what was taken goes to its owner's wallet (``RecordCharge``).
        case refundFailed
        case declined(reason: String)
        case actionRequired(url: String)
        /// The customer would have to do something that is not offered here.
        case actionUnknown
    }

    /// How long the same key means the same charge. Payment providers forget keys after a day; a request may be on its
    /// way for a while, and clocks differ.
    static let keyLifetimeSeconds = 22.0 * 3600
    /// How often a charge has to be looked for in vain until it counts as never made, so far apart: what the payment
    /// provider looks through lags behind what it does.
    static let missesToLapse = 3
    static let missSeconds = 1_800.0
    /// After how many faults of its own under one key the payment provider is not asked with it any more: it keeps such an
    /// answer too, and repeats it for as long as it knows the key.
    static let faultsOfKey = 10
    /// How much of an authorisation's life is used. The rest is for a payment provider that is away when it is to be
    /// captured.
    static let usedLifetime = 6.0 / 7
    /// How long a top-up or a subscription waits for its owner's yes. An order's payment waits for the order's own deadline.
    static let actionLifetimeSeconds = 1_800.0

    let id: UUID
    let purpose: Purpose
    /// The payment, the top-up (also of what goes back of it), the subscription's period or the refund.
    let subject: UUID
    /// Minor units.
    let amount: Int
    let currency: String
    /// The stored card, or what a phone's wallet gave, at the payment provider; nil for PayPal.
    let card: String?
    /// What the payment provider gave for the CVV; once used it is worth nothing.
    let cvvReference: String?
    let method: PaymentMethod
    /// The payment provider's customer that the card belongs to.
    let customer: String?
    /// When its owner agreed to be charged without being there; nil when he or she is.
    let consentedAt: Date?
    let madeAt: Date
    /// When its authorisation is captured, whatever the order does; nil where it is never left waiting.
    let captureAt: Date?

    private(set) var state: State
    private(set) var goal: Goal
    /// The payment provider's id of it.
    private(set) var reference: String?
    private(set) var reason: String?
    /// Where the customer has to go. Whoever knows it may answer: it is for the customer alone.
    private(set) var actionURL: String?
    /// How often the payment provider was, or may have been, asked for the current step.
    private(set) var tries: Int
    /// How often it was looked for in vain, and when last.
    private(set) var misses: Int
    private(set) var missedAt: Date?
    /// How often the payment provider has answered the current step's key with a fault of its own.
    private(set) var faults: Int
    /// Of the keys that it is asked for with; those of other steps have other keys anyway.
    private(set) var keyNumber: Int
    /// When its state or goal last changed, as it is stored.
    let changedAt: Date
    /// Where its customer comes back to, since it was first asked for: each try sends the same.
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

    /// Nil when the goal is reached, or cannot be any more.
    var nextRequest: Request? {
        switch (state, goal) {
        // To ask again would make what is not wanted: only what is there already is cancelled.
        case (.asked, .cancel): .find
        case (.asked, _): purpose.takesAtOnce ? .take : .authorise
        case (.requiresAction, .cancel): .cancel
        case (.requiresAction, _): .check
        case (.authorised, .capture): .capture
        case (.authorised, .cancel): .cancel
        // Too late to cancel it.
        case (.captured, .cancel): .refund
        case (.authorised, .authorise), (.captured, _), (.cancelled, _), (.refunded, _), (.declined, _), (.lapsed, _):
            nil
        }
    }

    /// What to ask now: what cannot be asked for again under its key, which is too old or has a fault kept under it, is
    /// looked for first.
    ///
    /// So are refunds. The same part may be given back twice; and so may a whole charge, once a first refund of it has
    /// failed, while what failed comes to its owner's wallet.
    func nextRequest(at now: Date) -> Request? {
        let isOld = now.timeIntervalSince(madeAt) > Self.keyLifetimeSeconds
        if state == .asked { return isOld || faults >= Self.faultsOfKey ? .find : nextRequest }
        return nextRequest == .refund && (isOld || keyNumber > 0) ? .findRefund : nextRequest
    }

    /// Under which the payment provider does what is asked at most once.
    func key(of request: Request) -> String {
        "\(request.rawValue)-\(id.uuidString.lowercased())" + (keyNumber == 0 ? "" : "-\(keyNumber)")
    }

    /// The payment provider has a fault, and may have done what was asked or not. After some of them it is asked with
    /// another key: a charge is captured or cancelled only once. What could happen twice, a charge itself and a refund, is
    /// looked for first, from half an hour later on.
    ///
    /// - Parameter asked: the charge as it was when it was asked for.
    /// - Returns: how long to wait then, in seconds; nil when something else has happened since.
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

    /// Whether nobody says yes any more to this top-up or subscription.
    func isAbandoned(at now: Date) -> Bool {
        purpose.takesAtOnce && state == .requiresAction && goal != .cancel
            && now.timeIntervalSince(changedAt) > Self.actionLifetimeSeconds
    }

    /// Why a charge is given up that the payment provider does not answer.
    static let providerDown = "provider-down"

    /// Whether somebody waits for its answer who may try something else when it does not come. For a top-up nothing else
    /// waits.
    var mayBeGivenUp: Bool { state == .asked && (goal == .authorise || (purpose == .subscription && goal == .capture)) }

    /// A subscription's period was asked for too long: what may have happened is undone.
    mutating func giveUp() {
        guard purpose == .subscription, mayBeGivenUp else { return }
        want(.cancel)
        reason = Self.providerDown
    }

    /// Its owner was told that it did not work, and may have paid otherwise.
    private var isGivenUp: Bool { purpose == .subscription && goal == .cancel && reason == Self.providerDown }

    /// Its owner has not answered yet.
    var isAskedForYes: Bool { state == .requiresAction }

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
        if newGoal == .cancel, state == .requiresAction { reason = "abandoned" }
        if state != .asked { (tries, faults) = (0, 0) }
    }

    /// Notes what the payment provider says. Late and repeated answers change nothing.
    ///
    /// - Returns: whether anything is new.
    mutating func note(_ outcome: Outcome, reference newReference: String?) -> Bool {
        let isOpen = [.asked, .lapsed, .requiresAction].contains(state)
        switch outcome {
        case .actionRequired(let url) where state == .asked:
            state = .requiresAction
            actionURL = url
        // It cannot go on, and must not stay open there.
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
        // Before its capture was heard of: nothing has come of it here. Later it is not followed: its money, or time, may
        // be spent.
        case .refunded
        where purpose.takesAtOnce && (isOpen || state == .declined || (state == .captured && goal == .cancel)):
            state = .refunded
            reason = "given-back"
        case .declined(let why) where isOpen:
            state = .declined
            reason = why
        // Tried again with it by somebody who came back from a page. The customer was told that it did not work.
        case .authorised where state == .declined, .captured where state == .declined:
            state = outcome == .authorised ? .authorised : .captured
            goal = .cancel
        default: return false
        }
        if state != .requiresAction { actionURL = nil }
        // Its money has come: it counts, whatever was wanted, unless something else was paid meanwhile.
        if purpose.takesAtOnce, state == .captured, !isGivenUp { goal = .capture }
        reference = newReference ?? reference
        (tries, faults) = (0, 0)
        return true
    }

    /// The payment provider knows nothing of it, and was not asked to make it again. Said often enough it did not happen.
    /// If a late answer tells that an order's payment, or a subscription's, happened after all, it is undone: its owner has
    /// been told otherwise.
    ///
    /// - Returns: whether it is given up.
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

    /// How long to wait before the same is asked again: one second, doubled with each try, at most a minute, or five
    /// when nobody waits for it.
    var pauseSeconds: Double { min(doubled, goal == .cancel ? 300 : 60) }

    /// How long a customer who was sent somewhere is left alone before the payment provider is asked whether he or she
    /// has answered: its webhook tells sooner.
    var checkPauseSeconds: Double { min(doubled * 5, 60) }

    /// Until it is looked at, after something new of it was noted. What was looked for in vain is looked for ever more
    /// seldom.
    var firstPauseSeconds: Double {
        switch state {
        case .asked: min(doubled, Self.missSeconds)
        default: nextRequest == .check ? 5 : 0
        }
    }

    /// The same after an answer that was clear and of no use: at most an hour. To ask sooner seldom helps; somebody has
    /// to look at it.
    var longPauseSeconds: Double { min(doubled, 3_600) }

    private var doubled: Double { Double(1 << min(max(tries - 1, 0), 12)) }
}
