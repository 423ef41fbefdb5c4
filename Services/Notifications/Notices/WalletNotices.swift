import Contracts
import Foundation
import Messaging
import SeraiJSON

/// The notices about fines, refunds, tips and deposits. Each party sees only its own part.
enum WalletNotices {
    static func notices(_ event: FineCharged) throws -> [Notice] {
        var notices = [
            try item(
                .fineCharged,
                ["amount": TextArgument(event.amount), "days": .number(days(from: event.at, to: event.dueAt))],
                to: event.account, order: event.order, event.at)
        ]
        if let provider = event.provider, event.providerShare.amount > 0 {
            notices.append(
                try item(
                    .fineReceived, ["share": TextArgument(event.providerShare)], to: provider, order: event.order,
                    event.at))
        }
        return notices
    }

    /// After the end of the time for paying the reminder says that the account is blocked.
    ///
    /// - Parameter settings: the settings of the fine's market.
    static func notices(_ event: FineReminder, _ settings: MarketSettings?) throws -> [Notice] {
        guard event.dueAt > event.at else {
            let since = settings.map { $0.day(of: event.dueAt) } ?? String(WireTime.text(event.dueAt).prefix(10))
            return [
                try item(
                    .fineReminderBlocked,
                    ["owed": TextArgument(event.owed), "market": market(event.market), "since": .text(since)],
                    to: event.account, order: nil, event.at)
            ]
        }
        return [
            try item(
                .fineReminder,
                ["owed": TextArgument(event.owed), "days": .number(days(from: event.at, to: event.dueAt))],
                to: event.account, order: nil, event.at)
        ]
    }

    static func notices(_ event: AccountBlocked) throws -> [Notice] {
        [
            try item(
                .accountBlocked, ["owed": TextArgument(event.owed), "market": market(event.market)],
                to: event.account, order: nil, event.at)
        ]
    }

    static func notices(_ event: AccountUnblocked) throws -> [Notice] {
        [try item(.accountUnblocked, ["market": market(event.market)], to: event.account, order: nil, event.at)]
    }

    static func notices(_ event: PaymentRefunded) throws -> [Notice] {
        let arguments = ["amount": TextArgument(event.amount), "reason": .text(event.reason)]
        var notices = [
            try item(
                event.to == .wallet ? .paymentRefunded : .paymentRefundedToCard, arguments, to: event.customer,
                order: event.order, event.at)
        ]
        if let funder = event.funder {
            notices.append(
                try item(.paymentRefundFunded, arguments, to: funder, order: event.order, event.at))
        }
        return notices
    }

    static func notices(_ event: TipGiven) throws -> [Notice] {
        [
            try item(
                .tipReceived, ["amount": TextArgument(event.amount)], to: event.provider, order: event.order, event.at)
        ]
    }

    /// The notice of a fine already tells of its waiting share, so this message makes no second one.
    static func notices(_ event: MoneyWaiting) throws -> [Notice] {
        if event.isOfFine == true { return [] }
        return [
            try item(
                .moneyWaiting, ["amount": TextArgument(event.amount)], to: event.account, order: event.order, event.at)
        ]
    }

    static func notices(_ event: MoneyAvailable) throws -> [Notice] {
        [
            try item(
                .moneyAvailable, ["amount": TextArgument(event.amount)], to: event.account, order: event.order, event.at
            )
        ]
    }

    /// The debtor owes less. The receiver has done it, and needs no notice.
    static func notices(_ event: MoneyGivenUp) throws -> [Notice] {
        [
            try item(
                .moneyGivenUp, ["amount": TextArgument(event.amount)], to: event.debtor, order: event.order, event.at)
        ]
    }

    /// Those who waited are told by ``MoneyAvailable``.
    static func notices(_ event: WriteOffChanged) throws -> [Notice] {
        guard event.state == .made else { return [] }
        return [
            try item(
                .debtWrittenOff, ["amount": TextArgument(event.amount), "market": market(event.market)],
                to: event.account, order: nil, event.at)
        ]
    }

    static func notices(_ event: DepositLocked) throws -> [Notice] {
        [try deposit(.depositLocked, event.amount, to: event.provider, event.order, event.at)]
    }

    static func notices(_ event: DepositRefused) throws -> [Notice] {
        [try deposit(.depositRefused, event.amount, to: event.provider, event.order, event.at)]
    }

    static func notices(_ event: DepositEnded) throws -> [Notice] {
        switch event.to {
        case .provider: [try deposit(.depositReturned, event.amount, to: event.provider, event.order, event.at)]
        case .customer:
            [
                try deposit(.depositForfeited, event.amount, to: event.provider, event.order, event.at),
                try deposit(.depositReceived, event.amount, to: event.customer, event.order, event.at),
            ]
        }
    }

    private static func deposit(
        _ topic: InboxTopic, _ amount: Money, to account: UUID, _ order: UUID, _ at: Date
    ) throws -> Notice {
        try item(topic, ["amount": TextArgument(amount)], to: account, order: order, at)
    }

    private static func item(
        _ topic: InboxTopic, _ arguments: [String: TextArgument], to account: UUID, order: UUID?, _ at: Date
    ) throws -> Notice {
        try .item(topic, arguments, to: account, order: order, at: at, id: .timeOrdered())
    }

    /// Whole days, rounded up; zero if the time is over.
    private static func days(from: Date, to: Date) -> Int {
        Int((max(0, min(to.timeIntervalSince(from), 1e9)) / 86_400).rounded(.up))
    }

    private static func market(_ id: String) -> TextArgument {
        .words([Market.named(id)?.name.texts ?? ["en": id]])
    }
}
