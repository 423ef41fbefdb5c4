import ServiceKit

extension Feature {
    static func roles(_ parts: IdentityParts) -> Feature {
        Feature(
            "roles",
            routes: {
                RoleOfferRoutes(parts: parts).add(to: $0.router)
            })
    }
}
