import Contracts
import Foundation
import Messaging
import SeraiJSON

/// The notices about payments. Each party sees only its own part: refused attempts belong to the customer, shares to
/// the provider.
enum PaymentNotices {
    static func notices(_ event: PaymentHeld) throws -> [Notice] {
        let payment = event.payment
        let held = try state(payment, PaymentHeld.name, event.at, to: payment.customer)
        // The customer, who may not have been there, sees who says to have the money.
        if payment.method == .deskCash {
            let total = ["total": TextArgument(payment.customerPart)]
            return [held, try item(.deskCashTaken, total, payment, event.at, to: payment.customer)]
        }
        // The order's own notice has the whole price; with a promo code the customer hands over less cash.
        guard payment.method == .cash, let discount = payment.discount, discount.amount > 0,
            let provider = payment.provider
        else { return [held] }
        let item = try item(
            .paymentCollectCash, ["part": TextArgument(payment.customerPart), "discount": TextArgument(discount)],
            payment, event.at, to: provider)
        return [held, item]
    }

    /// Does not include the page for the customer's action: the wallet gives it to the customer only.
    static func notices(_ event: PaymentActionRequired) throws -> [Notice] {
        [try state(event.payment, PaymentActionRequired.name, event.at, to: event.payment.customer)]
    }

    static func notices(_ event: CardExpiring) throws -> [Notice] {
        let month = String(format: "%02d/%d", event.expiryMonth, event.expiryYear)
        return [try card(.cardExpiring, event.brand, event.lastFour, month, to: event.account, at: event.at)]
    }

    static func notices(_ event: CardExpired) throws -> [Notice] {
        let month = String(format: "%02d/%d", event.expiryMonth, event.expiryYear)
        return [try card(.cardExpired, event.brand, event.lastFour, month, to: event.account, at: event.at)]
    }

    private static func card(
        _ topic: InboxTopic, _ brand: String, _ lastFour: String, _ month: String, to account: UUID, at: Date
    ) throws -> Notice {
        try .item(
            topic, ["brand": .text(brand), "lastFour": .text(lastFour), "month": .text(month)], to: account,
            order: nil, at: at, id: .timeOrdered())
    }

    /// - Parameter settings: the settings of the payment's market.
    static func notices(_ event: PaymentRefused, _ settings: MarketSettings?) throws -> [Notice] {
        let payment = event.payment
        if let unattended = event.unattended { return try notices(event, unattended, settings) }
        let topic: InboxTopic =
            switch event.reason {
            case "card-declined": .paymentCardDeclined
            case "insufficient-funds": .paymentInsufficientFunds
            case "card-expired": .paymentCardExpired
            case "provider-down": .paymentProviderDown
            case "authentication-failed": .paymentNotConfirmed
            case "authentication-required": .paymentNeedsOwner
            case PaymentRefused.promoCodeLost: .paymentPromoCodeLost
            default: .paymentRefused
            }
        // A customer who abandoned the attempt gets no item.
        guard event.reason != "abandoned" else {
            return [
                try state(
                    payment, PaymentRefused.name, event.at, to: payment.customer,
                    [.text("reason", event.reason), .text("triedMethod", event.method.rawValue)])
            ]
        }
        return [
            // Names the method of the attempt, since the payment has none until one succeeds.
            try state(
                payment, PaymentRefused.name, event.at, to: payment.customer,
                [.text("reason", event.reason), .text("triedMethod", event.method.rawValue)]),
            try item(topic, ["total": TextArgument(payment.customerPart)], payment, event.at, to: payment.customer),
        ]
    }

    /// The notices of an attempt without the customer, who can pay by hand until the order ends.
    private static func notices(
        _ event: PaymentRefused, _ unattended: PaymentRefused.Unattended, _ settings: MarketSettings?
    ) throws -> [Notice] {
        let payment = event.payment
        let state = try state(
            payment, PaymentRefused.name, event.at, to: payment.customer,
            [.text("reason", event.reason), .text("triedMethod", event.method.rawValue)])
        let topic: InboxTopic
        switch unattended.notice {
        case .none: return [state]
        case .last: topic = .paymentUnattendedLast
        // Another attempt cannot succeed without the customer.
        case .first where ["authentication-required", "price-not-agreed"].contains(event.reason),
            .reminder where ["authentication-required", "price-not-agreed"].contains(event.reason):
            topic = .paymentUnattendedByHand
        case .first: topic = .paymentUnattended
        case .reminder: topic = .paymentUnattendedReminder
        }
        let until = settings.map { $0.moment(of: unattended.until) } ?? WireTime.text(unattended.until)
        return [
            state,
            try item(
                topic,
                [
                    "total": TextArgument(payment.customerPart), "until": .text(until),
                    "reason": .words([unattendedWords(event.reason)]),
                ], payment, event.at, to: payment.customer),
        ]
    }

    private static func unattendedWords(_ reason: String) -> [String: String] {
        switch reason {
        case "insufficient-funds": ["en": "There is not enough money", "ar": "الرصيد غير كافٍ"]
        case "card-expired": ["en": "The card has expired", "ar": "انتهت صلاحية البطاقة"]
        case "provider-down":
            ["en": "Payments cannot be made at the moment", "ar": "الدفع غير متاح حاليًا"]
        case "authentication-required":
            ["en": "Your bank wants you to confirm the payment", "ar": "يطلب البنك تأكيدك للدفع"]
        case "price-not-agreed":
            ["en": "It costs more than you have agreed to", "ar": "السعر أعلى مما وافقت عليه"]
        case "no-such-card":
            ["en": "There is no card that may be charged", "ar": "لا توجد بطاقة يمكن الخصم منها"]
        case "account-blocked":
            [
                "en": "A fine for a late cancellation has to be paid first",
                "ar": "يجب دفع غرامة الإلغاء المتأخر أولًا",
            ]
        case "wallet-frozen":
            [
                "en": "The wallet is frozen, because a payment with your card was taken back",
                "ar": "المحفظة مجمدة لأن دفعة ببطاقتك استُردّت",
            ]
        case "method-not-allowed":
            ["en": "This way of paying is not taken any more", "ar": "لم تعد طريقة الدفع هذه مقبولة"]
        default: ["en": "The bank did not allow the payment", "ar": "لم يسمح البنك بالدفع"]
        }
    }

    static func notices(_ event: PaymentCaptured) throws -> [Notice] {
        let payment = event.payment
        var notices = [try state(payment, PaymentCaptured.name, event.at, to: payment.customer)]
        if let provider = payment.provider {
            // With several receivers the provider sees neither the others' shares nor the customer's discount.
            let own = event.shares?.first { $0.party == .provider && $0.account == provider }
            let commission = own?.commission ?? event.platformShare
            var part = payment
            (part.discount, part.promoCode) = (nil, nil)
            if let own { part.amount = own.total }
            let shares: [JSONObject.Member] = [
                try .value("providerShare", event.providerShare),
                try .value("platformShare", commission),
            ]
            notices.append(try state(part, PaymentCaptured.name, event.at, to: provider, shares))
            // A provider whom the platform employs earns nothing of a price, so there is nothing to tell.
            if !event.isAllThePlatforms(event.providerShare, commission) {
                notices.append(
                    try item(
                        payment.method == .cash ? .paymentEarnedInCash : .paymentEarned,
                        [
                            "share": TextArgument(event.providerShare), "commission": TextArgument(commission),
                            "total": TextArgument(part.amount),
                        ], payment, event.at, to: provider))
            }
        }
        // With several receivers each of the others sees only the own share.
        for share in event.shares ?? [] where share.party == .merchant {
            notices.append(
                try item(
                    .paymentEarned,
                    [
                        "share": TextArgument(share.share), "commission": TextArgument(share.commission),
                        "total": TextArgument(share.total),
                    ], payment, event.at, to: share.account))
        }
        return notices
    }

    static func notices(_ event: PaymentReleased) throws -> [Notice] {
        let payment = event.payment
        let state = try state(payment, PaymentReleased.name, event.at, to: payment.customer)
        // Cash was not paid yet, so nothing is given back.
        guard payment.method != .cash else { return [state] }
        let topic: InboxTopic =
            payment.method == .deskCash
            ? .deskCashReleased : event.toWallet == true ? .paymentReleasedToWallet : .paymentReleased
        let item = try item(
            topic,
            ["total": TextArgument(payment.customerPart)], payment, event.at, to: payment.customer)
        return [state, item]
    }

    /// The owner of a card or wallet that the desk charges, as was agreed on the phone, is told at once: whoever did not
    /// agree can say so before the order is done.
    static func notices(_ event: WalletManaged) throws -> [Notice] {
        guard event.act == .charged, let customer = event.details["customer"].flatMap(UUID.init(uuidString:)),
            let amount = event.details["amount"].flatMap(Int.init), let currency = event.details["currency"]
        else { return [] }
        return [
            try .item(
                .deskCharged, ["total": TextArgument(Money(amount: amount, currency: currency))], to: customer,
                order: event.subject, at: event.at, id: .timeOrdered())
        ]
    }

    static func notices(_ event: TopUpCompleted) throws -> [Notice] {
        let payload = try JSONObject("{}").adding([
            .text("event", TopUpCompleted.name.text), .text("topUp", event.topUp.text), .text("market", event.market),
            .value("amount", event.amount),
        ])
        return [
            Notice(
                account: event.account, kind: .payment, label: nil, payload: payload.text, item: nil, order: nil,
                at: event.at, subject: nil, version: nil, named: [], push: nil),
            try .item(
                .walletToppedUp, ["amount": TextArgument(event.amount)], to: event.account, order: nil, at: event.at,
                id: .timeOrdered()),
        ]
    }

    private static func state(
        _ payment: PaymentSnapshot, _ name: MessageName, _ at: Date, to account: UUID,
        _ more: [JSONObject.Member] = []
    ) throws -> Notice {
        let payload = JSONObject(try JSON.wire.text(payment)).adding([.text("event", name.text)] + more)
        return .state(
            .payment, of: payment.payment, version: payment.version, order: payment.order, to: account,
            payload: payload.text, at: at)
    }

    private static func item(
        _ topic: InboxTopic, _ arguments: [String: TextArgument], _ payment: PaymentSnapshot, _ at: Date,
        to account: UUID
    ) throws -> Notice {
        try .item(topic, arguments, to: account, order: payment.order, at: at, id: .timeOrdered())
    }
}

extension PaymentCaptured {
    /// Whether of a part that did not go through the provider's hands all is commission.
    fileprivate func isAllThePlatforms(_ share: Money, _ commission: Money) -> Bool {
        payment.method != .cash && share.amount == 0 && commission.amount > 0
    }
}

extension PaymentCaptured.Share {
    /// Before the commission.
    fileprivate var total: Money { Money(amount: share.amount + commission.amount, currency: share.currency) }
}
