import ServiceKit

extension Feature {
    static func contacts(_ parts: IdentityParts) -> Feature {
        Feature(
            "contacts",
            routes: {
                ContactRoutes(parts: parts).add(to: $0.router)
                PublishedContactRoutes(parts: parts).add(to: $0.router)
            },
            handlers: OpenContacts.register(in:))
    }
}
