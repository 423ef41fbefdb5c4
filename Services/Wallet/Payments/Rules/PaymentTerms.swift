import Foundation

/// The subject of a payment, its payees, and the division of the price. Agreed at the order's acceptance. For an order
/// that is paid first, the price is agreed when the payment becomes due, the rest at the acceptance.
struct PaymentTerms: Hashable, Sendable {
    /// Nil while the order has no provider.
    var provider: UUID?
    var providerName: String?
    /// The names of the services, by language.
    var title: [String: String]
    /// Minor units.
    var amount: Int
    /// The market's setting at the acceptance.
    var commissionBasisPoints: Int
    /// The platform's share of the merchants' parts, as set at the acceptance.
    var merchantCommissionBasisPoints = 0
    /// The payees, if there are several; empty when the provider gets everything.
    var payees: [Payee] = []
    /// Minor units: the newest known cost where it differs from the price, and the total that ``payees`` refer to.
    var total: Int?
    /// The discount that the order's quote promised.
    var promised: PromisedDiscount?
    /// Whether the customer sets the price, as for a parcel.
    var isCustomerPriced = false

    /// Everybody who is paid; empty while there is no provider.
    var allPayees: [Payee] {
        guard payees.isEmpty, let provider else { return payees }
        return [Payee(party: .provider, account: provider, name: providerName ?? "", amount: total ?? amount)]
    }

    /// The name that the customer sees as the receiver: the merchant's, otherwise the provider's. Nil without either,
    /// for what the platform sells itself, and where nobody but the platform earns.
    var beneficiary: String? {
        guard !allPayees.contains(where: { !earnsNothing($0.party) }) else {
            return payees.first { $0.party == .merchant }?.name ?? providerName
        }
        return allPayees.isEmpty ? providerName : nil
    }

    /// The platform's share of a party's part, in basis points.
    func commission(of party: Payee.Party) -> Int {
        party == .provider ? commissionBasisPoints : merchantCommissionBasisPoints
    }

    /// Whether a party's whole part is the platform's, because the party is employed.
    func earnsNothing(_ party: Payee.Party) -> Bool { commission(of: party) == 10_000 }

    /// Takes over newer payees and a lower final cost. The agreed price stays.
    mutating func follow(_ newer: PaymentTerms) {
        if newer.provider != provider {
            provider = newer.provider
            providerName = newer.providerName
            commissionBasisPoints = newer.commissionBasisPoints
            merchantCommissionBasisPoints = newer.merchantCommissionBasisPoints
            payees = []
            total = nil
        }
        if !newer.payees.isEmpty {
            payees = newer.payees
            total = newer.total
        } else if payees.isEmpty {
            total = newer.amount < amount ? newer.amount : nil
        }
    }
}

/// A party that is paid out of a price.
struct Payee: Hashable, Sendable, Codable {
    enum Party: String, Sendable, Codable, CaseIterable { case provider, merchant }

    let party: Party
    let account: UUID
    let name: String
    /// Minor units, before the commission.
    var amount: Int

    /// - Returns: one payee for each party and account, with the sum of its amounts; nil when an amount is negative or
    ///   the sum exceeds the total.
    static func all(_ payees: [Payee], of total: Int) -> [Payee]? {
        var found: [Payee] = []
        var sum = 0
        for payee in payees {
            let (next, overflow) = sum.addingReportingOverflow(payee.amount)
            guard payee.amount >= 0, !overflow else { return nil }
            sum = next
            if let known = found.firstIndex(where: { $0.party == payee.party && $0.account == payee.account }) {
                found[known].amount += payee.amount
            } else {
                found.append(payee)
            }
        }
        return sum <= total ? found : nil
    }
}
