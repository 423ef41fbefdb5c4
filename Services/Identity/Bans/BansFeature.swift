import Messaging
import ServiceKit

extension Feature {
    static func bans(_ parts: IdentityParts) -> Feature {
        Feature(
            "bans",
            routes: {
                BanRoutes(parts: parts).add(to: $0.router)
            },
            deadlines: [
                BanAccount.deadline: {
                    try await BanAccount.end($0, at: $0.now(by: parts.clock), in: $1)
                }
            ])
    }
}
