import ServiceKit

extension Feature {
    static func places(_ parts: DispatchParts) -> Feature {
        Feature(
            "places",
            routes: {
                parts.places.places.add(to: $0.router)
                parts.places.ways.add(to: $0.router)
            },
            components: parts.places.components)
    }
}
