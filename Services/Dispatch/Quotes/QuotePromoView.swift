import Contracts
import Foundation
import ServiceKit

/// The effect of a promo code on a quote, in figures and in the reader's language.
struct QuotePromoView: Encodable, Sendable {
    let code: String
    let counts: Bool
    /// The machine-readable reason why the code does not count.
    let problem: String?
    /// The percentage in basis points; nil if the code takes off an amount.
    let basisPoints: Int?
    let maximum: Money?
    let amount: Money?
    let minimumPrice: Money?
    let startsAt: Date?
    /// The discount and, if the code does not count, the reason.
    let explanation: String
}

/// Explains quotes with the texts of the service's catalogues.
struct QuoteWords: Sendable {
    let catalogue: ProblemCatalogue

    /// - Parameter zone: the market's time zone, in which times are written.
    func view(_ promo: QuotePromo, of quote: Quote, zone: String, in language: Language) -> QuotePromoView {
        func money(_ amount: Int?) -> Money? { amount.map { Money(amount: $0, currency: quote.currency) } }
        return QuotePromoView(
            code: promo.code, counts: promo.obstacle == nil, problem: promo.obstacle?.rawValue,
            basisPoints: promo.basisPoints, maximum: money(promo.maximum), amount: money(promo.amount),
            minimumPrice: money(promo.minimumPrice > 0 ? promo.minimumPrice : nil),
            startsAt: promo.obstacle == .notYet ? promo.startsAt : nil,
            explanation: sentences(promo, of: quote, zone: zone, in: language).joined(separator: " "))
    }

    private func sentences(_ promo: QuotePromo, of quote: Quote, zone: String, in language: Language) -> [String] {
        var keys: [String] = []
        if promo.basisPoints != nil {
            keys.append(promo.maximum == nil ? "percent" : "percent-at-most")
        } else if promo.amount != nil {
            keys.append("amount")
        }
        if let obstacle = promo.obstacle { keys.append(obstacle.rawValue) }
        // The quote prices only the delivery; the code applies to the whole order.
        let isWholeOrder = quote.terms.restaurant != nil
        if isWholeOrder, promo.obstacle == nil || promo.obstacle == .belowMinimum { keys.append("whole-order") }
        let arguments = [
            "code": promo.code, "percent": Self.percent(promo.basisPoints ?? 0),
            "maximum": Self.money(promo.maximum ?? 0, quote.currency),
            "amount": Self.money(promo.amount ?? 0, quote.currency),
            // A price of zero takes no code, therefore the minimum is at least one minor unit.
            "minimum": Self.money(max(promo.minimumPrice, 1), quote.currency),
            "time": promo.startsAt.map { Self.time($0, zone: zone) } ?? "",
        ]
        return keys.compactMap { catalogue.text("quote.promo.\($0)", in: language, arguments) }
    }

    /// `12.5`
    private static func percent(_ basisPoints: Int) -> String {
        let (whole, rest) = basisPoints.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return String(whole) }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// `12.50 AUD`
    private static func money(_ amount: Int, _ currency: String) -> String {
        "\(Money(amount: amount, currency: currency).decimal) \(currency)"
    }

    /// `2026-11-22 08:30`
    private static func time(_ date: Date, zone: String) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : String(number ?? 0) }
        return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day)) \(two(parts.hour)):\(two(parts.minute))"
    }
}
