import Foundation

/// The rules of a payment without its customer, as for recurring visits: the method, when it is tried again, and when
/// the customer is notified.
struct UnattendedPayment: Hashable, Sendable {
    /// The notification that follows a failed attempt.
    enum Notice: Sendable, CaseIterable { case first, reminder, last, none }

    /// Seconds before the end at which the customer gets the last warning.
    static let warningSeconds = 86_400.0
    /// Seconds between two reminders.
    static let reminderSeconds = 2 * 86_400.0
    /// Seconds before the second try; doubled after each failure.
    static let firstPauseSeconds = 900.0
    static let longestPauseSeconds = 12 * 3_600.0
    /// Seconds before the end at which the last try is made.
    static let lastTrySeconds = 900.0
    /// Seconds until an attempt in progress is looked at again.
    static let lookSeconds = 600.0

    let order: UUID
    let method: PaymentMethod
    /// Nil for a card payment means a card whose owner consented to such charges.
    let card: UUID?
    let agreedAt: Date?
    /// Minor units; nil means no limit.
    let upTo: Int?
    /// Whether an admin at the desk asked for it. Then the card's owner must have released the card when it is charged, too:
    /// nobody but the owner may say so, and the owner may take it back.
    let isByDesk: Bool
    /// When the order ends if it is unpaid.
    let endsAt: Date
    private(set) var failures: Int
    /// Why the last attempt failed.
    private(set) var reason: String?
    private(set) var noticedAt: Date?
    private(set) var isWarned: Bool

    init(
        order: UUID, method: PaymentMethod, card: UUID?, agreedAt: Date?, upTo: Int?, endsAt: Date,
        isByDesk: Bool = false, failures: Int = 0,
        reason: String? = nil, noticedAt: Date? = nil, isWarned: Bool = false
    ) {
        self.order = order
        self.method = method
        self.card = card
        self.agreedAt = agreedAt
        self.upTo = upTo
        self.endsAt = endsAt
        self.isByDesk = isByDesk
        self.failures = failures
        self.reason = reason
        self.noticedAt = noticedAt
        self.isWarned = isWarned
    }

    /// Whether another try can succeed. A bank that wants the owner's confirmation will want it again, and a price
    /// above the agreed limit stays above it.
    var isWorthTrying: Bool { reason != "authentication-required" && reason != "price-not-agreed" }

    /// The notice that is due now.
    func notice(at now: Date) -> Notice {
        guard let noticedAt else { return .first }
        if !isWarned, now >= endsAt.addingTimeInterval(-Self.warningSeconds) { return .last }
        return !isWarned && now.timeIntervalSince(noticedAt) >= Self.reminderSeconds ? .reminder : .none
    }

    /// Records a failed attempt.
    ///
    /// - Returns: the notice that is due.
    mutating func fail(because why: String, at now: Date) -> Notice {
        let due = notice(at: now)
        failures += 1
        reason = why
        if due != .none { noticedAt = now }
        if now >= endsAt.addingTimeInterval(-Self.warningSeconds) { isWarned = true }
        return due
    }

    /// The time of the next look; the order's end when nothing is left to do before it.
    func nextLook(after now: Date) -> Date {
        let pause = min(Self.firstPauseSeconds * Double(1 << min(max(failures - 1, 0), 10)), Self.longestPauseSeconds)
        var next = now.addingTimeInterval(pause)
        let warning = endsAt.addingTimeInterval(-Self.warningSeconds)
        if !isWarned, now < warning { next = min(next, warning) }
        let last = endsAt.addingTimeInterval(-Self.lastTrySeconds)
        if next > last { next = now < last ? last : endsAt }
        return next
    }
}
