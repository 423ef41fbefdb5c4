import ServiceKit

extension Feature {
    static func series(_ parts: DispatchParts) -> Feature {
        Feature(
            "series",
            routes: { parts.places.series.add(to: $0.router) },
            deadlines: parts.places.deadlineHandlers)
    }
}
