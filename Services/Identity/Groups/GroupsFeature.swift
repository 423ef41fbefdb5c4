import ServiceKit

extension Feature {
    /// Friends who go together, and who of them strays.
    static func groups(_ parts: IdentityParts) -> Feature {
        let watch = GroupWatch(
            pool: parts.pool, cipher: parts.cipher, clock: parts.clock, logger: parts.base.bootstrap.logger)
        return Feature(
            "groups",
            routes: { GroupRoutes(parts: parts).add(to: $0.router) },
            working: [ServiceComponent("groups", stage: .background, watch)])
    }
}
