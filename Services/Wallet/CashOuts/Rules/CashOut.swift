import Foundation

/// Money that a person takes out of the wallet. It is held from the request on; an admin decides, then the payment
/// provider pays.
struct CashOut: Hashable, Sendable {
    enum State: String, Sendable, CaseIterable {
        /// Waits for an admin's decision.
        case waiting
        /// Accepted: the payment provider is asked or is paying.
        case paying
        case paid
        /// The payment provider could not pay. The money is back in the wallet.
        case failed
        /// Rejected by an admin. The money is back in the wallet.
        case rejected
    }

    enum Trigger: String, Sendable, CaseIterable {
        case accept, reject, paid, failed
        /// The money must not leave any more, and has certainly not left.
        case stop
    }

    /// The ledger's transfer.
    enum Effect: String, Sendable {
        case none, sendOff, giveBack
        /// The bank sent a paid cash-out back.
        case bringBack
    }

    /// The table of a cash-out's life. A trigger without a rule has no effect.
    static let rules: [(from: State, trigger: Trigger, to: State, effect: Effect)] = [
        (.waiting, .accept, .paying, .none),
        (.waiting, .reject, .rejected, .giveBack),
        (.paying, .paid, .paid, .sendOff),
        (.paying, .failed, .failed, .giveBack),
        (.paid, .failed, .failed, .bringBack),
        (.waiting, .stop, .failed, .giveBack),
        (.paying, .stop, .failed, .giveBack),
    ]

    /// The cash-out was decided before.
    struct Decided: Error, Hashable { let state: State }

    /// Why a cash-out cannot be accepted, nor an accepted one paid, though it could be requested.
    enum Obstacle: String, Error, Hashable, CaseIterable {
        /// Money of the account's card was taken back.
        case frozen = "wallet-frozen"
        /// A fine is unpaid.
        case blocked = "account-blocked"
        /// The wallet is below zero; a rejection pays the debt from the returned amount.
        case owing = "wallet-owes"

        /// The reason of a cash-out that is stopped, as its owner sees it.
        var reason: String { rawValue }
    }

    /// The reason of a waiting cash-out that is stopped because its money is needed for a dispute.
    static let disputedReason = "charge-disputed"

    /// The next request to the payment provider.
    enum Request: String, Sendable {
        case pay
        /// Reads the current status.
        case check
        /// Searches for a payout that was never answered and whose key may be forgotten.
        case find
    }

    /// How long a key is relied on. Payment providers forget keys after 24 hours; the two hours less allow for requests
    /// in transit and clock differences.
    static let keyLifetimeSeconds = 22.0 * 3600
    /// The number of fruitless searches, half an hour apart, after which the payout is asked for anew: the payment
    /// provider's search lags behind its data.
    static let missesToAskAnew = 3
    static let missSeconds = 1_800.0
    /// The number of faults under one key after which the payout is searched for: the payment provider stores such an
    /// answer and repeats it as long as it knows the key.
    static let faultsToLook = 10

    let id: UUID
    let account: UUID
    let market: String
    let currency: String
    /// Minor units.
    let amount: Int
    let destination: PayoutDestination
    let madeAt: Date
    private(set) var state = State.waiting
    /// Why the cash-out was rejected or failed.
    private(set) var reason: String?
    private(set) var decidedBy: UUID?
    private(set) var decidedAt: Date?
    /// The payment provider's id of the payout.
    private(set) var reference: String?
    /// The number of requests that were, or may have been, made.
    private(set) var tries = 0
    /// The number in the idempotency key. A key is given up when nothing happened under it for certain.
    private(set) var keyNumber = 0
    /// When the payout was, or may have been, first asked for with the current key.
    private(set) var askedAt: Date?
    /// The number of fruitless searches, and the time of the last one.
    private(set) var misses = 0
    private(set) var missedAt: Date?
    /// The number of faults that the payment provider answered to the current key.
    private(set) var faults = 0

    init(
        id: UUID, account: UUID, market: String, currency: String, amount: Int, destination: PayoutDestination,
        madeAt: Date
    ) {
        self.id = id
        self.account = account
        self.market = market
        self.currency = currency
        self.amount = amount
        self.destination = destination
        self.madeAt = madeAt
    }

    /// - Parameter reason: the reason of a rejection; nil accepts.
    mutating func decide(rejecting reason: String?, by admin: UUID, at: Date) throws(Decided) -> Effect {
        guard let effect = apply(reason == nil ? .accept : .reject) else { throw Decided(state: state) }
        self.reason = reason
        decidedBy = admin
        decidedAt = at
        return effect
    }

    /// Applies an answer of the payment provider. Late and repeated answers change nothing.
    ///
    /// - Returns: the effect; nil when nothing changed except, possibly, the reference.
    mutating func note(_ outcome: PayoutOutcome) -> Effect? {
        switch outcome {
        case .pending(let reference):
            self.reference = self.reference ?? reference
            return nil
        case .paid(let reference):
            guard let effect = apply(.paid) else { return nil }
            self.reference = reference
            return effect
        case .failed(let reason, let reference):
            guard let effect = apply(.failed) else { return nil }
            self.reason = reason
            self.reference = reference ?? self.reference
            return effect
        }
    }

    /// Whether the payment provider can know nothing of the payout: it was not asked under the current key, and did
    /// nothing under an earlier one.
    var isUnasked: Bool { reference == nil && askedAt == nil }

    /// Records that the payment provider is asked from now on.
    mutating func ask(at now: Date) { askedAt = askedAt ?? now }

    /// Stops a cash-out whose money has certainly not left.
    ///
    /// - Parameter reason: a slug that the owner sees.
    /// - Returns: nil when it is over, or may have been paid.
    mutating func stop(because reason: String) -> Effect? {
        guard isUnasked, let effect = apply(.stop) else { return nil }
        self.reason = reason
        return effect
    }

    private mutating func apply(_ trigger: Trigger) -> Effect? {
        guard let rule = Self.rules.first(where: { $0.from == state && $0.trigger == trigger }) else { return nil }
        state = rule.to
        return rule.effect
    }

    /// The idempotency key, under which the payment provider pays at most once.
    var key: String { "payout-\(id.uuidString.lowercased())" + (keyNumber == 0 ? "" : "-\(keyNumber)") }

    func nextRequest(at now: Date) -> Request {
        if reference != nil { return .check }
        guard let askedAt else { return .pay }
        let isOver = faults >= Self.faultsToLook || now.timeIntervalSince(askedAt) > Self.keyLifetimeSeconds
        return isOver ? .find : .pay
    }

    /// Counts a fault of the payment provider, after which it may or may not have paid. After ``faultsToLook`` faults
    /// the payout is not asked for under this key any more, but searched for from half an hour later on.
    ///
    /// - Parameter asked: the cash-out as it was when it was asked for.
    /// - Returns: seconds to wait; nil when the cash-out changed meanwhile.
    mutating func fault(after asked: CashOut, at now: Date) -> Double? {
        guard state == .paying, reference == nil, keyNumber == asked.keyNumber, nextRequest(at: now) == .pay
        else { return nil }
        faults += 1
        guard faults == Self.faultsToLook else { return pauseSeconds }
        missedAt = now
        return Self.missSeconds
    }

    /// Takes another key, because nothing happened under the current one and payment providers repeat their first
    /// answer.
    ///
    /// - Parameter asked: the cash-out as it was when it was asked for.
    /// - Returns: false when the cash-out changed meanwhile.
    mutating func takeNewKey(after asked: CashOut) -> Bool {
        guard state == .paying, reference == nil, keyNumber == asked.keyNumber else { return false }
        keyNumber += 1
        (askedAt, misses, missedAt, faults) = (nil, 0, nil, 0)
        return true
    }

    /// Records a fruitless search. After ``missesToAskAnew`` searches the payout counts as not made and is asked for
    /// anew.
    ///
    /// - Parameter asked: the cash-out as it was when it was searched for.
    /// - Returns: false when nothing changes.
    mutating func miss(after asked: CashOut, at now: Date) -> Bool {
        guard state == .paying, reference == nil, keyNumber == asked.keyNumber, nextRequest(at: now) == .find
        else { return false }
        if let missedAt, now.timeIntervalSince(missedAt) < Self.missSeconds { return false }
        misses += 1
        missedAt = now
        return misses < Self.missesToAskAnew || takeNewKey(after: asked)
    }

    /// Seconds before the same request is repeated: one, doubled with each try, at most five minutes.
    var pauseSeconds: Double { min(Double(1 << min(max(tries - 1, 0), 12)), 300) }
    /// Seconds to wait after a clear but unusable answer: one minute, doubled with each try, at most an hour.
    var longPauseSeconds: Double { min(Double(60 << min(max(tries - 1, 0), 6)), 3_600) }
}

extension CashOut {
    /// Restores the stored values that may change.
    mutating func restore(
        state: State, reason: String?, decidedBy: UUID?, decidedAt: Date?, reference: String?, tries: Int,
        keyNumber: Int, askedAt: Date?, misses: Int, missedAt: Date?, faults: Int = 0
    ) {
        self.state = state
        self.reason = reason
        self.decidedBy = decidedBy
        self.decidedAt = decidedAt
        self.reference = reference
        self.tries = tries
        self.keyNumber = keyNumber
        self.askedAt = askedAt
        self.misses = misses
        self.missedAt = missedAt
        self.faults = faults
    }
}

/// The payment provider's answer about a payout.
enum PayoutOutcome: Hashable, Sendable {
    /// Accepted and on its way.
    case pending(reference: String)
    case paid(reference: String)
    /// - reason: a slug that the owner sees.
    case failed(reason: String, reference: String?)
}

extension CashOut {
    var statementLine: StatementLine {
        let lineState: StatementLine.State =
            switch state {
            case .waiting, .paying: .waiting
            case .paid: .accepted
            case .failed, .rejected: .rejected
            }
        return StatementLine(
            account: account, source: "cashOut:\(id.uuidString.lowercased())", kind: .cashOut, market: market,
            currency: currency, amount: -amount, order: nil, method: nil, title: [:], payer: destination.holder,
            beneficiary: destination.holder, state: lineState, reason: reason)
    }
}
