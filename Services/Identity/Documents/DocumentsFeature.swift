import Messaging
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
            deadlines: [
                LapseDocuments.kind: {
                    try await LapseDocuments(documents: parts.documents).fire($0, at: $0.now(by: parts.clock), in: $1)
                }
            ], uploads: [DocumentRoutes.upload: ProviderDocuments.maximumBytes])
    }
}
