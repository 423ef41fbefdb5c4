import Contracts
import Foundation
import Messaging
import ServiceKit

/// The notices about money that leaves wallets: cash-outs and subscriptions.
enum OutgoingMoneyNotices {
    /// An acceptance makes no notice; the payment does.
    static func notices(_ event: CashOutDecided) throws -> [Notice] {
        guard !event.isAccepted else { return [] }
        return [
            try item(
                .cashOutRejected, ["amount": TextArgument(event.amount), "reason": .text(event.reason ?? "")],
                event.account, event.at)
        ]
    }

    static func notices(_ event: CashOutPaid) throws -> [Notice] {
        [try item(.cashOutPaid, ["amount": TextArgument(event.amount)], event.account, event.at)]
    }

    static func notices(_ event: CashOutFailed) throws -> [Notice] {
        let amount = ["amount": TextArgument(event.amount)]
        guard let reason = stopped(event.reason) else {
            return [try item(.cashOutFailed, amount, event.account, event.at)]
        }
        let arguments = amount.merging(["reason": .words([reason])]) { first, _ in first }
        return [try item(.cashOutStopped, arguments, event.account, event.at)]
    }

    /// Why a cash-out was stopped here; nil when it failed at the bank or the payment provider.
    private static func stopped(_ reason: String) -> [String: String]? {
        switch reason {
        case "wallet-frozen":
            ["en": "a payment with your card was taken back", "ar": "استُرجعت دفعة ببطاقتك"]
        case "charge-disputed":
            [
                "en": "a payment with your card was taken back, and your wallet has to pay it",
                "ar": "استُرجعت دفعة ببطاقتك، وعلى محفظتك سدادها",
            ]
        case "account-blocked":
            ["en": "a fine for a late cancellation was not paid in time", "ar": "لم تُدفع غرامة إلغاء متأخر في موعدها"]
        case "wallet-owes": ["en": "you owe money", "ar": "عليك مبلغ مستحق"]
        default: nil
        }
    }

    static func notices(_ event: RefundReturned) throws -> [Notice] {
        [
            try .item(
                .refundReturned, ["amount": TextArgument(event.amount)], to: event.account, order: event.order,
                at: event.at, id: .timeOrdered())
        ]
    }

    /// A notice to the admin who began what ended without a second admin.
    static func notices(_ event: ApprovalEnded) throws -> [Notice] {
        let arguments = ["amount": TextArgument(event.amount), "market": market(event.market)]
        return [try item(.approvalEnded, arguments, event.begunBy, event.at)]
    }

    /// A notice to the wallet's owner, who may know nothing of the dispute, because the card may have been stolen. An
    /// end without effect on the wallet makes no notice.
    static func notices(_ event: DisputeChanged) throws -> [Notice] {
        let amount = ["amount": TextArgument(event.amount)]
        switch event.state {
        case .won, .dismissed: return [try item(.disputeWon, amount, event.account, event.at)]
        case .inquiry, .open, .made, .lost:
            guard event.freezes else { return [] }
            return [try item(.walletFrozen, amount, event.account, event.at)]
        }
    }

    static func notices(_ event: WalletUnfrozen) throws -> [Notice] {
        [try item(.walletUnfrozen, ["market": market(event.market)], event.account, event.at)]
    }

    static func notices(_ event: SubscriptionStarted, _ settings: MarketSettings?) throws -> [Notice] {
        let arguments: [String: TextArgument] = [
            "market": market(event.market), "price": TextArgument(event.price),
            "until": .text(day(event.endsAt, settings)),
        ]
        return [
            try item(
                event.isRenewal ? .subscriptionRenewed : .subscriptionStarted, arguments, event.account, event.at)
        ]
    }

    static func notices(_ event: SubscriptionExpired) throws -> [Notice] {
        [try item(.subscriptionExpired, ["market": market(event.market)], event.account, event.at)]
    }

    static func notices(_ event: SubscriptionRenewalFailed, _ settings: MarketSettings?) throws -> [Notice] {
        let arguments: [String: TextArgument] = [
            "market": market(event.market), "until": .text(day(event.endsAt, settings)),
        ]
        return [try item(.subscriptionNotRenewed, arguments, event.account, event.at)]
    }

    private static func item(
        _ topic: InboxTopic, _ arguments: [String: TextArgument], _ account: UUID, _ at: Date
    ) throws -> Notice {
        try .item(topic, arguments, to: account, order: nil, at: at, id: .timeOrdered())
    }

    /// In the market's time zone.
    private static func day(_ moment: Date, _ settings: MarketSettings?) -> String {
        settings?.day(of: moment) ?? String(Timestamp.text(moment).prefix(10))
    }

    private static func market(_ id: String) -> TextArgument { .words([Market.named(id)?.name.texts ?? ["en": id]]) }
}
