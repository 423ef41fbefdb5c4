public import Messaging

/// Every message that crosses a service's border, for tests and documents.
public enum AllMessages {
    public static let types: [any Message.Type] = identity + dispatch + wallet + admin

    public static let identity: [any Message.Type] = [
        AccountRegistered.self, AccountChanged.self, ProviderVerified.self, ProviderRejected.self,
        SessionsEnded.self, AccountBanned.self, AccountUnbanned.self, AdminChanged.self,
        AccountManaged.self,
        DeliveryRequested.self, DeletionAsked.self, DeletionRefused.self, AccountDeleted.self, LinkConfirmed.self,
        LinkRemoved.self, DocumentViewed.self, DocumentDecided.self,
    ]
    public static let dispatch: [any Message.Type] = [
        OrderRequested.self, OrderAccepted.self, OrderRefused.self, OrderEnRoute.self, OrderNearby.self,
        OrderArrived.self, OrderConfirmed.self, OrderCompleted.self, OrderCancelled.self, OrderExpired.self,
        OrderPaymentChanged.self, RatingGiven.self, DispatchAnsweredDeletion.self,
    ]
    public static let wallet: [any Message.Type] = [
        PaymentHeld.self, PaymentRefused.self, PaymentCaptured.self, PaymentReleased.self, TopUpCompleted.self,
        WalletAnsweredDeletion.self,
        CashOutDecided.self, CashOutPaid.self, CashOutFailed.self, SubscriptionStarted.self, SubscriptionExpired.self,
        WalletManaged.self,
    ]
    public static let admin: [any Message.Type] = [SettingChanged.self]
}
