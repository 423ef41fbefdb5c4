import Foundation

/// A provider's subscription in a market. One for each account and market, whatever is paid and expires.
struct Subscription: Hashable, Sendable {
    enum State: String, Sendable, CaseIterable {
        /// Never paid.
        case none
        case active, expired
    }

    enum Method: String, Sendable, CaseIterable { case wallet, card }

    enum Refusal: Error, Hashable {
        /// One that holds for longer than ``earlySeconds``.
        case alreadyActive(until: Date)
        /// The payment provider is still asked about one.
        case beingPaid
    }

    /// How it is to go on, said with a payment by card. It counts from when that is paid, and not at all when it is not.
    struct Wish: Hashable, Sendable {
        let renews: Bool
        let card: UUID
        let at: Date
    }

    /// How long before its end it can be paid again by hand.
    static let earlySeconds = 7 * 86_400.0
    /// How long before its end it is renewed by itself for the first time.
    static let renewalSeconds = 86_400.0
    /// After which time a renewal that failed is tried again.
    static let retrySeconds = 6 * 3_600.0

    let id: UUID
    let account: UUID
    let market: String
    let currency: String
    private(set) var state = State.none
    /// Until when the last paid period holds.
    private(set) var endsAt: Date?
    /// The last paid one.
    private(set) var period: UUID?
    /// The one that the payment provider is asked about.
    private(set) var pending: UUID?
    /// Whether it goes on by itself, by the owner's consent.
    private(set) var renews = false
    private(set) var method = Method.wallet
    /// The stored card, with the method `card`.
    private(set) var card: UUID?
    /// When its owner chose that: the consent to a renewal. Nil where it was chosen before that was kept.
    private(set) var chosenAt: Date?
    /// Of what is ``pending``.
    private(set) var wish: Wish?
    /// Grows with each event about it.
    private(set) var version = 0

    init(id: UUID, account: UUID, market: String, currency: String) {
        self.id = id
        self.account = account
        self.market = market
        self.currency = currency
    }

    /// Chooses how it goes on, now: a wish that was said earlier and still waits is over.
    mutating func choose(renews: Bool, method: Method, card: UUID?, at now: Date) {
        self.renews = renews
        self.method = method
        self.card = method == .card ? card : nil
        chosenAt = now
        wish = nil
    }

    /// What its owner has said last, whether it counts yet or waits for a payment.
    var said: (renews: Bool, method: Method, card: UUID?) {
        if let wish { (wish.renews, .card, wish.card) } else { (renews, method, card) }
    }

    /// - Returns: nil when a period may be paid now.
    func refusal(at now: Date) -> Refusal? {
        if pending != nil { return .beingPaid }
        guard state == .active, let endsAt, endsAt.timeIntervalSince(now) > Self.earlySeconds else { return nil }
        return .alreadyActive(until: endsAt)
    }

    /// A period is to be paid by card.
    ///
    /// - Parameter wish: nil of a renewal, which goes on as it was chosen.
    mutating func wait(for newPeriod: UUID, wishing wish: Wish? = nil) {
        pending = newPeriod
        self.wish = wish
    }

    /// A period is paid. It begins where the one before ends, or now.
    ///
    /// - Returns: from when until when it holds.
    mutating func begin(_ newPeriod: UUID, of length: SubscriptionPlan.Period, at now: Date) -> DateInterval {
        let start = state == .active ? max(endsAt ?? now, now) : now
        let end = start.addingTimeInterval(length.seconds)
        state = .active
        endsAt = end
        period = newPeriod
        // Another one may be asked for meanwhile, when this one's money came late.
        if pending == newPeriod {
            pending = nil
            if let wish { choose(renews: wish.renews, method: .card, card: wish.card, at: wish.at) }
        }
        version += 1
        return DateInterval(start: start, end: end)
    }

    /// A period could not be paid.
    mutating func giveUp(_ failed: UUID) {
        guard pending == failed else { return }
        pending = nil
        wish = nil
    }

    /// The time of a period is over.
    ///
    /// - Returns: false when it has been paid again since, which changes nothing.
    mutating func expire(_ ended: UUID) -> Bool {
        guard state == .active, period == ended else { return false }
        state = .expired
        version += 1
        return true
    }

    /// Whether it is to be renewed now, after this period.
    func isToRenew(after ended: UUID) -> Bool { state == .active && period == ended && renews && pending == nil }
}

extension Subscription {
    /// What was stored of it besides what never changes.
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

/// A time that is, or was to be, paid.
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
    /// Why it was refused.
    var reason: String?
    var startsAt: Date?
    var endsAt: Date?

    /// - Parameters:
    ///   - payer: what its owner is called.
    ///   - platformName: who is paid.
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
