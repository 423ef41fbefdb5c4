import Contracts
import Foundation
import Messaging
import ServiceKit

/// A statement line as its owner sees it.
struct StatementLineView: Encodable, Sendable {
    let id: String
    let at: Date
    let kind: String
    /// In the caller's language.
    let transaction: String
    let beneficiary: String
    let payer: String
    /// Minor units; negative when the caller pays.
    let amount: Int
    let currency: String
    let method: String?
    let methodText: String?
    let state: String
    let stateText: String
    /// Minor units of the amount that arrive when the debtor has paid.
    let waiting: Int?
    let reason: String?
    /// The reason in the caller's language; nil for what a person wrote.
    let reasonText: String?
    let market: String
    let order: String?

    init(_ row: StatementLineRow, language: Language) {
        let line = row.line
        id = row.id.text
        at = row.at
        kind = line.kind.rawValue
        let title = LocalizedText(line.title).text(in: language.rawValue)
        let name = StatementWords.name(of: line.kind).text(in: language.rawValue)
        transaction = title.isEmpty ? name : "\(name): \(title)"
        beneficiary = PlatformName.shown(line.beneficiary, in: line.market, language.rawValue)
        payer = PlatformName.shown(line.payer, in: line.market, language.rawValue)
        amount = line.amount
        currency = line.currency
        method = line.method?.rawValue
        methodText = line.method.map { $0.name.text(in: language.rawValue) }
        state = line.state.rawValue
        stateText = StatementWords.name(of: line.state).text(in: language.rawValue)
        waiting = line.waiting > 0 ? line.waiting : nil
        reason = line.reason
        reasonText = StatementWords.text(of: line.reason, in: language.rawValue)
        market = line.market
        order = line.order?.text
    }
}

/// The words used in statements.
enum StatementWords {
    static func name(of kind: StatementLine.Kind) -> LocalizedText {
        switch kind {
        case .payment: ["en": "Payment", "ar": "دفع"]
        case .share: ["en": "Earnings", "ar": "أرباح"]
        case .commission: ["en": "Commission", "ar": "عمولة"]
        case .topUp: ["en": "Top-up", "ar": "شحن الرصيد"]
        case .fine: ["en": "Fine for a late cancellation", "ar": "غرامة إلغاء متأخر"]
        case .refund: ["en": "Refund", "ar": "استرداد"]
        case .deposit: ["en": "Deposit", "ar": "تأمين"]
        case .tip: ["en": "Tip", "ar": "إكرامية"]
        case .cashOut: ["en": "Cash-out", "ar": "سحب الرصيد"]
        case .subscription: ["en": "Subscription", "ar": "اشتراك"]
        case .transfer: ["en": "Transfer", "ar": "تحويل"]
        case .hold: ["en": "Hold", "ar": "حجز"]
        }
    }

    static func name(of state: StatementLine.State) -> LocalizedText {
        switch state {
        case .waiting: ["en": "Waiting", "ar": "قيد الانتظار"]
        case .accepted: ["en": "Accepted", "ar": "مقبول"]
        case .rejected: ["en": "Rejected", "ar": "مرفوض"]
        }
    }

    /// The column heads of the CSV file.
    static let columns: [LocalizedText] = [
        ["en": "Date and time (UTC)", "ar": "التاريخ والوقت (UTC)"], ["en": "Transaction", "ar": "المعاملة"],
        ["en": "Payer", "ar": "الدافع"], ["en": "Beneficiary", "ar": "المستفيد"],
        ["en": "Amount in minor units", "ar": "المبلغ بالوحدة الصغرى"], ["en": "Currency", "ar": "العملة"],
        ["en": "State", "ar": "الحالة"], ["en": "Reason", "ar": "السبب"], ["en": "Order", "ar": "الطلب"],
    ]

    /// The last line of a file that was cut at the maximum length.
    static let cut: LocalizedText = [
        "en": "Only the first 50000 lines. Choose a shorter time.",
        "ar": "أول ٥٠٠٠٠ سطر فقط. يُرجى اختيار مدة أقصر.",
    ]
}
