import ServiceKit

extension Feature {
    static func secondFactor(_ parts: IdentityParts) -> Feature {
        Feature(
            "secondFactor",
            routes: {
                SecondFactorRoutes(parts: parts).add(to: $0.router)
            })
    }
}
