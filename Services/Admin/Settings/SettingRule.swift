import Contracts
import ServiceKit

/// What a setting may be, for forms and for problems. The rule itself is ``MarketSettings/set(_:to:)``.
struct SettingRule: Sendable {
    enum Kind: String, Sendable, Encodable {
        case wholeNumber, trueOrFalse, paymentMethods, openingHours, serviceArea
        case currency, timeZone, languages, servicePrices, tariffs, surge
    }

    let kind: Kind
    /// Of whole numbers.
    let range: ClosedRange<Int>?
    /// In English.
    let allowed: String

    init(_ key: MarketSettings.Key, of market: Market) {
        var probe = market.defaults
        do {
            // No setting can be empty, so the refusal tells what it can be.
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

    /// Why a value is refused, at a field. What is no number at all is not told to be another one.
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
