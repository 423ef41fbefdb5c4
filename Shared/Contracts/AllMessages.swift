public import Messaging

/// Every message that a service publishes, for tests and documents.
public enum AllMessages {
    public static let types: [any Message.Type] = identity + dispatch + wallet + walletCommands + admin

    public static let identity: [any Message.Type] = [
        AccountRegistered.self, AccountChanged.self, ProviderVerified.self, ProviderRejected.self,
        SessionsEnded.self, AccountBanned.self, AccountUnbanned.self, AdminChanged.self,
        AccountManaged.self,
        DeliveryRequested.self, DeletionAsked.self, DeletionRefused.self, AccountDeleted.self, LinkConfirmed.self,
        LinkRemoved.self, DocumentViewed.self, DocumentDecided.self, IdentityListViewed.self, AccountsTold.self,
        LinksTold.self,
    ]
    public static let dispatch: [any Message.Type] = [
        OrderPending.self, OrderDisputed.self, OrderUndecided.self, ReportOpened.self, OrderRequested.self,
        OrderAccepted.self, OrderRefused.self, OrderEnRoute.self, OrderNearby.self,
        OrderArrived.self, OrderConfirmed.self, OrderCompleted.self, OrderCancelled.self, OrderExpired.self,
        OrderOffered.self, OrderPassed.self, OrderReopened.self, OrderDeposited.self, OrderStarted.self,
        OrderPreparing.self, OrderReady.self,
        OrderTimeAsked.self, OrderRescheduled.self, OrderManaged.self, RackManaged.self, TrailViewed.self,
        OrderPaymentChanged.self, RatingGiven.self, SeriesVisitDropped.self, DispatchAnsweredDeletion.self,
        SeriesPriceRose.self, SeriesEnded.self, DispatchListViewed.self, OrdersTold.self,
    ]
    public static let wallet: [any Message.Type] = [
        PaymentHeld.self, PaymentRefused.self, PaymentCaptured.self, PaymentReleased.self, TopUpCompleted.self,
        WalletAnsweredDeletion.self, TransferPosted.self, TransferRefused.self, FineCharged.self, FineReminder.self,
        AccountBlocked.self, AccountUnblocked.self, PaymentRefunded.self, TipGiven.self, DepositLocked.self,
        DepositRefused.self, DepositEnded.self, PaymentActionRequired.self, CardExpiring.self, MethodChanged.self,
        CashOutDecided.self, CashOutPaid.self, CashOutFailed.self, SubscriptionStarted.self, SubscriptionExpired.self,
        SubscriptionRenewalFailed.self, WalletManaged.self, ApprovalChanged.self, MoneyWaiting.self,
        MoneyAvailable.self, PromoCodeChanged.self, DisputeChanged.self, WalletUnfrozen.self, RefundReturned.self,
        WalletListViewed.self, PaymentsTold.self, StandingsTold.self, PromoCodesTold.self,
    ]
    /// Commands to the wallet, from any service that may publish to its commands' exchange.
    public static let walletCommands: [any Message.Type] = [
        PlaceHold.self, CaptureHold.self, ReleaseHold.self, PostTransfer.self, ReverseTransfer.self,
    ]
    public static let admin: [any Message.Type] = [
        SettingChanged.self, ReportDecided.self, ReportAnswered.self, SettingsTold.self,
    ]
}
