import Foundation

/// What a customer is charged for a late cancellation. One for each order.
///
/// It is taken at once, below zero if need be. It counts as paid when the wallet is at zero or above: what is below is
/// owed, and any credit pays it.
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
    /// Until when it can be paid before the account is blocked.
    let dueAt: Date
    /// When the account was last reminded.
    var remindedAt: Date?

    /// The source of its lines in statements.
    var line: String { "fine:\(order.uuidString.lowercased())" }

    /// - Parameter basisPointsToPlatform: of the fine; all of it where there is no provider whose way it was.
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

/// What follows from an account's unpaid fines in one currency, at a moment.
struct FineCheck: Hashable, Sendable {
    static let day = 86_400.0

    /// Whether they count as paid.
    let isPaid: Bool
    /// Markets in which the account is to be blocked, by id.
    let blocks: [String]
    /// Markets whose fines it is reminded of.
    let reminds: [String]
    /// When to look again; nil when everything is paid.
    let next: Date?

    /// - Parameter balance: of the wallet, minor units.
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

    /// A day after the last one, or after the first fine.
    private static func nextReminder(_ fines: [Fine]) -> Date {
        let last = fines.compactMap(\.remindedAt).max() ?? fines.map(\.chargedAt).min() ?? .distantPast
        return last.addingTimeInterval(day)
    }
}
