import Contracts
import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// A restaurant as everybody sees it: what it is, where and when, how it is rated, and its menu. Not who owns it.
struct RestaurantView: ResponseEncodable, Encodable, Sendable {
    struct Hours: Encodable, Sendable {
        let day: String
        /// `11:30`; a closing time that is not later is on the next day.
        let opens: String
        let closes: String
    }

    let restaurant: String
    let market: String
    let name: String
    let names: [String: String]
    let description: String?
    let latitude: Double
    let longitude: Double
    let address: String?
    let phone: String?
    let picture: String?
    let hours: [Hours]?
    /// The mean of one to five stars; nil before the first rating.
    let rating: Double?
    let ratings: Int
    let preparationMinutes: Int
    let open: Bool
    /// Why an admin has closed it, for its owner and the admins.
    let closedReason: String?
    let currency: String
    let menu: [MenuItemView]

    init(
        _ restaurant: Restaurant, menu: [MenuItem], _ standing: OrderDetails.Standing, _ prices: PriceCurrency,
        _ language: Language, closedReason: String? = nil
    ) {
        self.closedReason = closedReason
        let card = restaurant.card
        self.restaurant = restaurant.id.text
        market = restaurant.market
        names = LocalName.names(card.name, card.arabicName)
        name = names[language.rawValue] ?? card.name
        description = card.description
        latitude = card.latitude
        longitude = card.longitude
        address = card.address
        phone = card.phone
        picture = card.picture?.text
        hours = card.hours.map { hours in
            hours.spans.map { span in
                Hours(
                    day: span.day.rawValue, opens: RestaurantHours.text(span.opens),
                    closes: RestaurantHours.text(span.closes))
            }
        }
        rating = OrderView.Standing(standing).average
        ratings = standing.count
        preparationMinutes = card.preparationMinutes
        open = restaurant.isOpen
        currency = prices.code
        self.menu = menu.map { MenuItemView($0, prices, language) }
    }
}

extension Restaurant.Card {
    /// - Throws: a 422 ``Problem`` that lists all invalid fields.
    init(_ form: Form) throws(Problem) {
        let name = form.string("name", length: 1...100)
        let arabicName = form.string("arabicName", length: 1...100, required: false)
        let description = form.string("description", length: 1...1_000, lines: true, required: false)
        let position = form.position()
        let minutes = form.integer("preparationMinutes", in: Restaurant.preparation)
        let address = form.string("address", length: 1...300, lines: true, required: false)
        let phone = form.phone("phone", required: false, isMobile: false)
        let picture = form.uuid("picture", required: false)
        let hours = RestaurantHours(form)
        guard let name, let position, let minutes, form.isValid else { throw form.problem }
        self.init(
            name: name, arabicName: arabicName, description: description, latitude: position.latitude,
            longitude: position.longitude, preparationMinutes: minutes, address: address, phone: phone,
            picture: picture, hours: hours)
    }
}

extension RestaurantHours {
    /// The field `hours`: a list of `{day, opens, closes}`. Nil where it is absent or wrong; the form has the errors.
    fileprivate init?(_ form: Form) {
        guard form.has("hours"), let entries = form.objects("hours", count: 0...Self.maximumSpans) else { return nil }
        let spans = entries.compactMap { entry -> Span? in
            let day = entry.choice("day", of: Day.self)
            let opens = entry.string("opens", length: 1...5)
            let closes = entry.string("closes", length: 1...5)
            let (from, to) = (opens.flatMap(Self.minute), closes.flatMap(Self.minute))
            if opens != nil, from == nil { entry.reject("opens", "not-a-time-of-day") }
            if closes != nil, to == nil { entry.reject("closes", "not-a-time-of-day") }
            guard let day, let from, let to else { return nil }
            return Span(day: day, opens: from, closes: to)
        }
        guard form.isValid else { return nil }
        if Set(spans.map { "\($0.day.rawValue) \($0.opens)" }).count < spans.count {
            form.reject("hours", "repeated-hours")
            return nil
        }
        self.init(spans)
    }
}
