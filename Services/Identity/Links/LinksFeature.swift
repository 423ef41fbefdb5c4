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
}
