import Contracts
import Foundation
import Messaging

/// What people are told of themselves.
enum PersonNotices {
    static func notices(_ event: ProviderVerified) throws -> [Notice] {
        [
            try .item(
                .providerVerified, ["market": market(event.market)], to: event.account.account, order: nil,
                at: event.at, id: .timeOrdered())
        ]
    }

    static func notices(_ event: ProviderRejected) throws -> [Notice] {
        [
            try .item(
                .providerRejected, ["market": market(event.market), "reason": .text(event.reason)],
                to: event.account.account, order: nil, at: event.at, id: .timeOrdered())
        ]
    }

    /// That there is a rating, not which: dispatch shows it to who has given one.
    static func notices(_ event: RatingGiven) throws -> [Notice] {
        [try .item(.rated, [:], to: event.to, order: event.order, at: event.at, id: .timeOrdered())]
    }

    private static func market(_ id: String) -> TextArgument {
        .words([Market.named(id)?.name.texts ?? ["en": id]])
    }
}
