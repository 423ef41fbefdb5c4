import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres

/// Which message tells whom what.
enum NotificationHandlers {
    static func register(
        _ hub: StreamHub, _ markets: LiveMarkets, _ clock: @escaping @Sendable () -> Date,
        in handlers: inout MessageHandlers
    ) {
        accounts(&handlers, hub, markets, clock)
        orders(&handlers, hub, markets)
        payments(&handlers, hub)
        wallets(&handlers, hub)
        days(&handlers, hub, markets)
        admins(&handlers, hub, markets)
        deliveries(&handlers)
        deletions(&handlers, hub, clock)
    }

    private static func accounts(
        _ handlers: inout MessageHandlers, _ hub: StreamHub, _ markets: LiveMarkets,
        _ clock: @escaping @Sendable () -> Date
    ) {
        handlers.onBatch(AccountRegistered.self) { received, transaction in
            remember(received.map(\.message.account), transaction, hub)
        }
        handlers.onBatch(AccountChanged.self) { received, transaction in
            transaction.send(StopWebhooksOfLostRoles(people: received.map(\.message.account), now: clock()))
            remember(received.map(\.message.account), transaction, hub)
        }
        handlers.on(AccountBanned.self) { received, transaction in
            let (account, market) = (received.message.account, received.message.market)
            transaction.send(StopWebhooksOfBanned(account: account, market: market, now: clock()))
            transaction.send(DeleteDevicesOfBanned(account: account, market: market))
            NoticeWriter.of(transaction, hub).tell(
                try BanNotices.notices(received.message, markets.settings(of: market)))
            transaction.send(BarCalls(account: account, market: market))
            TalkBans.begin(received.message, in: transaction)
        }
        handlers.onBatch(AccountUnbanned.self) { received, transaction in
            TalkBans.lift(received.map(\.message), in: transaction)
            try tell(received, transaction, hub, BanNotices.notices)
        }
        // No news: nobody is told anything.
        handlers.on(AccountsTold.self, sharesTransaction: false) { received, transaction in
            transaction.send(UpsertRepublishedPeople(told: received.message))
            TalkBans.store(told: received.message, in: transaction)
        }
        handlers.on(LinksTold.self, sharesTransaction: false) { received, transaction in
            FriendTalk.open(received.message, in: transaction)
        }
        handlers.onBatch(ProviderVerified.self) { received, transaction in
            AdminItemWriter.of(transaction, hub).note(received.map(\.message), markets)
            remember(received.map(\.message.account), transaction, hub)
            try tell(received, transaction, hub, PersonNotices.notices)
        }
        handlers.onBatch(WayShared.self) { try tell($0, $1, hub, PersonNotices.notices) }
        handlers.onBatch(OrderNobodyYet.self) { received, transaction in
            for event in received.map(\.message) {
                AdminItemWriter.of(transaction, hub).note(
                    OrderAdminFacts.of(event, markets.settings(of: event.order.market)))
            }
            try tell(received, transaction, hub, PersonNotices.notices)
        }
        handlers.onBatch(LinkMoved.self) { received, transaction in
            FriendTalk.open(received.map(\.message), in: transaction)
            AdminItemWriter.of(transaction, hub).note(received.map(\.message), markets)
            try tell(received, transaction, hub, LinkNotices.notices)
        }
        handlers.onBatch(GroupChanged.self) { received, transaction in
            GroupTalk.store(received.map(\.message), in: transaction)
            try tell(received, transaction, hub, GroupNotices.notices)
        }
        handlers.onBatch(GroupStrayed.self) { try tell($0, $1, hub, GroupNotices.notices) }
        handlers.onBatch(TitleQuestioned.self) { received, transaction in
            AdminItemWriter.of(transaction, hub).note(received.map(\.message), markets)
            try tell(received, transaction, hub, PersonNotices.notices)
        }
        handlers.onBatch(ProviderUnseen.self) { try tell($0, $1, hub, PersonNotices.notices) }
        handlers.onBatch(ProviderRejected.self) { received, transaction in
            AdminItemWriter.of(transaction, hub).note(received.map(\.message), markets)
            remember(received.map(\.message.account), transaction, hub)
            try tell(received, transaction, hub, PersonNotices.notices)
        }
        handlers.onBatch(DocumentDecided.self) { received, transaction in
            AdminItemWriter.of(transaction, hub).note(received.map(\.message), markets)
            try tell(received, transaction, hub, PersonNotices.notices)
        }
        handlers.onBatch(DocumentExpiring.self) { received, transaction in
            try tell(received, transaction, hub, PersonNotices.notices)
        }
    }

    /// The streams of a deleted account end with its sessions. Waiting deliveries are still sent: one of them announces
    /// the deletion. Items of other accounts are changed afterwards (``NameRemoval``), since there may be very many.
    ///
    /// In a transaction of its own: a batch locks streams in the order of their accounts, and this one would be locked before
    /// them.
    private static func deletions(
        _ handlers: inout MessageHandlers, _ hub: StreamHub, _ clock: @escaping @Sendable () -> Date
    ) {
        handlers.on(AccountDeleted.self, sharesTransaction: false) { received, transaction in
            let (account, version) = (received.message.account, received.message.version)
            // What the account is just storing about itself is committed, and is seen below.
            transaction.send(LockOwnRows(account: account))
            // Webhooks before people, and people before streams, as a batch of notices has them.
            transaction.send(DeleteWebhooksOfAccount(account: account))
            transaction.send(ForgetPerson(account: account, version: version))
            transaction.send(DeleteMarketPeople(account: account))
            // Calls before conversations, and both before streams, as whoever calls and writes has them.
            transaction.send(BarCalls(account: account, market: "*"))
            transaction.send(DeleteEndedCalls(account: account))
            transaction.send(LockConversationsOfAccount(account: account))
            transaction.send(BlankMessages(account: account))
            transaction.send(BlankMessageReports(account: account))
            transaction.send(ForgetGroupTitles(account: account))
            transaction.send(ForgetMemberName(account: account, name: AccountSnapshot.goneName))
            transaction.send(CloseStream(account: account))
            // Devices after streams, as a batch of notices has them.
            transaction.send(DeleteDevicesOfAccount(account: account))
            transaction.send(DeleteTalkBans(account: account))
            transaction.send(DeleteChoices(account: account))
            transaction.send(DeleteQuietHours(account: account))
            transaction.send(DeleteItems(account: account))
            transaction.send(DeleteStream(account: account))
            transaction.send(BlankToldMessages(account: account))
            // After it: by them it is known which admins have heard something.
            transaction.send(DeleteInquiries(account: account))
            transaction.send(AddNameToForget(account: account))
            transaction.send(SettleAdminItemsOfPerson(account: account, now: clock()))
        }
        handlers.onBatch(DeletionRefused.self) { received, transaction in
            try tell(received, transaction, hub, PersonNotices.notices)
        }
    }

    private static func deliveries(_ handlers: inout MessageHandlers) {
        handlers.on(DeliveryRequested.self) { received, transaction in
            let request = received.message
            transaction.send(InsertDelivery(request: request, kind: NoticeKind(text: request.text)))
        }
    }

    private static func orders(_ handlers: inout MessageHandlers, _ hub: StreamHub, _ markets: LiveMarkets) {
        func on<Event: OrderEvent>(_ type: Event.Type) {
            handlers.onBatch(type) { received, transaction in
                let writer = NoticeWriter.of(transaction, hub)
                for one in received {
                    let market = markets.named(one.message.order.market)
                    let settings = markets.settings(of: one.message.order.market)
                    AdminItemWriter.of(transaction, hub).note(OrderAdminFacts.of(one.message, settings))
                    writer.tell(
                        try OrderNotices(one.message, in: market, settings: settings, message: one.envelope.id).all())
                }
                let events = try received.map {
                    try WebhookEvent(
                        $0.message.order, in: markets.named($0.message.order.market), name: Event.name,
                        message: $0.envelope.id)
                }
                transaction.send(QueueWebhooks(events: events))
                TalkOrderWriter.of(transaction).remember(received.map(\.message.order))
            }
        }
        for type in AllMessages.orderEvents { on(type) }
        handlers.onBatch(AppointmentNear.self) { received, transaction in
            let writer = NoticeWriter.of(transaction, hub)
            for one in received.map(\.message) {
                writer.tell(try AppointmentNotices.notices(one, markets.settings(of: one.order.market)))
            }
        }
        handlers.onBatch(ReportAnswered.self) { received, transaction in
            AdminItemWriter.of(transaction, hub).note(received.map(\.message), markets)
            transaction.send(
                StoreTalkReports(
                    reports: received.map {
                        .init(report: $0.message.report, order: $0.message.order, closedAt: $0.message.at)
                    }))
            try tell(received, transaction, hub, PersonNotices.notices)
        }
        handlers.onBatch(RatingGiven.self) { received, transaction in
            try tell(received, transaction, hub, PersonNotices.notices)
        }
    }

    private static func payments(_ handlers: inout MessageHandlers, _ hub: StreamHub) {
        handlers.onBatch(PaymentHeld.self) { try tell($0, $1, hub, PaymentNotices.notices) }
        handlers.onBatch(PaymentActionRequired.self) { try tell($0, $1, hub, PaymentNotices.notices) }
        handlers.onBatch(CardExpiring.self) { try tell($0, $1, hub, PaymentNotices.notices) }
        handlers.onBatch(CardExpired.self) { try tell($0, $1, hub, PaymentNotices.notices) }
        handlers.onBatch(PaymentCaptured.self) { try tell($0, $1, hub, PaymentNotices.notices) }
        handlers.onBatch(PaymentReleased.self) { try tell($0, $1, hub, PaymentNotices.notices) }
        handlers.onBatch(TopUpCompleted.self) { try tell($0, $1, hub, PaymentNotices.notices) }
        handlers.onBatch(WalletManaged.self) { try tell($0, $1, hub, PaymentNotices.notices) }
    }

    private static func wallets(_ handlers: inout MessageHandlers, _ hub: StreamHub) {
        handlers.onBatch(FineCharged.self) { try tell($0, $1, hub, WalletNotices.notices) }
        handlers.onBatch(AccountBlocked.self) { try tell($0, $1, hub, WalletNotices.notices) }
        handlers.onBatch(AccountUnblocked.self) { try tell($0, $1, hub, WalletNotices.notices) }
        handlers.onBatch(PaymentRefunded.self) { try tell($0, $1, hub, WalletNotices.notices) }
        handlers.onBatch(MoneyWaiting.self) { try tell($0, $1, hub, WalletNotices.notices) }
        handlers.onBatch(MoneyAvailable.self) { try tell($0, $1, hub, WalletNotices.notices) }
        handlers.onBatch(MoneyGivenUp.self) { try tell($0, $1, hub, WalletNotices.notices) }
        handlers.onBatch(WriteOffChanged.self) { try tell($0, $1, hub, WalletNotices.notices) }
        handlers.onBatch(TipGiven.self) { try tell($0, $1, hub, WalletNotices.notices) }
        handlers.onBatch(DepositLocked.self) { try tell($0, $1, hub, WalletNotices.notices) }
        handlers.onBatch(DepositRefused.self) { try tell($0, $1, hub, WalletNotices.notices) }
        handlers.onBatch(DepositEnded.self) { try tell($0, $1, hub, WalletNotices.notices) }
        handlers.onBatch(CashOutPaid.self) { try tell($0, $1, hub, OutgoingMoneyNotices.notices) }
        handlers.onBatch(RefundReturned.self) { try tell($0, $1, hub, OutgoingMoneyNotices.notices) }
        handlers.onBatch(WalletUnfrozen.self) { try tell($0, $1, hub, OutgoingMoneyNotices.notices) }
        handlers.onBatch(SubscriptionExpired.self) { try tell($0, $1, hub, OutgoingMoneyNotices.notices) }
    }

    /// What waits for the admins of a market, and what does no longer; some of it concerns its owner, too.
    private static func admins(_ handlers: inout MessageHandlers, _ hub: StreamHub, _ markets: LiveMarkets) {
        func on<M: Message>(_ type: M.Type, _ notices: @escaping @Sendable (M) throws -> [Notice] = { _ in [] }) {
            handlers.onBatch(type) { received, transaction in
                AdminItemWriter.of(transaction, hub).note(received.map(\.message), markets)
                try tell(received, transaction, hub, notices)
            }
        }
        on(CashOutAsked.self)
        on(CashOutDecided.self, OutgoingMoneyNotices.notices)
        on(CashOutFailed.self, OutgoingMoneyNotices.notices)
        on(ApprovalChanged.self)
        on(ApprovalEnded.self, OutgoingMoneyNotices.notices)
        on(DisputeChanged.self, OutgoingMoneyNotices.notices)
        on(DocumentSubmitted.self)
        on(RemovalAsked.self)
        on(AccountManaged.self)
    }

    /// Notices that name a day, in the market's current time zone.
    private static func days(_ handlers: inout MessageHandlers, _ hub: StreamHub, _ markets: LiveMarkets) {
        handlers.onBatch(SeriesVisitDropped.self) { received, transaction in
            try tell(received, transaction, hub) { event in
                try SeriesNotices.notices(event, markets.settings(of: event.market))
            }
        }
        handlers.onBatch(FineReminder.self) { received, transaction in
            try tell(received, transaction, hub) { event in
                try WalletNotices.notices(event, markets.settings(of: event.market))
            }
        }
        handlers.onBatch(SeriesPriceRose.self) { received, transaction in
            try tell(received, transaction, hub) { event in
                try SeriesNotices.notices(event, markets.settings(of: event.market))
            }
        }
        handlers.onBatch(SeriesEnded.self) { try tell($0, $1, hub, SeriesNotices.notices) }
        handlers.onBatch(SeriesManaged.self) { try tell($0, $1, hub, SeriesNotices.notices) }
        handlers.onBatch(PaymentRefused.self) { received, transaction in
            try tell(received, transaction, hub) { event in
                try PaymentNotices.notices(event, markets.settings(of: event.payment.market))
            }
        }
        handlers.onBatch(SubscriptionStarted.self) { received, transaction in
            try tell(received, transaction, hub) { event in
                try OutgoingMoneyNotices.notices(event, markets.settings(of: event.market))
            }
        }
        handlers.onBatch(SubscriptionRenewalFailed.self) { received, transaction in
            try tell(received, transaction, hub) { event in
                try OutgoingMoneyNotices.notices(event, markets.settings(of: event.market))
            }
        }
    }

    private static func remember(_ accounts: [AccountSnapshot], _ transaction: PostgresTransaction, _ hub: StreamHub) {
        NoticeWriter.of(transaction, hub).remember(accounts)
    }

    private static func tell<M: Message>(
        _ received: [Received<M>], _ transaction: PostgresTransaction, _ hub: StreamHub,
        _ notices: (M) throws -> [Notice]
    ) throws {
        let writer = NoticeWriter.of(transaction, hub)
        for one in received { writer.tell(try notices(one.message)) }
    }
}
