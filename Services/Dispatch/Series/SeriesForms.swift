import Contracts
import Foundation
import Hummingbird
import Messaging
import SeraiJSON
import ServiceKit

extension Form {
    /// A day such as `2026-11-22`.
    func day(_ name: String, required: Bool = true) -> LocalDay? {
        guard let text = string(name, length: 1...10, required: required).map(TypedText.asciiDigits) else { return nil }
        guard let day = LocalDay(text), text.utf8.count == 10 else {
            reject(name, "not-a-day")
            return nil
        }
        return day
    }

    /// A time such as `08:30`.
    func timeOfDay(_ name: String, required: Bool = true) -> TimeOfDay? {
        guard let text = string(name, length: 1...20, required: required).map(TypedText.asciiDigits) else { return nil }
        guard let time = TimeOfDay(text) else {
            reject(name, "not-a-time-of-day")
            return nil
        }
        return time
    }

    func recurrenceRule(_ name: String) -> RecurrenceRule? {
        guard let text = string(name, length: 1...RecurrenceRule.maximumLength) else { return nil }
        do {
            return try RecurrenceRule(text)
        } catch {
            let (code, arguments) = error.words
            reject(name, code, arguments)
            return nil
        }
    }
}

/// The payment of a series in a request: `payment` and, for a card, `card` and `consent`.
struct PaymentForm {
    let method: Series.Consent.Method
    let card: UUID?

    /// - Parameter isByPhone: whether an admin asks for a customer on the phone, whose consent is stored with the card.
    /// - Returns: nil if something is invalid; the form then has the errors.
    init?(_ form: Form, isByPhone: Bool = false) {
        let method = form.choice("payment", of: Series.Consent.Method.self)
        let isOwnCard = method == .card && !isByPhone
        let card = form.uuid("card", required: isOwnCard)
        let consent = form.bool("consent", required: isOwnCard)
        if isOwnCard, consent == false { form.reject("consent", "consent-required") }
        // Which of the two is meant must not be guessed.
        if method == .wallet, card != nil { form.reject("card", "card-not-for-wallet") }
        guard let method, form.isValid else { return nil }
        self.method = method
        self.card = card
    }
}

extension RecurrenceError {
    /// The error's code in the catalogue and the values of its placeholders.
    var words: (code: String, arguments: [String: String]) {
        switch self {
        case .tooLong(let maximum): ("too-long", ["maximum": String(maximum)])
        case .malformed(let part): ("rule-malformed", ["part": part])
        case .repeated(let part): ("rule-repeated", ["part": part])
        case .missingFrequency: ("rule-malformed", ["part": "FREQ"])
        case .notSupported(let part): ("rule-not-supported", ["part": part])
        case .outOfRange(let part, let range):
            (
                "rule-out-of-range",
                ["part": part, "minimum": String(range.lowerBound), "maximum": String(range.upperBound)]
            )
        case .twoEnds: ("rule-two-ends", [:])
        case .never: ("rule-never", [:])
        }
    }
}

extension RecurrenceError: ProblemConvertible {
    var problem: Problem {
        let (code, arguments) = words
        return .invalidFields([FieldProblem("rule", code, arguments)])
    }
}

extension SeriesRefusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notFound, .noVisit: .notFound
        case .ended: Problem("series-ended", status: .conflict)
        case .requested(let order):
            Problem("visit-ordered", status: .conflict, extensions: ["order": .string(order.text)])
        case .over(let state):
            Problem("visit-over", status: .conflict, extensions: ["state": .string(state.rawValue)])
        case .past: Problem("time-passed", status: .conflict)
        case .tooFarAhead:
            Problem("too-far-ahead", status: .conflict, arguments: ["days": String(Series.longestDelayDays)])
        case .visitThere(let day):
            Problem(
                "visit-there", status: .conflict, arguments: ["day": day.text], extensions: ["day": .string(day.text)])
        case .priceChanged(let total, let currency):
            Problem(
                "price-changed", status: .conflict,
                extensions: [
                    "price": .object(["amount": .integer(Int64(total)), "currency": .string(currency)])
                ])
        case .methodNotTaken: .invalidFields([FieldProblem("payment", "payment-not-taken")])
        case .card(let fault): .invalidFields([FieldProblem("card", fault.rawValue)])
        case .tooMany: Problem("too-many-series", status: .conflict, arguments: ["maximum": String(Series.maximum)])
        }
    }
}

extension BeginSeries.Input {
    /// - Parameters:
    ///   - caller: the customer, or an admin who names the customer in `customer`.
    ///   - markets: the market with an id, where it offers series.
    /// - Throws: a 422 ``Problem`` that lists all invalid fields.
    init(_ form: Form, caller: UUID, markets: (String) -> Market?) throws(Problem) {
        let customer = form.uuid("customer", required: false)
        let name = form.string("market", length: 1...100)
        let market = name.flatMap(markets)
        if name != nil, market == nil { form.reject("market", "unknown-market") }
        let owner = customer ?? caller
        // A market has visits or parcels that come again, not both.
        let wish: Series.Wish?
        if let market, market.kind(Market.Workflow.parcel.rawValue) != nil {
            wish = try form.parcelWish(market, owner: owner)
        } else {
            wish = Series.Wish(visits: form, of: market)
        }
        let rule = form.recurrenceRule("rule")
        let firstDay = form.day("firstDay")
        let time = form.timeOfDay("time")
        let exceptions = form.strings(
            "exceptions", count: 0...Series.maximumExceptions, length: 10...10, required: false)
        let days = exceptions?.map { LocalDay($0) } ?? []
        for (index, day) in days.enumerated() where day == nil {
            form.validator.reject(JSONPointer(["exceptions"]).appending(index), "not-a-day")
        }
        let payment = PaymentForm(form, isByPhone: customer != nil)
        let total = form.integer("total", in: 0...OfferingRules.maximumPrice, required: false)
        guard let payment, let market, let wish, let rule, let firstDay, let time, form.isValid
        else { throw form.problem }
        self.init(
            market: market, customer: owner, wish: wish,
            rule: rule, firstDay: firstDay, minute: time.minute, exceptions: Set(days.compactMap { $0 }),
            method: payment.method, card: payment.card, total: total, admin: customer == nil ? nil : caller)
    }
}

extension Series.Wish {
    /// The visits of a request.
    ///
    /// - Returns: nil if something is invalid; the form then has the errors.
    init?(visits form: Form, of market: Market?) {
        let services = form.strings("services", count: 1...20, length: 1...100)
        if let services, Set(services).count < services.count { form.reject("services", "repeated-service") }
        if let services, let market {
            let known = Set(market.services.map(\.id))
            for (index, service) in services.enumerated() where !known.contains(service) {
                form.validator.reject(JSONPointer(["services"]).appending(index), "unknown-service")
            }
        }
        let position = form.position()
        let description = form.string("description", length: 1...500, lines: true, required: false)
        let preferred = form.uuid("preferred", required: false)
        let recipient = form.uuid("recipient", required: false)
        guard let services, let position else { return nil }
        self.init(
            services: services,
            place: Order.Place(latitude: position.latitude, longitude: position.longitude, description: description),
            preferred: preferred, recipient: recipient)
    }
}

extension Form {
    /// The parcels of a request: the object `parcel`, as a single one is posted.
    ///
    /// - Throws: a 422 ``Problem`` with every wrong field so far.
    fileprivate func parcelWish(_ market: Market, owner: UUID) throws(Problem) -> Series.Wish? {
        guard let parcel = object("parcel") else { return nil }
        return Series.Wish(try PostParcel.Input(parcel, market: market, owner: owner))
    }
}
