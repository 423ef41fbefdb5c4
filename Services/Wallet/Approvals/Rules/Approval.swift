import Foundation

/// Something about money that one admin has begun and another one has to approve (A1, W8). To reject it takes one.
struct Approval: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable { case cashOut, refund, promoCode }

    enum State: String, Sendable, CaseIterable { case waiting, approved, rejected }

    enum Trigger: String, Sendable, CaseIterable { case approve, reject }

    /// The whole life of an approval. What has no rule does not happen.
    static let rules: [(from: State, trigger: Trigger, to: State)] = [
        (.waiting, .approve, .approved), (.waiting, .reject, .rejected),
    ]

    enum Refusal: Error, Hashable {
        /// Somebody has decided already.
        case decided(State)
        /// Who began it does not approve it.
        case ownMatter
    }

    let id: UUID
    let market: String
    let kind: Kind
    /// The cash-out, the order of the refund, or the promo code.
    let subject: UUID
    let currency: String
    /// Minor units: what it costs at most.
    let amount: Int
    /// What is done once it is approved; nil of a cash-out, which has a row of its own.
    let wish: ApprovalWish?
    let begunBy: UUID
    let begunAt: Date
    private(set) var state = State.waiting
    private(set) var decidedBy: UUID?
    private(set) var decidedAt: Date?
    /// Why it was rejected.
    private(set) var reason: String?

    init(
        id: UUID, market: String, kind: Kind, subject: UUID, currency: String, amount: Int, wish: ApprovalWish?,
        begunBy: UUID, begunAt: Date
    ) {
        self.id = id
        self.market = market
        self.kind = kind
        self.subject = subject
        self.currency = currency
        self.amount = amount
        self.wish = wish
        self.begunBy = begunBy
        self.begunAt = begunAt
    }

    /// - Parameter reason: why it is rejected; nil approves it. Who began it may take it back, by rejecting it.
    mutating func decide(rejecting reason: String?, by admin: UUID, at: Date) throws(Refusal) {
        let trigger: Trigger = reason == nil ? .approve : .reject
        guard let rule = Self.rules.first(where: { $0.from == state && $0.trigger == trigger }) else {
            throw .decided(state)
        }
        guard trigger == .reject || admin != begunBy else { throw .ownMatter }
        state = rule.to
        decidedBy = admin
        decidedAt = at
        self.reason = reason
    }

    mutating func restore(state: State, decidedBy: UUID?, decidedAt: Date?, reason: String?) {
        self.state = state
        self.decidedBy = decidedBy
        self.decidedAt = decidedAt
        self.reason = reason
    }
}

/// What was asked for, and is done once a second admin has approved it.
enum ApprovalWish: Hashable, Sendable, Codable {
    case refund(RefundPayment.Wish)
    case promoCode(PromoCode)
}

/// Whether one admin is enough. Amounts of a day are counted together, so that nothing is divided to stay below.
enum SecondApprovalRule {
    static let windowSeconds = 86_400.0

    /// - Parameters:
    ///   - amount: minor units; nil is more than can be counted.
    ///   - earlier: what was done of the same kind for the same person in the day before, in minor units.
    static func isNeeded(_ amount: Int?, after earlier: Int, above threshold: Int) -> Bool {
        guard let amount else { return true }
        let (sum, overflow) = amount.addingReportingOverflow(earlier)
        return overflow || sum > threshold
    }
}
