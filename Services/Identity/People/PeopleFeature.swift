import ServiceKit

extension Feature {
    static func people(_ parts: IdentityParts) -> Feature {
        Feature(
            "people",
            routes: {
                PeopleRoutes(parts: parts).add(to: $0.router)
                TitleQuestionRoutes(parts: parts).add(to: $0.router)
                MarketPeopleRoutes(parts: parts).add(to: $0.router)
                PersonSessionRoutes(parts: parts).add(to: $0.router)
                WaitingRoutes(parts: parts).add(to: $0.router)
            })
    }
}
