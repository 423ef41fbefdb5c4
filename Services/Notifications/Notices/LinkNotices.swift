import Contracts
import Foundation
import Messaging

/// The notices about links to friends and family (I9): of each step the person hears who has not taken it, or both when an
/// admin has.
enum LinkNotices {
    static func notices(_ event: LinkMoved) throws -> [Notice] {
        let (from, to) = (event.from, event.to)
        let isFriend = event.kind == .friend
        switch event.step {
        case .asked:
            return [try item(isFriend ? .linkAskedByFriend : .linkAskedByFamily, event, to: to, about: from)]
        case .agreed:
            return [try item(.linkAgreed, event, to: from, about: to)]
        case .confirmed:
            return try tellOthers(of: event, isFriend ? .linkConfirmedFriend : .linkConfirmedFamily)
        case .withdrawn where event.by == to.account:
            // Whoever asks for a number is not told whose it is.
            return [try item(.linkDeclined, event, to: from, about: nil)]
        case .withdrawn where event.by == from.account:
            // The question is gone, and nothing has come of it.
            return []
        case .withdrawn:
            return [try item(.linkDeclinedByAdmin, event, to: from, about: nil)]
        case .removed:
            let isByAdmin = event.by != from.account && event.by != to.account
            return try tellOthers(of: event, isByAdmin ? .linkRemovedByAdmin : .linkRemoved)
        }
    }

    private static func tellOthers(of event: LinkMoved, _ topic: InboxTopic) throws -> [Notice] {
        try [(event.from, event.to), (event.to, event.from)].filter { $0.0.account != event.by }.map {
            try item(topic, event, to: $0.0, about: $0.1)
        }
    }

    private static func item(
        _ topic: InboxTopic, _ event: LinkMoved, to person: LinkMoved.Person, about other: LinkMoved.Person?
    ) throws -> Notice {
        var arguments: [String: TextArgument] = [:]
        if let other { arguments["person"] = .person(name: other.name, account: other.account) }
        if let market = event.market { arguments["market"] = PersonNotices.market(market) }
        return try .item(topic, arguments, to: person.account, order: nil, at: event.at, id: .timeOrdered())
    }
}
