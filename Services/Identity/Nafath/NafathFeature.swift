import ServiceKit

extension Feature {
    static func nafath(_ parts: IdentityParts) -> Feature {
        Feature(
            "nafath",
            routes: {
                NafathRoutes(parts: parts).add(to: $0.router)
            },
            components: [
                ServiceComponent(
                    "identity provider", stage: .database,
                    ClosingService { [provider = parts.provider] in await provider?.close() })
            ])
    }
}
