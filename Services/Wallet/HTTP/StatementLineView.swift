import Contracts
import Foundation
import Messaging
import ServiceKit

/// A line as its owner reads it.
struct StatementLineView: Encodable, Sendable {
    let id: String
    let at: Date
    let kind: String
    /// In the caller's language.
    let transaction: String
    let beneficiary: String
    let payer: String
    /// Minor units; below zero what the caller pays.
    let amount: Int
    let currency: String
    let method: String?
    let state: String
    let reason: String?
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
        beneficiary = line.beneficiary
        payer = line.payer
        amount = line.amount
        currency = line.currency
        method = line.method?.rawValue
        state = line.state.rawValue
        reason = line.reason
        market = line.market
        order = line.order?.text
    }
}

/// What a statement calls its lines.
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
        }
    }
}
