/// Table of the transitions of one kind of order: state, trigger and actor to the next state and its effects.
///
/// A market names its workflows; ``Order`` is the engine for all of them. A transition without a row is not allowed.
struct Workflow: Sendable {
    /// Name of the kind, as in ``Workflow/named(_:)`` and in the markets.
    let kind: String
    /// The state of a new order.
    let first: OrderState
    /// Effects of the creation of an order.
    let opening: [OrderEffect]
    let rows: [Row]

    struct Row: Sendable, Equatable {
        let from: OrderState
        let trigger: OrderTrigger.Kind
        let actors: Set<OrderActor>
        let condition: Condition
        let to: OrderState
        let effects: [OrderEffect]

        init(
            _ from: OrderState, _ trigger: OrderTrigger.Kind, by actors: Set<OrderActor>,
            when condition: Condition = .always,
            to: OrderState, _ effects: OrderEffect...
        ) {
            self.init(from, trigger, by: actors, when: condition, to: to, effects: effects)
        }

        init(
            _ from: OrderState, _ trigger: OrderTrigger.Kind, by actors: Set<OrderActor>, when condition: Condition,
            to: OrderState, effects: [OrderEffect]
        ) {
            self.from = from
            self.trigger = trigger
            self.actors = actors
            self.condition = condition
            self.to = to
            self.effects = effects
        }
    }

    /// Condition besides the state. Of the matching rows, the first one whose condition holds is taken.
    enum Condition: String, Sendable {
        case always
        /// No party has confirmed that the work is done.
        case nobodyHasConfirmed
        /// The other party has confirmed, and this one has not.
        case otherHasConfirmed
        /// At least one party has confirmed.
        case somebodyHasConfirmed
        /// Customer and provider have not yet been told that the provider is near.
        case notYetNear
        /// Customer and provider were told that the provider is near, and no party has confirmed.
        case nearAndUnconfirmed
        /// The order asks its provider for a deposit, or does not.
        case withDeposit, withoutDeposit
        /// The wallet has not yet answered about the deposit.
        case depositAwaited
        /// There is no deposit, or the wallet has locked it.
        case depositSettled
        /// The merchant has not yet said that the goods are ready.
        case notYetReady
    }

    /// The rows of a trigger for an actor, in all states.
    func rows(on trigger: OrderTrigger.Kind, by actor: OrderActor) -> [Row] {
        rows.filter { $0.trigger == trigger && $0.actors.contains(actor) }
    }

    /// Whether the customer is fined for an actor's trigger in a state.
    func fines(_ trigger: OrderTrigger.Kind, by actor: OrderActor, in state: OrderState) -> Bool {
        rows(on: trigger, by: actor).contains { $0.from == state && $0.effects.contains(.fines) }
    }

    /// Whether the customer of such an order awaits the provider, and is told when the provider is near.
    static func isAwaited(_ kind: String, in state: String) -> Bool { awaited[kind]?.contains(state) ?? false }

    private static let awaited: [String: Set<String>] = Dictionary(
        all.map { workflow in
            (workflow.kind, Set(workflow.rows.filter { $0.trigger == .comeNear }.map(\.from.rawValue)))
        }
    ) { first, _ in first }

    static let all: [Workflow] = [visit, parcel, homeCare, ride, food, bikeDropOff, bikePickUp]

    static func named(_ kind: String) -> Workflow? { all.first { $0.kind == kind } }

    /// The slugs that the workflows store with orders. Consumers of the events recognize them as the platform's words.
    static let reasons: Set<String> = Set(
        all.flatMap(\.rows).flatMap(\.effects).compactMap { effect -> String? in
            switch effect {
            case .because(let reason), .reports(let reason, _): reason
            default: nil
            }
        }
    ).union(OrderTrigger.PaymentNews.reasons).union(["delivered-late"])
}

/// An effect of a transition, besides the new state.
enum OrderEffect: Sendable, Hashable {
    /// Opens the window.
    case waits(OrderWindow)
    /// Reopens the window with the end that it had when the failed attempt closed it.
    case resumes(OrderWindow)
    /// Closes the window.
    case ends(OrderWindow)
    /// The provider must hold no other order, and holds this one from now on.
    case claimsProvider
    /// Releases the provider, who may take another order.
    case freesProvider
    /// The courier has picked up the goods; no further order is added to the trip.
    case handsOver
    /// The provider who acted, or was named, becomes the order's provider.
    case takesProvider
    /// Removes the order's provider.
    case losesProvider
    /// Releases the reserved bike to others, if it stands in a rack.
    case releasesBike
    /// Puts the order on the board, or takes it off.
    case posts, unposts
    /// Begins the platform's search for a provider. Its end is fixed now, however many providers are asked meanwhile. A
    /// provider who had the order before is not asked again.
    case searches
    /// Offers the order to its provider alone.
    case offers
    /// Continues the search to its fixed end; the provider who was asked is not asked again.
    case continuesSearch
    case endsSearch
    /// The goods are ready: a search that was scheduled for later begins now.
    case startsSearchNow
    /// Creates a report in a party's name with this reason, since no person reported it.
    case reports(String, for: OrderActor = .customer)
    /// Fines the customer for the provider's useless way.
    case fines
    /// Stores this slug as the order's reason.
    case because(String)
    /// Publishes the event.
    case tells(OrderNews)
}

/// Kinds of news about an order; each is an event.
enum OrderNews: String, Sendable, CaseIterable {
    case requested, accepted, refused, enRoute, nearby, arrived, confirmed, completed, cancelled, expired
    /// The order was reported; the report is still undecided.
    case disputed, undecided
    case paymentChanged
    /// The order waits for its payment; no provider is asked yet.
    case pending
    /// A provider was asked; the work has begun; the provider has lost the order, and the order is open again.
    case offered, started, reopened
    /// The asked provider declined or did not answer in time; the search goes on.
    case passed
    /// The merchant has accepted and prepares the order; the order is ready for pick-up.
    case preparing, ready
    /// The wallet has locked the provider's deposit.
    case deposited
    /// The provider asked for another time; an admin set another time.
    case timeAsked, rescheduled
}
