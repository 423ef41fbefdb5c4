import Contracts
import Foundation
import Hummingbird
import Matching
import Messaging
import ServiceKit

/// Where a market's orders and providers are now, for its admins. Nobody's customer and no description is on it.
struct LiveMapView: ResponseEncodable, Encodable, Sendable {
    /// The most orders, and the most providers.
    static let maximum = 500
    /// An order for a time is on the map from so long before it on.
    static let aheadSeconds: TimeInterval = 3_600

    struct Person: Encodable, Sendable {
        let account: String
        let name: String
        let title: String?
        let titleName: String?

        init(_ partner: Partner, in market: Market, _ language: Language) {
            account = partner.account.text
            name = partner.name
            title = partner.title
            titleName = partner.titleName(in: market, language)
        }
    }

    struct Order: Encodable, Sendable {
        let order: String
        let kind: String
        let kindName: String
        let state: String
        /// The market's word for the state.
        let stateText: String
        let start: PlaceView
        let destination: PlaceView?
        /// When it was ordered, or its time.
        let at: Date
        let provider: Person?
        let position: PositionView?

        init(_ order: RunningOrder, in market: Market, _ language: Language) {
            let code = language.rawValue
            self.order = order.id.text
            kind = order.kind
            kindName = market.kind(order.kind)?.name.text(in: code) ?? order.kind
            state = order.state
            stateText =
                OrderSnapshot.State(rawValue: order.state).map {
                    market.label(of: $0, for: .admin, in: code, kind: order.kind)
                } ?? order.state
            start = PlaceView(order.start)
            destination = order.destination.map(PlaceView.init)
            at = order.at
            provider = order.provider.map { Person($0, in: market, language) }
            position = order.last.map(PositionView.init)
        }
    }

    struct Provider: Encodable, Sendable {
        let provider: Person
        let vehicle: String?
        let since: Date?
        let isBusy: Bool
        let position: PositionView?

        init(_ provider: AvailableProvider, in market: Market, _ language: Language) {
            self.provider = Person(provider.partner, in: market, language)
            vehicle = provider.vehicle
            since = provider.since
            isBusy = provider.isBusy
            position = provider.last.map(PositionView.init)
        }
    }

    let at: Date
    let orders: [Order]
    /// Whether there are more than are shown.
    let hasMoreOrders: Bool
    let providers: [Provider]
    let hasMoreProviders: Bool

    /// - Parameters: one more of each than is shown, where there are more.
    init(
        _ orders: [RunningOrder], _ providers: [AvailableProvider], at now: Date, in market: Market,
        _ language: Language
    ) {
        at = now
        self.orders = orders.prefix(Self.maximum).map { Order($0, in: market, language) }
        hasMoreOrders = orders.count > Self.maximum
        self.providers = providers.prefix(Self.maximum).map { Provider($0, in: market, language) }
        hasMoreProviders = providers.count > Self.maximum
    }
}
