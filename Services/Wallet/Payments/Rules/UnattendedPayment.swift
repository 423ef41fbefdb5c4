import Foundation

/// A payment that is made without its customer, as of a visit that comes again: how it is paid, when it is tried again, and
/// when the customer hears of it. Pure.
struct UnattendedPayment: Hashable, Sendable {
    /// What the customer is told of an attempt that came to nothing.
    enum Notice: Sendable, CaseIterable { case first, reminder, last, none }

    /// Before the end the customer is warned for the last time.
    static let warningSeconds = 86_400.0
    /// Between two reminders.
    static let reminderSeconds = 2 * 86_400.0
    /// Before the second try, doubled with each that comes to nothing.
    static let firstPauseSeconds = 900.0
    static let longestPauseSeconds = 12 * 3_600.0
    /// Before the end it is tried for the last time.
    static let lastTrySeconds = 900.0
    /// For an attempt that is on its way.
    static let lookSeconds = 600.0

    let order: UUID
    let method: PaymentMethod
    /// Nil with a card is one that its owner agreed to have charged for such orders.
    let card: UUID?
    let agreedAt: Date?
    /// Minor units; nil is no limit.
    let upTo: Int?
    /// When its order ends unpaid.
    let endsAt: Date
    private(set) var failures: Int
    /// Why the last attempt came to nothing.
    private(set) var reason: String?
    private(set) var noticedAt: Date?
    private(set) var isWarned: Bool

    init(
        order: UUID, method: PaymentMethod, card: UUID?, agreedAt: Date?, upTo: Int?, endsAt: Date, failures: Int = 0,
        reason: String? = nil, noticedAt: Date? = nil, isWarned: Bool = false
    ) {
        self.order = order
        self.method = method
        self.card = card
        self.agreedAt = agreedAt
        self.upTo = upTo
        self.endsAt = endsAt
        self.failures = failures
        self.reason = reason
        self.noticedAt = noticedAt
        self.isWarned = isWarned
    }

    /// Whether another try can help. A bank that wants its owner's word wants it the next time, too.
    var isWorthTrying: Bool { reason != "authentication-required" && reason != "price-not-agreed" }

    /// Which notice would be due now.
    func notice(at now: Date) -> Notice {
        guard let noticedAt else { return .first }
        if !isWarned, now >= endsAt.addingTimeInterval(-Self.warningSeconds) { return .last }
        return !isWarned && now.timeIntervalSince(noticedAt) >= Self.reminderSeconds ? .reminder : .none
    }

    /// An attempt has come to nothing.
    ///
    /// - Returns: which notice is due.
    mutating func fail(because why: String, at now: Date) -> Notice {
        let due = notice(at: now)
        failures += 1
        reason = why
        if due != .none { noticedAt = now }
        if now >= endsAt.addingTimeInterval(-Self.warningSeconds) { isWarned = true }
        return due
    }

    /// When it is looked at next; its end, where there is nothing to do before.
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
