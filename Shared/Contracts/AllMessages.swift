public import Messaging

/// Every message that a service publishes, for tests and documents.
public enum AllMessages {
    public static let types: [any Message.Type] =
        identity + dispatch + wallet + walletCommands + notifications + admin

    public static let identity: [any Message.Type] = [
        AccountRegistered.self, AccountChanged.self, ProviderVerified.self, ProviderRejected.self,
        SessionsEnded.self, AccountBanned.self, AccountUnbanned.self, AdminChanged.self,
        AccountManaged.self,
        DeliveryRequested.self, DeletionAsked.self, DeletionRefused.self, AccountDeleted.self, LinkConfirmed.self,
        LinkRemoved.self, DocumentViewed.self, DocumentSubmitted.self, DocumentDecided.self, DocumentExpiring.self,
        IdentityListViewed.self, AccountsTold.self,
        LinksTold.self, LinkMoved.self, GroupChanged.self, GroupStrayed.self, RemovalAsked.self, TitleQuestioned.self,
        IdentityDeadMessageManaged.self,
    ]
    /// Every event that carries an order's snapshot. Readers register their handlers from this list, so that none can be
    /// forgotten.
    public static let orderEvents: [any OrderEvent.Type] = [
        OrderPending.self, OrderRequested.self, OrderOffered.self, OrderPassed.self, OrderAccepted.self,
        OrderRefused.self, OrderReopened.self, OrderDeposited.self, OrderPreparing.self, OrderReady.self,
        OrderTimeAsked.self, OrderRescheduled.self, OrderStarted.self, OrderEnRoute.self, OrderNearby.self,
        OrderArrived.self, OrderConfirmed.self, OrderPaymentChanged.self, OrderCompleted.self, OrderCancelled.self,
        OrderExpired.self, OrderDisputed.self, OrderUndecided.self,
    ]
    public static let dispatch: [any Message.Type] =
        orderEvents + [
            ReportOpened.self, OrderManaged.self, RackManaged.self, BikeManaged.self, RestaurantManaged.self,
            TrailViewed.self, RatingGiven.self,
            SeriesVisitDropped.self, SeriesPriceRose.self, SeriesEnded.self, SeriesManaged.self,
            DispatchAnsweredDeletion.self,
            DispatchListViewed.self, OrdersTold.self, ProviderUnseen.self,
            OrderNobodyYet.self, AppointmentNear.self, WayShared.self, DispatchDeadMessageManaged.self,
        ]
    public static let wallet: [any Message.Type] = [
        PaymentHeld.self, PaymentRefused.self, PaymentCaptured.self, PaymentReleased.self, TopUpCompleted.self,
        WalletAnsweredDeletion.self, TransferPosted.self, TransferRefused.self, FineCharged.self, FineReminder.self,
        AccountBlocked.self, AccountUnblocked.self, PaymentRefunded.self, TipGiven.self, DepositLocked.self,
        DepositRefused.self, DepositEnded.self, PaymentActionRequired.self, CardExpiring.self, CardExpired.self,
        MethodChanged.self,
        CashOutAsked.self, CashOutDecided.self, CashOutPaid.self, CashOutFailed.self, SubscriptionStarted.self,
        SubscriptionExpired.self,
        SubscriptionRenewalFailed.self, WalletManaged.self, ApprovalChanged.self, ApprovalEnded.self, MoneyWaiting.self,
        MoneyAvailable.self, MoneyGivenUp.self, WriteOffChanged.self, PromoCodeChanged.self, DisputeChanged.self,
        WalletUnfrozen.self, RefundReturned.self,
        WalletListViewed.self, PaymentsTold.self, StandingsTold.self, PromoCodesTold.self,
        WalletDeadMessageManaged.self,
    ]
    /// Commands to the wallet, from any service that may publish to its commands' exchange.
    public static let walletCommands: [any Message.Type] = [
        PlaceHold.self, CaptureHold.self, ReleaseHold.self, PostTransfer.self, ReverseTransfer.self,
    ]
    public static let notifications: [any Message.Type] = [
        DeliveryFailed.self, NotificationsDeadMessageManaged.self, TalkManaged.self, NoticeManaged.self,
        AdminItemManaged.self,
        NotificationsListViewed.self,
    ]
    public static let admin: [any Message.Type] = [
        SettingChanged.self, ReportDecided.self, ReportAnswered.self, SettingsTold.self, RebuildAsked.self,
        CatalogueChanged.self, CatalogueTold.self, TermsPublished.self,
    ]
}
