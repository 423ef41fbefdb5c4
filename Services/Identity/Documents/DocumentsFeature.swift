import ServiceKit

extension Feature {
    static func documents(_ parts: IdentityParts) -> Feature {
        Feature(
            "documents",
            routes: {
                DocumentRoutes(parts: parts).add(to: $0.router)
                DocumentDecisionRoutes(parts: parts).add(to: $0.router)
                ProviderRoutes(parts: parts).add(to: $0.router)
            },
            uploads: [DocumentRoutes.upload: ProviderDocuments.maximumBytes])
    }
}
