import Foundation

/// A provider's subscription in a market. One per account and market, across all its periods.
struct Subscription: Hashable, Sendable {
    enum State: String, Sendable, CaseIterable {
        /// Never paid.
        case none
        case active, expired
    }

    enum Method: String, Sendable, CaseIterable { case wallet, card }

    enum Refusal: Error, Hashable {
        /// The current period lasts longer than ``earlySeconds(of:)``.
        case alreadyActive(until: Date)
        /// A period is being paid at the payment provider.
        case beingPaid
    }

    /// A choice about renewals that was made with a card payment. It takes effect when the payment succeeds, and is
    /// dropped when it fails.
    struct Wish: Hashable, Sendable {
        let renews: Bool
        let card: UUID
        let at: Date
    }

    /// Seconds before the end from which the next period can be paid by hand: a week, or half of a period that is shorter
    /// than two. Otherwise a second tap would pay a short one twice.
    static func earlySeconds(of length: SubscriptionPlan.Period?) -> Double {
        min(7 * 86_400, (length?.seconds ?? .infinity) / 2)
    }
    /// Seconds before the end at which the first renewal of a period is tried: a day, or half of a period that is shorter
    /// than two.
    static func renewalSeconds(of length: SubscriptionPlan.Period) -> Double { min(86_400, length.seconds / 2) }
    /// Seconds until a failed renewal is tried again.
    static let retrySeconds = 6 * 3_600.0

    let id: UUID
    let account: UUID
    let market: String
    let currency: String
    private(set) var state = State.none
    /// The end of the last paid period.
    private(set) var endsAt: Date?
    /// The last paid period.
    private(set) var period: UUID?
    /// The period that is being paid at the payment provider.
    private(set) var pending: UUID?
    /// Whether the subscription renews automatically, by the owner's consent.
    private(set) var renews = false
    private(set) var method = Method.wallet
    /// The stored card; set with the method `card`.
    private(set) var card: UUID?
    /// When the owner chose this: the consent to renewals. Nil for choices from before it was recorded.
    private(set) var chosenAt: Date?
    /// The choice that waits for the ``pending`` period's payment.
    private(set) var wish: Wish?
    /// Incremented with each event about the subscription.
    private(set) var version = 0

    init(id: UUID, account: UUID, market: String, currency: String) {
        self.id = id
        self.account = account
        self.market = market
        self.currency = currency
    }

    /// Sets the choice about renewals now; a waiting choice is dropped.
    mutating func choose(renews: Bool, method: Method, card: UUID?, at now: Date) {
        self.renews = renews
        self.method = method
        self.card = method == .card ? card : nil
        chosenAt = now
        wish = nil
    }

    /// The owner's latest choice, whether in effect or waiting for a payment.
    var said: (renews: Bool, method: Method, card: UUID?) {
        if let wish { (wish.renews, .card, wish.card) } else { (renews, method, card) }
    }

    /// - Parameter length: of the last paid period; nil where there is none.
    /// - Returns: nil when a period may be paid now.
    func refusal(at now: Date, of length: SubscriptionPlan.Period? = nil) -> Refusal? {
        if pending != nil { return .beingPaid }
        guard state == .active, let endsAt, endsAt.timeIntervalSince(now) > Self.earlySeconds(of: length) else {
            return nil
        }
        return .alreadyActive(until: endsAt)
    }

    /// Waits for a period's payment by card.
    ///
    /// - Parameter wish: nil for a renewal, which keeps the current choice.
    mutating func wait(for newPeriod: UUID, wishing wish: Wish? = nil) {
        pending = newPeriod
        self.wish = wish
    }

    /// Starts a paid period at the end of the current one, or now.
    ///
    /// - Returns: the period's start and end.
    mutating func begin(_ newPeriod: UUID, of length: SubscriptionPlan.Period, at now: Date) -> DateInterval {
        let start = state == .active ? max(endsAt ?? now, now) : now
        let end = start.addingTimeInterval(length.seconds)
        state = .active
        endsAt = end
        period = newPeriod
        // A late payment of another period must not end the wait for the pending one.
        if pending == newPeriod {
            pending = nil
            if let wish { choose(renews: wish.renews, method: .card, card: wish.card, at: wish.at) }
        }
        version += 1
        return DateInterval(start: start, end: end)
    }

    /// Ends the wait for a period that could not be paid.
    mutating func giveUp(_ failed: UUID) {
        guard pending == failed else { return }
        pending = nil
        wish = nil
    }

    /// Ends the subscription with a period.
    ///
    /// - Returns: false when a later period was paid, which changes nothing.
    mutating func expire(_ ended: UUID) -> Bool {
        guard state == .active, period == ended else { return false }
        state = .expired
        version += 1
        return true
    }

    /// Whether a renewal after this period is due.
    func isToRenew(after ended: UUID) -> Bool { state == .active && period == ended && renews && pending == nil }
}

extension Subscription {
    /// Restores the stored values that may change.
    mutating func restore(
        state: State, endsAt: Date?, period: UUID?, pending: UUID?, renews: Bool, method: Method, card: UUID?,
        version: Int, chosenAt: Date?, wish: Wish?
    ) {
        self.state = state
        self.endsAt = endsAt
        self.period = period
        self.pending = pending
        self.renews = renews
        self.method = method
        self.card = card
        self.version = version
        self.chosenAt = chosenAt
        self.wish = wish
    }
}

/// A subscription period that is paid or being paid.
struct SubscriptionPeriod: Hashable, Sendable {
    enum State: String, Sendable, CaseIterable { case waiting, paid, refused }

    let id: UUID
    let subscription: UUID
    let account: UUID
    let market: String
    let plan: UUID
    let planName: [String: String]
    let length: SubscriptionPlan.Period
    let currency: String
    /// Minor units.
    let price: Int
    let method: Subscription.Method
    let isRenewal: Bool
    var state = State.waiting
    /// Why the payment was refused.
    var reason: String?
    var startsAt: Date?
    var endsAt: Date?

    /// - Parameters:
    ///   - payer: the owner's name.
    ///   - platformName: the payee's name.
    func statementLine(payer: String, platformName: String) -> StatementLine {
        let lineState: StatementLine.State =
            switch state {
            case .waiting: .waiting
            case .paid: .accepted
            case .refused: .rejected
            }
        return StatementLine(
            account: account, source: "subscription:\(id.uuidString.lowercased())", kind: .subscription,
            market: market, currency: currency, amount: -price, order: nil, method: method == .card ? .card : .wallet,
            title: planName, payer: payer, beneficiary: platformName, state: lineState, reason: reason)
    }
}
