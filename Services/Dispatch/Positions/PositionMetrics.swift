import Metrics

enum PositionMetrics {
    private static let taken = Counter(label: "positions_recorded_total")
    private static let dropped = Counter(label: "positions_dropped_total")
    private static let known = Gauge(label: "positions_known")

    static func recorded(taken count: Int, dropped droppedCount: Int) {
        taken.increment(by: Int64(count))
        dropped.increment(by: Int64(droppedCount))
    }

    static func known(_ count: Int) { known.record(count) }
}
