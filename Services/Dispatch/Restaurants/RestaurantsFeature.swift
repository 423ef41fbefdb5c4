import ServiceKit

extension Feature {
    static func restaurants(_ parts: DispatchParts) -> Feature {
        Feature(
            "restaurants",
            routes: {
                MealRoutes(orders: parts.orderRoutes, markets: parts.markets).add(to: $0.signedIn)
                parts.places.restaurants.add(to: $0.router)
            })
    }
}
