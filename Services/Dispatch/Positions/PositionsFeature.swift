import ServiceKit

extension Feature {
    static func positions(_ parts: DispatchParts) -> Feature {
        Feature("positions", components: parts.providers.components, serving: parts.providers.answering)
    }
}
