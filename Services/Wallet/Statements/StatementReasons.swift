import Contracts

/// Why money did not move, or moved back: every reason that the wallet itself gives, so that each has words. Other reasons
/// are what an admin or a bank wrote.
enum MoneyReason: String, Sendable, CaseIterable {
    case orderCancelled = "order-cancelled"
    case orderRefused = "order-refused"
    case orderExpired = "order-expired"
    case orderDisputed = "order-disputed"
    case orderReassigned = "order-reassigned"
    case orderCostNothing = "order-cost-nothing"
    case cashForNobody = "cash-for-nobody"
    case authorisationLost = "authorisation-lost"
    case depositReturned = "deposit-returned"
    case holdReleased = "hold-released"
    case holdExpired = "hold-expired"
    case cardDeclined = "card-declined"
    case cardExpired = "card-expired"
    case noSuchCard = "no-such-card"
    case insufficientFunds = "insufficient-funds"
    case providerDown = "provider-down"
    case authenticationFailed = "authentication-failed"
    case authenticationRequired = "authentication-required"
    case methodNotAllowed = "method-not-allowed"
    case amountOutOfBounds = "amount-out-of-bounds"
    case promoCodeLost = "promo-code-lost"
    case accountBlocked = "account-blocked"
    case walletFrozen = "wallet-frozen"
    case abandoned
    case givenBack = "given-back"
    case givenBackToCard = "given-back-to-card"
    case chargeDisputed = "charge-disputed"
    case reversed
    case accountClosed = "account-closed"
    case payoutRefused = "payout-refused"
    case writtenOff = "written-off"
    case givenUp = "given-up"
    case walletOwes = "wallet-owes"
    case costLess = "cost-less"
    case planChanged = "plan-changed"

    var words: LocalizedText {
        switch self {
        case .orderCancelled: ["en": "The order was cancelled", "ar": "أُلغي الطلب"]
        case .orderRefused: ["en": "The order was refused", "ar": "رُفض الطلب"]
        case .orderExpired: ["en": "The order's time was over", "ar": "انتهت مهلة الطلب"]
        case .orderDisputed: ["en": "The order is under review", "ar": "الطلب قيد المراجعة"]
        case .orderReassigned: ["en": "Somebody else does the order", "ar": "أُسند الطلب إلى شخص آخر"]
        case .orderCostNothing: ["en": "The order cost nothing in the end", "ar": "لم يكلف الطلب شيئًا في النهاية"]
        case .cashForNobody: ["en": "Nobody was paid in cash", "ar": "لم يُدفع نقد لأحد"]
        case .authorisationLost: ["en": "The held money was released by the bank", "ar": "حرّر البنك المبلغ المحجوز"]
        case .depositReturned: ["en": "The deposit was given back", "ar": "أُعيد التأمين"]
        case .holdReleased: ["en": "The held money was given back", "ar": "أُعيد المبلغ المحجوز"]
        case .holdExpired:
            ["en": "The held money was given back when its time was over", "ar": "أُعيد المبلغ المحجوز بانتهاء مدته"]
        case .cardDeclined: ["en": "The card was declined", "ar": "رُفضت البطاقة"]
        case .cardExpired: ["en": "The card had expired", "ar": "انتهت صلاحية البطاقة"]
        case .noSuchCard: ["en": "The card is stored no more", "ar": "لم تعد البطاقة محفوظة"]
        case .insufficientFunds: ["en": "There was not enough money", "ar": "الرصيد غير كافٍ"]
        case .providerDown: ["en": "The payment provider did not answer", "ar": "لم يستجب مزود الدفع"]
        case .authenticationFailed: ["en": "It was not confirmed with the bank", "ar": "لم يُؤكَّد لدى البنك"]
        case .authenticationRequired:
            ["en": "The bank asks the owner to confirm it", "ar": "يطلب البنك تأكيد صاحب البطاقة"]
        case .methodNotAllowed: ["en": "This way to pay is not possible here", "ar": "طريقة الدفع هذه غير متاحة هنا"]
        case .amountOutOfBounds:
            ["en": "The payment provider does not take this amount", "ar": "لا يقبل مزود الدفع هذا المبلغ"]
        case .promoCodeLost:
            ["en": "The promo code gave less than was promised", "ar": "منح الرمز الترويجي خصمًا أقل مما وُعد به"]
        case .accountBlocked: ["en": "A fine was not paid in time", "ar": "لم تُدفع غرامة في موعدها"]
        case .walletFrozen: ["en": "The wallet was frozen", "ar": "كانت المحفظة مجمدة"]
        case .abandoned: ["en": "It was not continued", "ar": "لم تُستكمل العملية"]
        case .givenBack: ["en": "The payment was given back", "ar": "أُعيد المبلغ"]
        case .givenBackToCard: ["en": "It was given back to the card", "ar": "أُعيد المبلغ إلى البطاقة"]
        case .chargeDisputed: ["en": "The charge was disputed at the bank", "ar": "اعتُرض على العملية لدى البنك"]
        case .reversed: ["en": "It was taken back", "ar": "أُلغيت العملية"]
        case .accountClosed: ["en": "The bank account is closed", "ar": "الحساب البنكي مغلق"]
        case .payoutRefused: ["en": "The bank refused the payment", "ar": "رفض البنك التحويل"]
        case .writtenOff: ["en": "The platform has let it go", "ar": "تنازلت المنصة عن المبلغ"]
        case .givenUp: ["en": "It was not waited for any longer", "ar": "تُرك انتظار المبلغ"]
        case .walletOwes: ["en": "The wallet owed money", "ar": "كانت على المحفظة مبالغ مستحقة"]
        case .costLess: ["en": "The order cost less in the end", "ar": "كلّف الطلب أقل في النهاية"]
        case .planChanged: ["en": "The plan has changed", "ar": "تغيّرت الخطة"]
        }
    }
}

extension StatementWords {
    /// The words of a reason, for a file. Words of an admin or a bank stay as they are.
    static func reason(_ reason: String, in language: String) -> String { text(of: reason, in: language) ?? reason }

    /// The words of a reason beside its slug; nil for what an admin or a bank wrote, which is words already.
    static func text(of reason: String?, in language: String) -> String? {
        reason.flatMap(MoneyReason.init)?.words.text(in: language)
    }
}
