import ServiceKit

extension Feature {
    static func admins(_ parts: IdentityParts) -> Feature {
        Feature(
            "admins",
            routes: {
                AdminRoutes(parts: parts).add(to: $0.router)
            })
    }
}
