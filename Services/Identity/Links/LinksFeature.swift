import AMQP
import Messaging
import ServiceKit

extension Feature {
    static func links(_ parts: IdentityParts) -> Feature {
        let clock = parts.clock
        return Feature(
            "links",
            routes: {
                LinkRoutes(parts: parts).add(to: $0.router)
                MarketLinkRoutes(parts: parts).add(to: $0.router)
            },
            deadlines: [
                FamilyWishes.deadline: {
                    try await FamilyWishes(cipher: parts.cipher, changeLinks: parts.changeLinks)
                        .answer($0, at: $0.now(by: clock), in: $1)
                },
                FamilyWishes.provedDeadline: {
                    try await FamilyWishes(cipher: parts.cipher, changeLinks: parts.changeLinks)
                        .proved($0, at: $0.now(by: clock), in: $1)
                },
            ])
    }

    /// Shared places, and who sees them move.
    static func sharedPlaces(_ parts: IdentityParts) throws -> Feature {
        let (bootstrap, places) = (parts.base.bootstrap, parts.livePlaces)
        let publisher = Publisher(
            try bootstrap.broker(purpose: "places"), topology: LivePlaceFeed.topology, logger: bootstrap.logger)
        let feed = LivePlaceFeed(
            places: places, move: parts.moveSharedPlaces, publisher: publisher, clock: parts.clock,
            logger: bootstrap.logger)
        let takeBack = TakeBackPlace(clock: parts.clock) { try await feed.tell($0) }
        return Feature(
            "shared places",
            routes: { SharedPlaceRoutes(parts: parts).add(to: $0.router) },
            deadlines: [
                SharedPlace.deadline: { SharedPlace.end($0, in: $1) },
                TakeBackPlace.deadline: { try await takeBack($0, in: $1) },
            ],
            components: [ServiceComponent("shared places", stage: .publisher, feed)])
    }
}
