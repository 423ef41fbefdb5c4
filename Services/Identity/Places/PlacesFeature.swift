import ServiceKit

extension Feature {
    static func places(_ parts: IdentityParts) -> Feature {
        Feature(
            "places",
            routes: {
                PlaceRoutes(parts: parts).add(to: $0.router)
                RecentPlaceRoutes(parts: parts).add(to: $0.router)
            })
    }
}
