import ServiceKit

extension Feature {
    static func projections(_ parts: DispatchParts) -> Feature {
        Feature("projections", handlers: { ProviderParts.register(in: &$0, parts.markets, clock: parts.clock) })
    }
}
