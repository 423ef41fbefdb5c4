import Contracts
import ServiceKit

/// The allowed values of a setting, for forms and problems. ``MarketSettings/set(_:to:)`` is the rule itself.
struct SettingRule: Sendable {
    enum Kind: String, Sendable, Encodable {
        case wholeNumber, trueOrFalse, paymentMethods, openingHours, serviceArea
        case currency, timeZone, languages, servicePrices, tariffs, surge
    }

    let kind: Kind
    /// For whole numbers.
    let range: ClosedRange<Int>?
    /// In English.
    let allowed: String

    init(_ key: MarketSettings.Key, of market: Market) {
        var probe = market.defaults
        do {
            // No setting accepts an empty value, and the error has the allowed ones.
            try probe.set(key, to: "")
            allowed = ""
        } catch {
            allowed = error.allowed
        }
        let bounds = allowed.split(separator: "...").compactMap { Int($0) }
        range = bounds.count == 2 && bounds[0] <= bounds[1] ? bounds[0]...bounds[1] : nil
        kind =
            switch key {
            case .subscriptionRequired, .startCodeRequired: .trueOrFalse
            case .paymentMethods: .paymentMethods
            case .openingHours: .openingHours
            case .serviceArea: .serviceArea
            case .currency: .currency
            case .timeZone: .timeZone
            case .languages: .languages
            case .servicePrices: .servicePrices
            case .tariffs: .tariffs
            case .surge: .surge
            default: .wholeNumber
            }
    }

    /// The problem with a value at a field. A value that is no number gets no range as an error.
    func problem(with value: String, at pointer: JSONPointer) -> FieldProblem {
        if let range {
            guard Int(value) != nil else { return FieldProblem(pointer, "not-a-whole-number") }
            return FieldProblem(
                pointer, "out-of-range", ["minimum": String(range.lowerBound), "maximum": String(range.upperBound)])
        }
        return switch kind {
        case .wholeNumber: FieldProblem(pointer, "not-a-whole-number")
        case .trueOrFalse: FieldProblem(pointer, "not-true-or-false")
        case .paymentMethods: FieldProblem(pointer, "not-payment-methods")
        case .openingHours: FieldProblem(pointer, "not-opening-hours")
        case .serviceArea: FieldProblem(pointer, "not-a-service-area")
        case .currency: FieldProblem(pointer, "not-a-currency")
        case .timeZone: FieldProblem(pointer, "not-a-time-zone")
        case .languages:
            FieldProblem(
                pointer, "not-languages", ["languages": MarketSettings.knownLanguages.joined(separator: ", ")])
        case .servicePrices: FieldProblem(pointer, "not-service-prices")
        case .tariffs: FieldProblem(pointer, "not-tariffs")
        case .surge: FieldProblem(pointer, "not-a-surge-rule")
        }
    }
}
