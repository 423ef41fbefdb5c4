import Foundation

/// Money that a person takes out of the wallet. It is held from the request on; an admin decides, then the payment provider
/// pays.
struct CashOut: Hashable, Sendable {
    enum State: String, Sendable, CaseIterable {
        /// For an admin's decision.
        case waiting
        /// Accepted; the payment provider is asked, or has it on its way.
        case paying
        case paid
        /// The payment provider could not pay. The money is back in the wallet.
        case failed
        /// By an admin. The money is back in the wallet.
        case rejected
    }

    enum Trigger: String, Sendable, CaseIterable { case accept, reject, paid, failed }

    /// What the ledger does.
    enum Effect: String, Sendable {
        case none, sendOff, giveBack
        /// It came back from the bank after it counted as paid.
        case bringBack
    }

    /// The whole life of a cash-out. What has no rule does not happen.
    static let rules: [(from: State, trigger: Trigger, to: State, effect: Effect)] = [
        (.waiting, .accept, .paying, .none),
        (.waiting, .reject, .rejected, .giveBack),
        (.paying, .paid, .paid, .sendOff),
        (.paying, .failed, .failed, .giveBack),
        (.paid, .failed, .failed, .bringBack),
    ]

    /// Somebody has decided already.
    struct Decided: Error, Hashable { let state: State }

    /// What to ask of the payment provider.
    enum Request: String, Sendable {
        case pay
        /// Reads how it stands.
        case check
        /// Looks for one that was never answered, and whose key may be forgotten.
        case find
    }

    /// How long the same key means the same payout. Payment providers forget keys after a day; a request may be on its way
    /// for a while, and clocks differ.
    static let keyLifetimeSeconds = 22.0 * 3600
    /// How often it has to be looked for in vain, so far apart, until it is asked for anew: what the payment provider looks
    /// through lags behind what it does.
    static let missesToAskAnew = 3
    static let missSeconds = 1_800.0
    /// After how many faults of its own under one key the payment provider is looked through: it keeps such an answer too,
    /// and repeats it for as long as it knows the key.
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
    /// Why it was rejected or failed.
    private(set) var reason: String?
    private(set) var decidedBy: UUID?
    private(set) var decidedAt: Date?
    /// The payment provider's id of the payout.
    private(set) var reference: String?
    /// How often the payment provider was, or may have been, asked.
    private(set) var tries = 0
    /// Of the key that it is asked for with. A key ends when it is clear that nothing happened under it.
    private(set) var keyNumber = 0
    /// When it was, or may have been, asked for with this key first.
    private(set) var askedAt: Date?
    /// How often it was looked for in vain, and when last.
    private(set) var misses = 0
    private(set) var missedAt: Date?
    /// How often the payment provider has answered this key with a fault of its own.
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

    /// - Parameter reason: why it is rejected; nil accepts it.
    mutating func decide(rejecting reason: String?, by admin: UUID, at: Date) throws(Decided) -> Effect {
        guard let effect = apply(reason == nil ? .accept : .reject) else { throw Decided(state: state) }
        self.reason = reason
        decidedBy = admin
        decidedAt = at
        return effect
    }

    /// What the payment provider says. Late and repeated answers change nothing.
    ///
    /// - Returns: what follows; nil when nothing is new but, perhaps, its reference.
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

    private mutating func apply(_ trigger: Trigger) -> Effect? {
        guard let rule = Self.rules.first(where: { $0.from == state && $0.trigger == trigger }) else { return nil }
        state = rule.to
        return rule.effect
    }

    /// Under which the payment provider pays it at most once.
    var key: String { "payout-\(id.uuidString.lowercased())" + (keyNumber == 0 ? "" : "-\(keyNumber)") }

    func nextRequest(at now: Date) -> Request {
        if reference != nil { return .check }
        guard let askedAt else { return .pay }
        let isOver = faults >= Self.faultsToLook || now.timeIntervalSince(askedAt) > Self.keyLifetimeSeconds
        return isOver ? .find : .pay
    }

    /// The payment provider has a fault, and may have paid or not. After some of them it is asked for no more under this
    /// key, and looked for from half an hour later on.
    ///
    /// - Parameter asked: the cash-out as it was when it was asked for.
    /// - Returns: how long to wait then, in seconds; nil when something else has happened since.
    mutating func fault(after asked: CashOut, at now: Date) -> Double? {
        guard state == .paying, reference == nil, keyNumber == asked.keyNumber, nextRequest(at: now) == .pay
        else { return nil }
        faults += 1
        guard faults == Self.faultsToLook else { return pauseSeconds }
        missedAt = now
        return Self.missSeconds
    }

    /// Nothing happened under the key: it is asked for with another one, since payment providers repeat what they have
    /// answered once.
    ///
    /// - Parameter asked: the cash-out as it was when it was asked for.
    /// - Returns: false when something else has happened since.
    mutating func takeNewKey(after asked: CashOut) -> Bool {
        guard state == .paying, reference == nil, keyNumber == asked.keyNumber else { return false }
        keyNumber += 1
        (askedAt, misses, missedAt, faults) = (nil, 0, nil, 0)
        return true
    }

    /// The payment provider knows nothing of it. Said often enough it did not happen, and is asked for anew.
    ///
    /// - Parameter asked: the cash-out as it was when it was looked for.
    /// - Returns: false when this changes nothing.
    mutating func miss(after asked: CashOut, at now: Date) -> Bool {
        guard state == .paying, reference == nil, keyNumber == asked.keyNumber, nextRequest(at: now) == .find
        else { return false }
        if let missedAt, now.timeIntervalSince(missedAt) < Self.missSeconds { return false }
        misses += 1
        missedAt = now
        return misses < Self.missesToAskAnew || takeNewKey(after: asked)
    }

    /// How long to wait before the same is asked again: one second, doubled with each try, at most five minutes.
    var pauseSeconds: Double { min(Double(1 << min(max(tries - 1, 0), 12)), 300) }
    /// The same after an answer that was clear and of no use: at most an hour.
    var longPauseSeconds: Double { min(Double(60 << min(max(tries - 1, 0), 6)), 3_600) }
}

extension CashOut {
    /// What was stored of it besides what never changes.
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

/// What the payment provider says of a payout.
enum PayoutOutcome: Hashable, Sendable {
    /// Taken, and on its way.
    case pending(reference: String)
    case paid(reference: String)
    /// - reason: a slug that the owner is told.
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
