import Foundation

/// Where a wallet's money came from before a cash-out, for the admin who decides it. In minor units.
struct MoneySources: Hashable, Sendable {
    /// The maximum history in days, and in entries.
    static let days = 90
    static let entryLimit = 5_000

    /// Top-ups by card, and the prices of late cancellations.
    private(set) var cards = 0
    /// Pay for work: shares, tips, fines from late customers, and waiting money that debtors have paid.
    private(set) var earnings = 0
    /// Money returned for orders.
    private(set) var refunds = 0
    /// Transfers between wallets, and deposits of other accounts.
    private(set) var other = 0
    /// The amount that was spent or left the wallet in that time.
    private(set) var spent = 0

    /// - Parameter history: the entries in any order. Money taken and returned within the period counts neither as
    ///   income nor as spent.
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
