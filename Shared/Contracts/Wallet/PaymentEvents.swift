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

/// The customer has to authorise the payment before the price is held: for the bank (3-D Secure) or PayPal. Only the
/// customer gets the address for it, from the wallet.
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

/// An attempt to pay failed. The order still waits for its payment, unless the reason is ``promoCodeLost``.
public struct PaymentRefused: Message {
    public static let name: MessageName = "wallet.payment.refused.v1"
    /// The promo code of the order's quote no longer gives a discount. Nothing is held, and no higher price is charged:
    /// the order ends.
    public static let promoCodeLost = "promo-code-lost"
    public var payment: PaymentSnapshot
    /// The method that was tried.
    public var method: PaymentSnapshot.Method
    /// `card-declined`, `insufficient-funds`, `card-expired`, `provider-down`; `authentication-failed` when the
    /// customer did not authorise the payment, `authentication-required` when no customer was there to ask, `abandoned`
    /// by the customer; `method-not-allowed`, `account-blocked`, `no-such-card` and `price-not-agreed` when an order
    /// may not be charged without its customer; ``promoCodeLost``.
    public var reason: String
    public var at: Date
    /// For an attempt without the customer, who has to be told. Nil for all other attempts.
    public var unattended: Unattended?
    public var aggregate: String { payment.order.text }

    /// An order that is paid without its customer, such as a visit of a series: payment is tried again, and can be made
    /// by hand, until its time is over.
    public struct Unattended: Codable, Hashable, Sendable {
        /// The notice that is due: the first one, a reminder while payment is tried again, the last warning, or none
        /// this time.
        public enum Notice: String, Codable, Sendable, CaseIterable { case first, reminder, last, none }

        public var notice: Notice
        /// When the order ends unpaid.
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

/// The order is completed and its money divided. The shares, with those of merchants in ``shares``, add up to the
/// amount.
public struct PaymentCaptured: Message {
    public static let name: MessageName = "wallet.payment.captured.v1"
    public var payment: PaymentSnapshot
    /// To the provider's wallet; with cash, the part of it that the provider keeps.
    public var providerShare: Money
    /// To the platform; with cash, taken from the provider's wallet.
    public var platformShare: Money
    public var at: Date
    /// The part of each receiver, when there are several.
    public var shares: [Share]?
    /// The part of the hold above the amount, which went back.
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

/// The held money went back to where it came from: the order ended without completion, or the payment provider did not
/// keep the money and the order is no longer paid. After a late cancellation with a fine the money is in the customer's
/// wallet.
public struct PaymentReleased: Message {
    public static let name: MessageName = "wallet.payment.released.v1"
    public var payment: PaymentSnapshot
    public var at: Date
    /// Whether the money is in the wallet although it was paid in another way; nil for no.
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
