import Foundation

/// The fine for a late cancellation. One per order.
///
/// It is taken at once, below zero if necessary. It counts as paid when the wallet is at zero or above; any credit pays
/// it.
struct Fine: Hashable, Sendable {
    let order: UUID
    let market: String
    let account: UUID
    let currency: String
    /// Minor units.
    let amount: Int
    let provider: UUID?
    let shares: Shares
    let chargedAt: Date
    /// The last time to pay before the account is blocked.
    let dueAt: Date
    /// When the account was last reminded.
    var remindedAt: Date?

    /// The source of its statement lines.
    var line: String { "fine:\(order.uuidString.lowercased())" }

    /// - Parameter basisPointsToPlatform: the platform's share; without a provider the platform gets everything.
    init(
        order: UUID, market: String, account: UUID, currency: String, amount: Int, provider: UUID?,
        basisPointsToPlatform: Int, chargedAt: Date, days: Int
    ) {
        self.order = order
        self.market = market
        self.account = account
        self.currency = currency
        self.amount = amount
        self.provider = provider
        shares = Shares(of: amount, commissionBasisPoints: provider == nil ? 10_000 : basisPointsToPlatform)
        self.chargedAt = chargedAt
        dueAt = chargedAt.addingTimeInterval(Double(days) * FineCheck.day)
    }

    init(
        order: UUID, market: String, account: UUID, currency: String, amount: Int, provider: UUID?, shares: Shares,
        chargedAt: Date, dueAt: Date, remindedAt: Date?
    ) {
        self.order = order
        self.market = market
        self.account = account
        self.currency = currency
        self.amount = amount
        self.provider = provider
        self.shares = shares
        self.chargedAt = chargedAt
        self.dueAt = dueAt
        self.remindedAt = remindedAt
    }
}

/// The reminder and the block that follow from an account's unpaid fines in one currency at a given time.
struct FineCheck: Hashable, Sendable {
    static let day = 86_400.0

    /// Whether the fines count as paid.
    let isPaid: Bool
    /// The ids of markets in which the account must be blocked.
    let blocks: [String]
    /// The ids of markets whose fines need a reminder.
    let reminds: [String]
    /// When to check again; nil when everything is paid.
    let next: Date?

    /// - Parameter balance: the wallet's balance in minor units.
    init(_ fines: [Fine], balance: Int, at now: Date) {
        isPaid = balance >= 0 || fines.isEmpty
        guard !isPaid else {
            (blocks, reminds, next) = ([], [], nil)
            return
        }
        blocks = Set(fines.filter { $0.dueAt <= now }.map(\.market)).sorted()
        let markets = Dictionary(grouping: fines, by: \.market)
        reminds = markets.filter { Self.nextReminder($0.value) <= now }.map(\.key).sorted()
        next = markets.values.flatMap { own in
            let reminder = Self.nextReminder(own)
            return [reminder <= now ? now.addingTimeInterval(Self.day) : reminder]
                + own.map(\.dueAt).filter { $0 > now }
        }.min()
    }

    /// A day after the last reminder, or after the first fine.
    private static func nextReminder(_ fines: [Fine]) -> Date {
        let last = fines.compactMap(\.remindedAt).max() ?? fines.map(\.chargedAt).min() ?? .distantPast
        return last.addingTimeInterval(day)
    }
}
