import Foundation

/// Divides a captured amount among the payees and the platform. The parts always sum to the amount.
///
/// Each payee gets the same proportion of the amount as of the total, rounded down to a whole minor unit. The
/// remainder, less than one unit per payee, goes to the provider, or to the first payee without a provider. From each
/// part the platform takes its commission, rounded half up (``Shares``). The part of the total without a payee, such as
/// a service fee, is the platform's, rounded down.
struct Division: Hashable, Sendable {
    struct Part: Hashable, Sendable {
        let payee: Payee
        let shares: Shares
        /// The part after the commission.
        var net: Int { shares.provider }
        var commission: Int { shares.platform }
    }

    let parts: [Part]
    /// The commissions plus the part without a payee.
    let platform: Int

    /// - Parameter amount: minor units, at least zero.
    init(of amount: Int, by terms: PaymentTerms) {
        let payees = terms.allPayees
        let total = max(terms.total ?? terms.amount, payees.map(\.amount).reduce(0, +))
        var gross = payees.map { Self.part($0.amount, of: amount, total: total) }
        let fee = Self.part(total - payees.map(\.amount).reduce(0, +), of: amount, total: total)
        let rest = amount - fee - gross.reduce(0, +)
        if !gross.isEmpty { gross[payees.firstIndex { $0.party == .provider } ?? 0] += rest }
        parts = zip(payees, gross).map { payee, gross in
            Part(
                payee: payee,
                shares: Shares(of: gross, commissionBasisPoints: terms.commission(of: payee.party)))
        }
        platform = amount - parts.map(\.net).reduce(0, +)
    }

    /// The sum of a party's parts after commission.
    func net(of party: Payee.Party) -> Int {
        parts.filter { $0.payee.party == party }.map(\.net).reduce(0, +)
    }

    /// `part × amount ÷ total`, rounded down.
    private static func part(_ part: Int, of amount: Int, total: Int) -> Int {
        guard part > 0, amount > 0, total > 0 else { return 0 }
        guard amount != total else { return part }
        let (high, low) = part.multipliedFullWidth(by: amount)
        // The part is at most the total, so the quotient is at most the amount and fits.
        return total.dividingFullWidth((high, low)).quotient
    }
}
