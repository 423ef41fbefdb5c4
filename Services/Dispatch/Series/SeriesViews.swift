import Contracts
import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// A series in the customer's view.
struct SeriesView: ResponseEncodable, Encodable, Sendable {
    struct Service: Encodable, Sendable {
        let service: String
        let name: String
    }

    /// What the market's admins see besides.
    struct Desk: Sendable {
        let customer: Order.Party
        let nextAt: Date?
    }

    struct Customer: Encodable, Sendable {
        let account: String
        let name: String
    }

    let series: String
    let market: String
    let state: String
    let stateText: String
    let services: [Service]
    let latitude: Double
    let longitude: Double
    let description: String?
    let preferred: String?
    let recipient: String?
    /// Nil for visits.
    let parcel: SeriesParcelView?
    let rule: String
    let firstDay: String
    let time: String
    let timeZone: String
    let exceptions: [String]
    let createdAt: Date
    let endedAt: Date?
    let endedReason: String?
    /// The reason in the reader's language.
    let endedReasonText: String?
    /// About the customer's own words; nil without any.
    let warnings: [WarningView]?
    /// Nil for older series, which are paid by the card that the customer has released for such orders.
    let payment: String?
    let paymentText: String?
    let card: String?
    /// The agreed price of a visit; nil for older series.
    let agreedPrice: Money?
    /// The current price of a visit; nil if the series has ended or its services are no longer offered.
    let price: Money?
    /// Whether a visit costs more than agreed, so that it waits for the customer's consent.
    let needsAgreement: Bool
    /// For the market's admins.
    let customer: Customer?
    /// The next visit that is planned or ordered, for the market's admins.
    let nextAt: Date?

    init(
        _ series: Series, of market: Market?, price: Money?, timeZone: String, _ language: Language, _ desk: Desk? = nil
    ) {
        customer = desk.map { Customer(account: $0.customer.account.text, name: $0.customer.name) }
        nextAt = desk?.nextAt
        let names = Dictionary((market?.allServices ?? []).map { ($0.id, $0.name) }) { first, _ in first }
        self.series = series.id.text
        self.market = series.market
        state = series.state.rawValue
        stateText = series.state.name.text(in: language.rawValue)
        services = series.wish.services.map {
            Service(service: $0, name: names[$0]?.text(in: language.rawValue) ?? $0)
        }
        latitude = series.wish.place.latitude
        longitude = series.wish.place.longitude
        description = series.wish.place.description
        preferred = series.wish.preferred?.text
        recipient = series.wish.recipient?.text
        parcel = series.wish.parcel.map(SeriesParcelView.init)
        rule = series.rule.text
        firstDay = series.firstDay.text
        time = TimeOfDay(minute: series.minute).text
        self.timeZone = timeZone
        exceptions = series.exceptions.sorted().map(\.text)
        createdAt = series.createdAt
        endedAt = series.endedAt
        endedReason = series.endedReason
        endedReasonText = series.endedReason.map { Market.words(forEndOfSeries: $0).text(in: language.rawValue) }
        warnings = WarningView.of([series.wish.place.description], in: series.market, language.rawValue)
        payment = series.consent?.method.rawValue
        paymentText = payment.flatMap { Market.words(forMethod: $0)?.text(in: language.rawValue) }
        card = series.consent?.card?.text
        let currency = series.currency ?? market?.defaults.currency ?? ""
        agreedPrice = series.agreedTotal.map { Money(amount: $0, currency: currency) }
        self.price = price
        needsAgreement =
            if let price, let agreedPrice {
                price.amount > agreedPrice.amount || price.currency != agreedPrice.currency
            } else { false }
    }
}

struct SeriesVisitView: ResponseEncodable, Encodable, Sendable {
    /// The visit's key, also after a move.
    let day: String
    let startsAt: Date
    let state: String
    let stateText: String
    let moved: Bool
    let order: String?
    let reason: String?
    /// The reason in the reader's language.
    let reasonText: String?
    /// The current state of its order.
    let orderState: String?
    /// The market's word for it.
    let orderStateText: String?
    let paymentState: String?
    let paymentStateText: String?
    /// The end of the payment window of an unpaid order.
    let payUntil: Date?

    /// - Parameters:
    ///   - placed: its order, where there is one.
    ///   - market: the series'.
    init(
        _ visit: SeriesVisit, _ placed: SeriesCalendarRow.Order? = nil, of market: Market? = nil, in language: Language
    ) {
        day = visit.day.text
        // An admin may have changed the order's time.
        startsAt = placed?.scheduledAt ?? visit.startsAt
        orderState = placed?.state
        orderStateText = orderState.flatMap { market?.label(ofSeriesOrder: $0, in: language.rawValue) }
        paymentState = placed?.payment
        paymentStateText = paymentState.flatMap(OrderSnapshot.Payment.State.init).map {
            Market.words(forPayment: $0).text(in: language.rawValue)
        }
        payUntil = placed?.state == OrderState.pending.rawValue ? placed?.deadline : nil
        state = visit.state.rawValue
        stateText = visit.state.name.text(in: language.rawValue)
        moved = visit.isMoved
        order = visit.order?.text
        reason = visit.reason
        reasonText = visit.reason.map { Market.words(forVisitOfSeries: $0).text(in: language.rawValue) }
    }
}

struct SeriesVisitListView: ResponseEncodable, Encodable, Sendable {
    let items: [SeriesVisitView]
}

/// A time of day such as `08:30`.
struct TimeOfDay: Hashable, Sendable {
    /// In 0..<1440.
    let minute: Int

    init(minute: Int) { self.minute = minute }

    init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 5, digits[2] == UInt8(ascii: ":") else { return nil }
        let numbers = [digits[0], digits[1], digits[3], digits[4]].map { Int($0) - 48 }
        guard numbers.allSatisfy((0...9).contains) else { return nil }
        let (hour, minute) = (numbers[0] * 10 + numbers[1], numbers[2] * 10 + numbers[3])
        guard hour < 24, minute < 60 else { return nil }
        self.minute = hour * 60 + minute
    }

    var text: String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return "\(padded(minute / 60)):\(padded(minute % 60))"
    }
}
