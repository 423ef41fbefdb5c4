import ServiceKit

extension Feature {
    static func guide(_ routes: AdminRoutes) -> Feature {
        let weather = routes.weather
        return Feature(
            "guide",
            routes: {
                GuideRoutes(clock: routes.clock, weather: weather).add(to: $0.router)
                let places = NamedPlaceRoutes(admin: routes)
                places.add(to: $0.router)
                places.add(toSignedIn: $0.signedIn)
            },
            components: weather.map { desk in
                [ServiceComponent("weather client", stage: .database, ClosingService { await desk.close() })]
            } ?? [])
    }
}
