import Contracts
import ServiceKit

/// The allowed values of a setting, for forms and problems. ``MarketSettings/set(_:to:)`` is the rule itself.
struct SettingRule: Sendable {
    enum Kind: String, Sendable, Encodable {
        case wholeNumber, trueOrFalse, paymentMethods, openingHours, serviceArea
        case currency, timeZone, languages, servicePrices, tariffs, surge, parcelRates, latePay
        case phone, email
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
            case .subscriptionRequired, .startCodeRequired, .deskTakesCash: .trueOrFalse
            case .paymentMethods: .paymentMethods
            case .openingHours: .openingHours
            case .serviceArea: .serviceArea
            case .currency: .currency
            case .timeZone: .timeZone
            case .languages: .languages
            case .servicePrices: .servicePrices
            case .tariffs: .tariffs
            case .surge: .surge
            case .parcelRates: .parcelRates
            case .latePay: .latePay
            case .supportPhone: .phone
            case .supportEmail: .email
            default: .wholeNumber
            }
    }

    /// The value in the form of the rule, as people and their phones type it: digits of every script, dashes and blanks
    /// between times, a comma of Arabic, codes in any case. Values of other kinds are no words, and stay.
    func typed(_ text: String) -> String {
        func bare(_ text: String) -> String { text.filter { !$0.isWhitespace } }
        let ascii = TypedText.asciiDigits(text)
        switch kind {
        case .wholeNumber, .openingHours:
            return bare(ascii).replacing(/[\u{2010}-\u{2015}\u{2212}]/, with: "-").lowercased()
        case .languages: return bare(text).replacing("\u{060C}", with: ",").lowercased()
        case .paymentMethods: return bare(text).replacing("\u{060C}", with: ",")
        case .trueOrFalse: return text.lowercased()
        case .serviceArea: return ascii
        // Brought into the stored form where there are such numbers; the rule refuses an empty text.
        case .phone: return text.lowercased() == "none" ? "none" : PhoneNumber(known: text)?.text ?? ""
        case .currency, .timeZone, .servicePrices, .tariffs, .surge, .parcelRates, .latePay, .email:
            return text
        }
    }

    /// The problem with a value at a field. A value that is no number gets no range as an error.
    func problem(with value: String, at pointer: JSONPointer) -> FieldProblem {
        if let range {
            guard Int(plain: value) != nil else { return FieldProblem(pointer, "not-a-whole-number") }
            return FieldProblem(
                pointer, "out-of-range", ["minimum": String(range.lowerBound), "maximum": String(range.upperBound)])
        }
        return switch kind {
        case .wholeNumber: FieldProblem(pointer, "not-a-whole-number")
        case .trueOrFalse: FieldProblem(pointer, "not-true-or-false")
        case .paymentMethods: FieldProblem(pointer, "not-payment-methods")
        case .openingHours: FieldProblem(pointer, "not-opening-hours")
        case .serviceArea: FieldProblem(pointer, "not-a-service-area")
        case .currency:
            // The amounts are a field of their own in the form, but follow the code in the stored value.
            Currency.named(String(value.prefix(3))) == nil
                ? FieldProblem(pointer, "not-a-currency")
                : FieldProblem(pointer, "more-than-a-currency", ["currency": String(value.prefix(3))])
        case .timeZone: FieldProblem(pointer, "not-a-time-zone")
        case .languages:
            FieldProblem(
                pointer, "not-languages", ["languages": MarketSettings.knownLanguages.joined(separator: ", ")])
        case .servicePrices: FieldProblem(pointer, "not-service-prices")
        case .tariffs: FieldProblem(pointer, "not-tariffs")
        case .surge: FieldProblem(pointer, "not-a-surge-rule")
        case .parcelRates: FieldProblem(pointer, "not-parcel-rates")
        case .latePay: FieldProblem(pointer, "not-a-late-pay-rule")
        case .phone: FieldProblem(pointer, "not-a-support-phone")
        case .email: FieldProblem(pointer, "not-a-support-email")
        }
    }
}
