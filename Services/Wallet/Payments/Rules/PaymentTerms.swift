import Foundation

/// What is paid for, to whom, and how it is divided. Agreed when the order is accepted; of an order that is paid before,
/// the price is agreed then, and the rest when somebody accepts it.
struct PaymentTerms: Hashable, Sendable {
    /// Nil when the order has none.
    var provider: UUID?
    var providerName: String?
    /// What is paid for, by language.
    var title: [String: String]
    /// Minor units.
    var amount: Int
    /// As the market's setting was when the order was accepted.
    var commissionBasisPoints: Int
    /// The platform's share of what merchants get, as it was then.
    var merchantCommissionBasisPoints = 0
    /// Who is paid, where there are several; else all is the provider's.
    var payees: [Payee] = []
    /// Minor units: what it costs by the newest that is known, where that is not the price, and the total that ``payees`` are of.
    var total: Int?
    /// What the customer was told to pay less, by the order's quote.
    var promised: PromisedDiscount?
    /// Whether the customer sets the price, as of a parcel.
    var isCustomerPriced = false

    /// Those who are paid; nobody as long as there is no provider.
    var allPayees: [Payee] {
        guard payees.isEmpty, let provider else { return payees }
        return [Payee(party: .provider, account: provider, name: providerName ?? "", amount: total ?? amount)]
    }

    /// Whom the customer pays, by name: who sells it, or, where nobody does, who does it. Nil as long as there is neither, and
    /// of what the platform sells itself.
    var beneficiary: String? { payees.first { $0.party == .merchant }?.name ?? providerName }

    /// Takes over who is paid, and that it costs less in the end, once the price is agreed. The price stays.
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

/// Somebody who is paid out of a price.
struct Payee: Hashable, Sendable, Codable {
    enum Party: String, Sendable, Codable, CaseIterable { case provider, merchant }

    let party: Party
    let account: UUID
    let name: String
    /// Minor units, before the commission.
    var amount: Int

    /// - Returns: each party's account once, with the sum of what it gets; nil when they are no part of the total: an
    ///   amount is below zero, or they are more together.
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
