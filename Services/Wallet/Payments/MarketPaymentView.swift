import Contracts
import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// A payment in a list for the market's admins.
struct MarketPaymentView: Encodable, Sendable {
    struct Party: Encodable, Sendable {
        let account: String
        let name: String
    }

    let order: String
    let at: Date
    let state: String
    /// In the caller's language, like the other texts.
    let stateText: String
    let method: String?
    let methodText: String?
    let customer: Party
    let provider: Party?
    let amount: AmountView
    let discount: AmountView?
    let commissionBasisPoints: Int
    let refusal: String?
    let refusalText: String?

    init(_ row: ListPayments.Row, _ language: Language) { self.init(row.payment, at: row.madeAt, language) }

    init(_ payment: Payment, at: Date, _ language: Language) {
        order = payment.order.text
        self.at = at
        state = payment.state.rawValue
        stateText = payment.state.nameForAdmins.text(in: language.rawValue)
        method = payment.method?.rawValue
        methodText = payment.method?.name.text(in: language.rawValue)
        customer = Party(account: payment.customer.text, name: payment.customerName)
        provider = payment.provider.map { Party(account: $0.text, name: payment.terms.providerName ?? "") }
        amount = AmountView(amount: payment.price, currency: payment.currency)
        discount = payment.promotion.map { _ in AmountView(amount: payment.discount, currency: payment.currency) }
        commissionBasisPoints = payment.terms.commissionBasisPoints
        refusal = payment.refusal
        refusalText = StatementWords.text(of: payment.refusal, in: language.rawValue)
    }
}

/// A payment with all its ledger transfers.
struct PaymentHistoryView: ResponseEncodable, Sendable {
    struct Transfer: Encodable, Sendable {
        let transfer: String
        let kind: String
        let kindText: String
        let at: Date
        var entries: [Entry]
    }

    struct Entry: Encodable, Sendable {
        /// The kind of the account.
        let account: String
        let accountText: String
        /// The owner of a wallet; nil for accounts of orders, the platform and the payment provider.
        let owner: String?
        let amount: Int
    }

    let order: String
    let state: String
    /// In the caller's language, like the other texts.
    let stateText: String
    let method: String?
    let methodText: String?
    let amount: AmountView
    let discount: AmountView?
    let commissionBasisPoints: Int
    /// Nil before the capture.
    let providerShare: Int?
    let platformShare: Int?
    let refusal: String?
    let refusalText: String?
    let transfers: [Transfer]

    init(_ payment: Payment, _ legs: [LedgerLeg], _ language: Language) {
        order = payment.order.text
        state = payment.state.rawValue
        stateText = payment.state.nameForAdmins.text(in: language.rawValue)
        method = payment.method?.rawValue
        methodText = payment.method?.name.text(in: language.rawValue)
        amount = AmountView(amount: payment.price, currency: payment.currency)
        discount = payment.promotion.map { _ in AmountView(amount: payment.discount, currency: payment.currency) }
        commissionBasisPoints = payment.terms.commissionBasisPoints
        providerShare = payment.madeDivision?.net(of: .provider)
        platformShare = payment.madeDivision?.platform
        refusal = payment.refusal
        refusalText = StatementWords.text(of: payment.refusal, in: language.rawValue)
        var transfers: [Transfer] = []
        for leg in legs {
            let isPerson = leg.account == AccountReference.Kind.wallet.rawValue
            let entry = Entry(
                account: leg.account,
                accountText: AccountReference.Kind(rawValue: leg.account)?.name.text(in: language.rawValue)
                    ?? leg.account,
                owner: isPerson ? leg.owner.text : nil, amount: leg.amount)
            if transfers.last?.transfer == leg.transfer.text {
                transfers[transfers.count - 1].entries.append(entry)
            } else {
                let kind = SeraiWallet.Transfer.Kind(rawValue: leg.kind)?.name.text(in: language.rawValue)
                transfers.append(
                    Transfer(
                        transfer: leg.transfer.text, kind: leg.kind, kindText: kind ?? leg.kind, at: leg.at,
                        entries: [entry]))
            }
        }
        self.transfers = transfers
    }
}

struct CommissionsView: ResponseEncodable, Sendable {
    struct Ratio: Encodable, Sendable {
        /// The party that earned the revenue: `provider`, `merchant`, or `platform`, which keeps all of it.
        let party: String
        /// In the caller's language.
        let partyText: String?
        let basisPoints: Int
        let payments: Int
        /// Minor units.
        let revenue: Int
        let commission: Int
    }

    /// The ratio for orders accepted from now on.
    let basisPoints: Int
    let currency: String
    /// The ratios that were applied.
    let items: [Ratio]
    /// The platform's share of the fines of this period, in minor units.
    let fineShare: Int
}
