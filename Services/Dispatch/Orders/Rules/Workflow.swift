/// What may happen to one kind of order: a table of state, trigger and actor to the next state and its effects.
///
/// A market names its workflow; ``Order`` runs them all. What is in no row cannot happen.
struct Workflow: Sendable {
    /// As ``Workflow/named(_:)`` and the markets name it.
    let kind: String
    /// The state of a new order.
    let first: OrderState
    /// What follows from there being a new order.
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

    /// What must hold besides the state. Of the rows that fit, the first one whose condition holds is taken.
    enum Condition: String, Sendable {
        case always
        /// Nobody has confirmed that the work is done.
        case nobodyHasConfirmed
        /// The other party has confirmed, and this one has not.
        case otherHasConfirmed
        /// One party has confirmed, whichever.
        case somebodyHasConfirmed
        /// Both have been told that the provider is near: not yet.
        case notYetNear
        /// Both have been told that the provider is near, and nobody has said that the work is done.
        case nearAndUnconfirmed
        /// Whether its provider has to leave a deposit.
        case withDeposit, withoutDeposit
        /// The wallet has not said yet whether it has the deposit.
        case depositAwaited
        /// There is no deposit, or the wallet has it.
        case depositSettled
        /// The merchant has not said that it can be fetched.
        case notYetReady
    }

    /// The rows of a trigger for an actor, whatever the state.
    func rows(on trigger: OrderTrigger.Kind, by actor: OrderActor) -> [Row] {
        rows.filter { $0.trigger == trigger && $0.actors.contains(actor) }
    }

    /// Whether the customer is fined for what an actor does in a state.
    func fines(_ trigger: OrderTrigger.Kind, by actor: OrderActor, in state: OrderState) -> Bool {
        rows(on: trigger, by: actor).contains { $0.from == state && $0.effects.contains(.fines) }
    }

    /// Whether the customer of such an order awaits its provider, and is told when he or she is near.
    static func isAwaited(_ kind: String, in state: String) -> Bool { awaited[kind]?.contains(state) ?? false }

    private static let awaited: [String: Set<String>] = Dictionary(
        all.map { workflow in
            (workflow.kind, Set(workflow.rows.filter { $0.trigger == .comeNear }.map(\.from.rawValue)))
        }
    ) { first, _ in first }

    static let all: [Workflow] = [visit, parcel, homeCare, ride, food, bikeDropOff, bikePickUp]

    static func named(_ kind: String) -> Workflow? { all.first { $0.kind == kind } }

    /// The slugs that any of them keeps with an order. Readers of its events know them as the platform's.
    static let reasons: Set<String> = Set(
        all.flatMap(\.rows).flatMap(\.effects).compactMap { effect -> String? in
            switch effect {
            case .because(let reason), .reports(let reason, _): reason
            default: nil
            }
        }
    ).union(OrderTrigger.PaymentNews.reasons)
}

/// What follows from a transition, beside the new state.
enum OrderEffect: Sendable, Hashable {
    /// Somebody is waited for until the window's end.
    case waits(OrderWindow)
    /// Somebody is waited for until the end that this wait had when it was ended, by what has come to nothing.
    case resumes(OrderWindow)
    /// That wait is over.
    case ends(OrderWindow)
    /// The provider must hold no other order, and holds this one from now on.
    case claimsProvider
    /// The provider may take another order.
    case freesProvider
    /// What the provider brings is in his or her hands: nothing is added to it.
    case handsOver
    /// Who acted, or was named, is its provider from now on.
    case takesProvider
    /// It has no provider any more.
    case losesProvider
    /// Its bike is for others again, if it stands in a rack.
    case releasesBike
    /// It is on the board from now on, and no longer.
    case posts, unposts
    /// The platform searches a provider from now on; when that ends is fixed now, however many are asked meanwhile. Who
    /// had it before is not asked again.
    case searches
    /// Its provider is asked, and nobody else until that has ended.
    case offers
    /// Who was asked is not asked again, and the search goes on to its end.
    case searchesOn
    /// The search has ended.
    case endsSearch
    /// What is to be fetched is ready: a search that was to begin later begins now.
    case hastens
    /// A report is made in a party's name, for this reason, since nobody else can.
    case reports(String, for: OrderActor = .customer)
    /// The customer pays for the way that the provider has made for nothing.
    case fines
    /// The reason that is kept with the order, a slug.
    case because(String)
    /// Others are told.
    case tells(OrderNews)
}

/// What others are told of an order; each is a message.
enum OrderNews: String, Sendable, CaseIterable {
    case requested, accepted, refused, enRoute, nearby, arrived, confirmed, completed, cancelled, expired
    /// Reported; and still not decided about.
    case disputed, undecided
    case paymentChanged
    /// It waits for its payment, and nobody is asked yet.
    case pending
    /// Somebody is asked; the work has begun; who had it has it no more, and it is open again.
    case offered, started, reopened
    /// Who was asked by the platform has said no, or nothing in time; the next one is asked.
    case passed
    /// A merchant has taken it and prepares it; it can be fetched.
    case preparing, ready
    /// The wallet has the provider's deposit.
    case deposited
    /// Another time is asked for, and set.
    case timeAsked, rescheduled
}
