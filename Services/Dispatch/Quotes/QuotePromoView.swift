import Contracts
import Foundation
import ServiceKit

/// What a promo code does on a quote, in figures and in the reader's words.
struct QuotePromoView: Encodable, Sendable {
    let code: String
    let counts: Bool
    /// Why it does not count, for programs.
    let problem: String?
    /// Hundredths of a percent; or an amount.
    let basisPoints: Int?
    let maximum: Money?
    let amount: Money?
    let minimumPrice: Money?
    let startsAt: Date?
    /// What it gives, and why it does not count.
    let explanation: String
}

/// The words that quotes are explained in, by the service's catalogues.
struct QuoteWords: Sendable {
    let catalogue: ProblemCatalogue

    /// - Parameter zone: of the market; in it times are said.
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
        // The way alone is quoted.
        let isWholeOrder = quote.terms.restaurant != nil
        if isWholeOrder, promo.obstacle == nil || promo.obstacle == .belowMinimum { keys.append("whole-order") }
        let arguments = [
            "code": promo.code, "percent": Self.percent(promo.basisPoints ?? 0),
            "maximum": Self.money(promo.maximum ?? 0, quote.currency),
            "amount": Self.money(promo.amount ?? 0, quote.currency),
            // What costs nothing takes no code.
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
