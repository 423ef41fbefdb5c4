import Metrics

enum StreamMetrics {
    private static let connected = Gauge(label: "streams_connected")
    private static let events = Counter(label: "stream_events_sent_total")
    private static let cut = Counter(label: "streams_cut_total")

    private static let refused = Counter(label: "streams_refused_total")

    static func full() { refused.increment() }
    static func connected(_ count: Int) { connected.record(count) }
    static func sent(_ count: Int) { events.increment(by: Int64(count)) }
    static func cutOff() { cut.increment() }
}
