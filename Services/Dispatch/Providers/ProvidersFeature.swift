import ServiceKit

extension Feature {
    static func providers(_ parts: DispatchParts) -> Feature {
        Feature("providers", routes: { parts.providers.addRoutes(to: $0.router) })
    }
}
