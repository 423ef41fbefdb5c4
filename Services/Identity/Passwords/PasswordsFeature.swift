import ServiceKit

extension Feature {
    static func passwords(_ parts: IdentityParts) -> Feature {
        Feature(
            "passwords",
            routes: {
                PasswordRoutes(parts: parts).add(to: $0.router)
            },
            components: [
                ServiceComponent(
                    "password threads", stage: .background,
                    ClosingService { [hasher = parts.hasher] in hasher.stop() })
            ])
    }
}
