public import Foundation
public import Postgres

extension Feature {
    /// What those who run the service see of it and do: how it stands, and its dead messages.
    public static func operating<Service: FeatureService>(
        _: Service.Type, pool: PostgresPool, cursors: CursorSealer, clock: @escaping @Sendable () -> Date
    ) -> Feature {
        let startedAt = clock()
        return Feature(
            "operating",
            routes: {
                SystemRoute<Service>(pool: pool, clock: clock, startedAt: startedAt).add(to: $0.signedIn)
                DeadMessageRoutes<Service>(pool: pool, cursors: cursors, clock: clock).add(to: $0.signedIn)
            })
    }
}
