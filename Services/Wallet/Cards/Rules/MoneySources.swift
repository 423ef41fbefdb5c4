import Foundation

/// Where the money of a wallet came from in the time before a cash-out, for the admin who decides it. Minor units.
struct MoneySources: Hashable, Sendable {
    /// How far it looks back at most, and through how many entries.
    static let days = 90
    static let entryLimit = 5_000

    /// From cards: top-ups, and prices of late cancellations.
    private(set) var cards = 0
    /// For work: shares, tips, fines of those who came late, also what waited for its debtor.
    private(set) var earnings = 0
    /// Given back for orders.
    private(set) var refunds = 0
    /// Transfers between wallets, deposits of others.
    private(set) var other = 0
    /// What was spent, or left, in that time.
    private(set) var spent = 0

    /// - Parameter history: in any order. What came back of something that was taken in that time counts as neither.
    init(_ history: some Sequence<CardMoney.Entry>) {
        var own: [UUID: Int] = [:]
        for entry in history where entry.amount < 0 { own[entry.subject, default: 0] -= entry.amount }
        for entry in history {
            guard entry.amount > 0 else { continue }
            var amount = entry.amount
            if Self.isReturn(entry.kind) {
                let back = min(own[entry.subject] ?? 0, amount)
                own[entry.subject]? -= back
                amount -= back
            }
            switch entry.kind {
            case _ where entry.cardMarket != nil: cards += amount
            case .capture?, .tip?, .fine?, .commission?, .debtPaid?: earnings += amount
            case .refund?, .release?, .refundReturn?: refunds += amount
            default: other += amount
            }
        }
        spent = own.values.reduce(0, +)
    }

    private static func isReturn(_ kind: Transfer.Kind?) -> Bool {
        switch kind {
        case .release?, .capture?, .refund?, .reversal?, .cashOutReturn?, .payoutReturn?, .depositReturn?,
            .disputeReturn?:
            true
        default: false
        }
    }
}
