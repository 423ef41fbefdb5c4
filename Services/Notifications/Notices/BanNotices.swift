import Contracts
import Foundation
import Messaging

/// The notices about a ban (I11). Whoever is banned in one market goes on reading the inbox by the others.
enum BanNotices {
    /// - Parameter settings: of the market, whose day the end is.
    static func notices(_ event: AccountBanned, _ settings: MarketSettings?) throws -> [Notice] {
        var arguments = ["market": market(event.market), "reason": TextArgument.text(event.reason)]
        guard let until = event.until else { return [try item(.accountBanned, arguments, event.account, event.at)] }
        arguments["until"] = .text(settings?.moment(of: until) ?? until.ISO8601Format())
        return [try item(.accountBannedUntil, arguments, event.account, event.at)]
    }

    static func notices(_ event: AccountUnbanned) throws -> [Notice] {
        [try item(.accountUnbanned, ["market": market(event.market)], event.account, event.at)]
    }

    private static func item(
        _ topic: InboxTopic, _ arguments: [String: TextArgument], _ account: UUID, _ at: Date
    ) throws -> Notice {
        try .item(topic, arguments, to: account, order: nil, at: at, id: .timeOrdered())
    }

    private static func market(_ id: String) -> TextArgument {
        id == "*" ? .words([["en": "all markets", "ar": "كل الأسواق"]]) : PersonNotices.market(id)
    }
}
