/// One thing that a service needs in order to be of use: the database, the broker, the migrations.
public struct HealthCheck: Sendable {
    public let name: String
    /// How long the check may take before it counts as failed.
    public let limit: Duration
    let run: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - name: shown in `/health/ready`: `database`.
    ///   - run: throws when the dependency is unhealthy. The error is logged, not shown.
    public init(_ name: String, limit: Duration = .seconds(1), run: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.limit = limit
        self.run = run
    }
}
