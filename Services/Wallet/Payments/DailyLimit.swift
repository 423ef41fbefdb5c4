import Foundation

/// The amount of one kind that an account may move within 24 hours, in one currency and over all markets. The hours are
/// counted back from the moment of the request, so no change of a market's time zone gives a new day.
struct DailyLimit: Hashable, Sendable {
    enum Matter: Hashable, Sendable { case topUp, cashOut }

    struct Reached: Error, Hashable {
        let matter: Matter
        /// Minor units left now.
        let left: Int
        let currency: String
        let limit: Int
        /// When the oldest counted amount stops counting.
        let endsAt: Date
    }

    /// The amounts that an account has moved since ``beginsAt``.
    struct Used: Hashable, Sendable {
        /// Minor units.
        let sum: Int
        /// When the first of it was asked for; nil for nothing.
        let oldest: Date?

        static let nothing = Used(sum: 0, oldest: nil)
    }

    static let windowSeconds = 86_400.0

    /// Minor units.
    let amount: Int
    let currency: String
    private let now: Date

    init(_ amount: Int, _ currency: String, at now: Date) {
        self.amount = amount
        self.currency = currency
        self.now = now
    }

    var beginsAt: Date { now.addingTimeInterval(-Self.windowSeconds) }

    /// - Throws: ``Reached``
    func admit(_ wanted: Int, after used: Used, _ matter: Matter) throws(Reached) {
        guard wanted > amount - used.sum else { return }
        throw Reached(
            matter: matter, left: max(amount - used.sum, 0), currency: currency, limit: amount,
            endsAt: used.oldest?.addingTimeInterval(Self.windowSeconds) ?? now)
    }
}
