import Foundation

/// A money decision that one admin began and another one must approve (A1, W8). One admin can reject it.
struct Approval: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable { case cashOut, refund, promoCode, writeOff }

    enum State: String, Sendable, CaseIterable { case waiting, approved, rejected }

    enum Trigger: String, Sendable, CaseIterable { case approve, reject }

    /// The table of an approval's life. A trigger without a rule has no effect.
    static let rules: [(from: State, trigger: Trigger, to: State)] = [
        (.waiting, .approve, .approved), (.waiting, .reject, .rejected),
    ]

    enum Refusal: Error, Hashable {
        /// The approval was decided before.
        case decided(State)
        /// The admin who began it cannot approve it.
        case ownMatter
    }

    let id: UUID
    let market: String
    let kind: Kind
    /// The cash-out, the refund's order, the promo code, or the debtor whose debt is written off.
    let subject: UUID
    let currency: String
    /// The maximum cost in minor units.
    let amount: Int
    /// The act to carry out after the approval; nil for a cash-out, which has its own row.
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

    /// - Parameter reason: the reason of a rejection; nil approves. The admin who began it may withdraw it by rejecting
    ///   it.
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

/// The request that is carried out after the approval.
enum ApprovalWish: Hashable, Sendable, Codable {
    case refund(RefundPayment.Wish)
    case promoCode(PromoCode)
    case writeOff(WriteOff.Wish)
}

/// Decides whether a second admin is needed. The amounts of a day count together, so that splitting does not help.
enum SecondApprovalRule {
    static let windowSeconds = 86_400.0

    /// - Parameters:
    ///   - amount: minor units; nil when too large to count.
    ///   - earlier: the sum of the same kind within the last day for the same person, or of all kinds by the same admin
    ///     alone, in minor units: the greater one.
    static func isNeeded(_ amount: Int?, after earlier: Int, above threshold: Int) -> Bool {
        guard let amount else { return true }
        let (sum, overflow) = amount.addingReportingOverflow(earlier)
        return overflow || sum > threshold
    }
}
