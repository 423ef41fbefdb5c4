import ServiceKit

extension Feature {
    static func sessions(_ parts: IdentityParts) -> Feature {
        Feature(
            "sessions",
            routes: {
                SessionRoutes(parts: parts).add(to: $0.router)
            })
    }
}
