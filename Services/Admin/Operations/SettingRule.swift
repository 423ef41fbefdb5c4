import Contracts
import ServiceKit

/// What a setting may be, for forms and for problems. The rule itself is ``MarketSettings/set(_:to:)``.
struct SettingRule: Sendable {
    enum Kind: String, Sendable, Encodable { case wholeNumber, trueOrFalse, paymentMethods, openingHours, serviceArea }

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
            default: .wholeNumber
            }
    }

    /// Why a value is refused, at the field `value`.
    var problem: FieldProblem {
        if let range {
            return FieldProblem(
                "value", "out-of-range", ["minimum": String(range.lowerBound), "maximum": String(range.upperBound)])
        }
        return switch kind {
        case .wholeNumber: FieldProblem("value", "not-a-whole-number")
        case .trueOrFalse: FieldProblem("value", "not-true-or-false")
        case .paymentMethods: FieldProblem("value", "not-payment-methods")
        case .openingHours: FieldProblem("value", "not-opening-hours")
        case .serviceArea: FieldProblem("value", "not-a-service-area")
        }
    }
}
