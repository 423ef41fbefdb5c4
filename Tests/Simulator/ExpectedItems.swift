import Contracts

/// What the parties' inboxes must have of one visit, by what happened to it. Pure.
///
/// It is written from the requirements and reads what dispatch and the wallet told, as admins see it: nothing here comes
/// from the service that writes the items.
struct ExpectedItems {
    enum Party: String, Hashable {
        case customer, provider
    }

    /// Something that happened to an order, in any service.
    struct Happening: Equatable {
        /// On the wire, such as `dispatch.order.accepted.v1`.
        let name: String
        var by: String?
        var reason: String?
    }

    /// What is in an inbox, by what it is about.
    struct Key: Hashable {
        let party: Party
        let topic: String
    }

    /// How often each must be there. That somebody is near is of no use once he or she has arrived, and may be left out.
    private(set) var counts: [Key: ClosedRange<Int>] = [:]

    /// - Parameters:
    ///   - order: as it is at its end.
    ///   - method: by which it was paid, or would have been.
    ///   - timeline: everything that happened to it.
    init(of order: OrderSnapshot, paidBy method: String?, _ timeline: [Happening]) {
        let paysInCash = method == "cash"
        for happening in timeline {
            for key in Self.keys(happening, order, paysInCash: paysInCash) {
                let known = counts[key] ?? 0...0
                let atLeast = known.lowerBound + (key.topic == Self.near ? 0 : 1)
                counts[key] = atLeast...(known.upperBound + 1)
            }
        }
    }

    private static let near = "order.nearby"
    private static let because = ".because"

    /// The topics that are counted. An item of another one is about something that the simulated people do not do.
    static let topics: Set<String> = [
        "order.requested", "order.accepted", "order.refused", "order.paid", "order.paid-in-cash", "order.on-the-way",
        near, "order.arrived", "order.confirm", "order.completed.customer", "order.completed.provider",
        "order.cancelled-by-other", "order.cancelled-on-the-way", "order.no-show.customer", "order.no-show.provider",
        "order.payment-lost.customer", "order.payment-lost.provider", "order.unconfirmed.customer",
        "order.unconfirmed.provider", "order.unanswered.customer", "order.unanswered.provider",
        "order.unpaid.customer", "order.unpaid.provider", "order.rated", "payment.refused", "payment.earned",
        "payment.earned-in-cash", "payment.released",
    ]

    /// A topic without what only chooses its words.
    static func counted(_ topic: String) -> String? {
        if topic.hasPrefix("payment.refused") { return "payment.refused" }
        if topic.hasPrefix("payment.released") { return "payment.released" }
        if topic.hasSuffix(because) { return counted(String(topic.dropLast(because.count))) }
        return topics.contains(topic) ? topic : nil
    }

    private static func keys(_ happening: Happening, _ order: OrderSnapshot, paysInCash: Bool) -> [Key] {
        func customer(_ topic: String) -> Key { Key(party: .customer, topic: topic) }
        func provider(_ topic: String) -> Key { Key(party: .provider, topic: topic) }
        func both(_ topic: String) -> [Key] { [customer("\(topic).customer"), provider("\(topic).provider")] }
        switch happening.name {
        case "dispatch.order.requested.v1": return [provider("order.requested")]
        case "dispatch.order.accepted.v1": return [customer("order.accepted")]
        case "dispatch.order.refused.v1": return [customer("order.refused")]
        case "dispatch.order.en_route.v1":
            return [provider(paysInCash ? "order.paid-in-cash" : "order.paid"), customer("order.on-the-way")]
        case "dispatch.order.nearby.v1": return [customer(near)]
        case "dispatch.order.arrived.v1": return [customer("order.arrived")]
        // Who has not confirmed is asked to.
        case "dispatch.order.confirmed.v1":
            return [happening.by == "customer" ? provider("order.confirm") : customer("order.confirm")]
        case "dispatch.order.completed.v1": return both("order.completed")
        case "dispatch.order.cancelled.v1":
            switch (happening.by, happening.reason) {
            case ("system", "no-show"): return both("order.no-show")
            case ("system", "payment-lost"): return both("order.payment-lost")
            case ("system", "nobody-confirmed"): return both("order.unconfirmed")
            case ("customer", _):
                return [provider(order.fine == nil ? "order.cancelled-by-other" : "order.cancelled-on-the-way")]
            case ("provider", _): return [customer("order.cancelled-by-other")]
            default: return []
            }
        case "dispatch.order.expired.v1":
            switch happening.reason {
            case "accept-window-over": return both("order.unanswered")
            case "payment-window-over": return both("order.unpaid")
            default: return []
            }
        case "dispatch.rating.given.v1":
            return [happening.by == "customer" ? provider("order.rated") : customer("order.rated")]
        // Who has given an attempt up need not be told.
        case "wallet.payment.refused.v1": return happening.reason == "abandoned" ? [] : [customer("payment.refused")]
        case "wallet.payment.captured.v1": return [provider(paysInCash ? "payment.earned-in-cash" : "payment.earned")]
        // Cash was only promised; nothing comes back.
        case "wallet.payment.released.v1": return paysInCash ? [] : [customer("payment.released")]
        default: return []
        }
    }
}
