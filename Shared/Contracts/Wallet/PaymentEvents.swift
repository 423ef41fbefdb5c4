public import Foundation
public import Messaging

/// The price is held in escrow; with the method `cash` it is promised instead.
public struct PaymentHeld: Message {
    public static let name: MessageName = "wallet.payment.held.v1"
    public var payment: PaymentSnapshot
    public var at: Date
    public var aggregate: String { payment.order.text }

    public init(payment: PaymentSnapshot, at: Date) {
        self.payment = payment
        self.at = at
    }
}

/// The customer has to go somewhere and say yes before the price is held: the bank's question (3-D Secure), or PayPal's.
/// Where is for the customer alone, who asks the wallet.
public struct PaymentActionRequired: Message {
    public static let name: MessageName = "wallet.payment.action_required.v1"
    public var payment: PaymentSnapshot
    public var at: Date
    public var aggregate: String { payment.order.text }

    public init(payment: PaymentSnapshot, at: Date) {
        self.payment = payment
        self.at = at
    }
}

/// An attempt to pay failed; the order still waits for its payment, unless the reason is ``promoCodeLost``.
public struct PaymentRefused: Message {
    public static let name: MessageName = "wallet.payment.refused.v1"
    /// The promo code by which the order's price was quoted gives nothing any more. Nothing is held, and nothing more is
    /// charged than was said: the order ends.
    public static let promoCodeLost = "promo-code-lost"
    public var payment: PaymentSnapshot
    /// The method that was tried.
    public var method: PaymentSnapshot.Method
    /// `card-declined`, `insufficient-funds`, `card-expired`, `provider-down`; `authentication-failed` when the customer
    /// was asked and did not say yes, `authentication-required` when there was nobody to ask, `abandoned` by the
    /// customer; `method-not-allowed`, `account-blocked`, `no-such-card` and `price-not-agreed` when an order may not be
    /// charged without its customer; ``promoCodeLost``.
    public var reason: String
    public var at: Date
    /// Of an attempt that was made without the customer, who has to hear of it. Nil of all others.
    public var unattended: Unattended?
    public var aggregate: String { payment.order.text }

    /// An order that is paid without its customer, as a visit that comes again is: it is tried again, and can be paid by
    /// hand, until its time to be paid is over.
    public struct Unattended: Codable, Hashable, Sendable {
        /// Which notice is due: the first one, one while it is tried again, the last warning, or none this time.
        public enum Notice: String, Codable, Sendable, CaseIterable { case first, reminder, last, none }

        public var notice: Notice
        /// When it ends unpaid.
        public var until: Date

        public init(notice: Notice, until: Date) {
            self.notice = notice
            self.until = until
        }
    }

    public init(
        payment: PaymentSnapshot, method: PaymentSnapshot.Method, reason: String, at: Date,
        unattended: Unattended? = nil
    ) {
        self.payment = payment
        self.method = method
        self.reason = reason
        self.at = at
        self.unattended = unattended
    }
}

/// The order is completed and its money divided. The shares, with those of merchants in ``shares``, add up to the amount.
public struct PaymentCaptured: Message {
    public static let name: MessageName = "wallet.payment.captured.v1"
    public var payment: PaymentSnapshot
    /// To the provider's wallet; with cash, what the provider keeps of it.
    public var providerShare: Money
    /// To the platform; with cash, taken from the provider's wallet.
    public var platformShare: Money
    public var at: Date
    /// What each got, where there are several.
    public var shares: [Share]?
    /// What was held above the amount, and went back.
    public var returned: Money?
    public var aggregate: String { payment.order.text }

    public struct Share: Codable, Hashable, Sendable {
        public var party: OrderSnapshot.Share.Payee
        public var account: UUID
        /// After the commission.
        public var share: Money
        public var commission: Money

        public init(party: OrderSnapshot.Share.Payee, account: UUID, share: Money, commission: Money) {
            self.party = party
            self.account = account
            self.share = share
            self.commission = commission
        }
    }

    public init(
        payment: PaymentSnapshot, providerShare: Money, platformShare: Money, at: Date, shares: [Share]? = nil,
        returned: Money? = nil
    ) {
        self.payment = payment
        self.providerShare = providerShare
        self.platformShare = platformShare
        self.at = at
        self.shares = shares
        self.returned = returned
    }
}

/// What was held went back to where it came from: the order ended without completion, or the payment provider did not
/// keep it and the order is not paid any more. After a late cancellation with a fine it is in the customer's wallet.
public struct PaymentReleased: Message {
    public static let name: MessageName = "wallet.payment.released.v1"
    public var payment: PaymentSnapshot
    public var at: Date
    /// Whether it is in the wallet although it was paid otherwise; nil is no.
    public var toWallet: Bool?
    public var aggregate: String { payment.order.text }

    public init(payment: PaymentSnapshot, at: Date, toWallet: Bool? = nil) {
        self.payment = payment
        self.at = at
        self.toWallet = toWallet
    }
}

/// Money came into a wallet from a card.
public struct TopUpCompleted: Message {
    public static let name: MessageName = "wallet.topup.completed.v1"
    public var topUp: UUID
    public var account: UUID
    public var market: String
    public var amount: Money
    public var at: Date
    public var aggregate: String { topUp.text }

    public init(topUp: UUID, account: UUID, market: String, amount: Money, at: Date) {
        self.topUp = topUp
        self.account = account
        self.market = market
        self.amount = amount
        self.at = at
    }
}
