import ServiceKit

extension Feature {
    static func matching(_ parts: DispatchParts) throws -> Feature {
        let (pool, bootstrap) = (parts.pool, parts.base.bootstrap)
        let runner = RoundRunner(
            pool: pool, round: parts.rounds, lanes: try bootstrap.configuration[DispatchConfiguration.lanes],
            logger: bootstrap.logger)
        return Feature(
            "matching",
            components: [
                ServiceComponent(
                    "round call", stage: .background, RoundNotifier(pool: pool, logger: bootstrap.logger))
            ],
            working: [ServiceComponent("rounds", stage: .background, runner)])
    }
}
