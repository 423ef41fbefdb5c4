import Metrics

/// This module's metrics, made once per process.
enum PostgresMetrics {
    private static let exchanges = Counter(label: "postgres_exchanges_total")
    private static let statements = Counter(label: "postgres_statements_total")
    private static let connectionsOpened = Counter(label: "postgres_connections_opened_total")
    private static let connectionsLost = Counter(label: "postgres_connections_lost_total")
    private static let transactionRetries = Counter(label: "postgres_transaction_retries_total")
    private static let poolTimeouts = Counter(label: "postgres_pool_timeouts_total")
    private static let poolWaits = Metrics.Timer(label: "postgres_pool_wait_seconds")

    static func exchange(statements count: Int) {
        exchanges.increment()
        statements.increment(by: Int64(count))
    }

    static func opened() { connectionsOpened.increment() }
    static func lost() { connectionsLost.increment() }
    static func retried() { transactionRetries.increment() }
    static func timedOut() { poolTimeouts.increment() }

    static func waited(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        poolWaits.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
