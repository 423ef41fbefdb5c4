/// Which two parties of an order may write to each other, and in which of its states (N4).
public struct TalkRule: Hashable, Sendable {
    public let first: OrderSnapshot.Actor
    public let second: OrderSnapshot.Actor
    /// The states in which they may write.
    public let states: Set<OrderSnapshot.State>
    /// Whether they may go on for some time after the order (``MarketSettings/talkAfterSeconds``).
    public let goesOnAfter: Bool

    init(
        _ first: OrderSnapshot.Actor, _ second: OrderSnapshot.Actor, in states: Set<OrderSnapshot.State>,
        goesOnAfter: Bool = true
    ) {
        self.first = first
        self.second = second
        self.states = states
        self.goesOnAfter = goesOnAfter
    }

    /// While a provider has the order.
    private static let taken: Set<OrderSnapshot.State> = [.accepted, .preparing, .enRoute, .arrived, .inProgress]

    /// Customer and provider, from the acceptance on.
    static let fromAcceptance = TalkRule(.customer, .provider, in: taken)
    /// Customer and provider, once the provider is on the way.
    static let fromOnTheWay = TalkRule(.customer, .provider, in: [.enRoute, .arrived, .inProgress])
    /// Rider and driver, before and after the ride: during it they sit in one car, and one of them drives.
    static let aroundTheRide = TalkRule(.customer, .provider, in: [.accepted, .enRoute, .arrived])
    /// Courier and restaurant, before and after the delivery.
    static let courierAndRestaurant = TalkRule(.provider, .merchant, in: taken)
    /// Customer and restaurant, until the meal has left it.
    static let beforeDispatch = TalkRule(
        .customer, .merchant, in: [.requested, .preparing, .offered, .accepted, .enRoute, .arrived], goesOnAfter: false)
}

extension Market {
    /// By market and kind of order. What is not here has no talk.
    private static let talk: [String: [Workflow: [TalkRule]]] = [
        "assef": [.visit: [.fromOnTheWay]],
        "edencare": [.homeCare: [.fromAcceptance]],
        "btnc": [
            .ride: [.aroundTheRide],
            .food: [.fromAcceptance, .courierAndRestaurant, .beforeDispatch],
            .bikeDropOff: [.fromAcceptance],
        ],
        "carrepsa": [.parcel: [.fromAcceptance]],
    ]

    /// The pairs of parties that may write to each other about an order of this kind.
    public func talkRules(of kind: String) -> [TalkRule] {
        self.kind(kind).flatMap { Self.talk[id]?[$0.workflow] } ?? []
    }

    /// Whether the parties of such an order do not see each other's phone number and e-mail address (P8).
    public func hidesContacts(of kind: String) -> Bool { self.kind(kind)?.opensContact != true }
}
