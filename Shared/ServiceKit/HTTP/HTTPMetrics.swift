import Metrics
import Locks

/// The HTTP server's metrics, kept so that a request creates none.
final class HTTPMetrics: Sendable {
    static let requestsLabel = "http.server.requests"
    static let durationLabel = "http.server.request.duration"
    static let activeLabel = "http.server.active"
    static let refusedLabel = "http.server.rate.refused"

    private struct Key: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private struct Instruments {
        let requests: Counter
        let duration: Timer
    }

    private let factory: any MetricsFactory
    private let active: Meter
    private let instruments = Mutex<[Key: Instruments]>([:])
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    init(factory: any MetricsFactory) {
        self.factory = factory
        active = Meter(label: Self.activeLabel, factory: factory)
    }

    func began() { active.increment() }

    /// - Parameter route: the template. All paths without a route have one label, so that clients cannot fill the
    ///   memory.
    func ended(method: String, route: String?, status: Int, after duration: Duration) {
        active.decrement()
        // The method is a text of the client too.
        let method = Self.methods.contains(method) ? method : "other"
        let key = Key(method: method, route: route ?? "none", status: status)
        let instruments = instruments.withLock { known in
            if let existing = known[key] { return existing }
            let labels = [("method", key.method), ("route", key.route)]
            let made = Instruments(
                requests: Counter(
                    label: Self.requestsLabel, dimensions: labels + [("status", String(status))], factory: factory),
                duration: Timer(label: Self.durationLabel, dimensions: labels, factory: factory))
            known[key] = made
            return made
        }
        instruments.requests.increment()
        instruments.duration.recordNanoseconds(duration.nanoseconds)
    }
}

extension Duration {
    /// Whole nanoseconds; the largest number on overflow.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product + attoseconds / 1_000_000_000
    }

    var milliseconds: Double { Double(nanoseconds) / 1e6 }
}
