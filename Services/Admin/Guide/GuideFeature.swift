import ServiceKit

extension Feature {
    static func guide(_ routes: AdminRoutes) -> Feature {
        let weather = routes.weather
        return Feature(
            "guide",
            routes: { GuideRoutes(clock: routes.clock, weather: weather).add(to: $0.router) },
            components: weather.map { desk in
                [ServiceComponent("weather client", stage: .database, ClosingService { await desk.close() })]
            } ?? [])
    }
}
