import Contracts
import Foundation
import SeraiJSON

/// Arguments of notices that are a person's own words or name, and are deleted with the person.
extension OrderNotices {
    /// The reason in the market's words, or in those of whoever changed the order.
    var reason: TextArgument {
        let words = order.reason.flatMap { market?.words(for: $0)?.texts }
        if let words { return .words([words]) }
        let author: UUID? =
            switch order.by {
            case .customer: order.customer.account
            case .provider: order.provider?.account
            case .merchant: order.merchant?.account
            case .admin, .system: nil
            }
        return author.map { .ownText(order.reason ?? "", by: $0) } ?? .text(order.reason ?? "")
    }

    /// The time that the order is for, in the market's zone; empty for at once.
    var time: TextArgument {
        .text(order.scheduledAt.map { settings?.moment(of: $0) ?? WireTime.text($0) } ?? "")
    }

    /// A parcel has the name that its customer gave it.
    var services: TextArgument {
        let names = order.services.map(\.name.texts)
        let isOwn = Market.Workflow(rawValue: order.kind) == .parcel
        return isOwn ? .ownWords(names, by: order.customer.account) : .words(names)
    }
}

extension OrderNotices {
    /// The minutes until the deadline, rounded up; the market's default window if there is no deadline.
    func minutesLeft(_ window: KeyPath<MarketSettings, Int>) -> Int {
        (secondsLeft(window) + 59) / 60
    }

    func secondsLeft(_ window: KeyPath<MarketSettings, Int>) -> Int {
        let seconds =
            order.deadline.map { $0.timeIntervalSince(order.changedAt) }
            ?? Double(market?.defaults[keyPath: window] ?? 60)
        return max(1, Int(min(seconds, 1e6).rounded(.up)))
    }
}

extension TextArgument {
    /// Empty without a party.
    init(_ party: OrderSnapshot.Party?) {
        self = party.map { .person(name: $0.name, account: $0.account) } ?? .text("")
    }

    init(_ money: Money) { self = .money(amount: money.amount, currency: money.currency) }
}
