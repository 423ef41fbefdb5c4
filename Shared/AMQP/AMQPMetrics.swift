import Metrics

/// The metrics of one publisher or consumer, labelled with its connection's name. Recorded once a turn, not for each
/// message.
struct AMQPMetrics: Sendable {
    /// The counts of one turn.
    struct Turn {
        var published = 0
        var confirmed = 0
        var refused = 0
        var returned = 0
        var delivered = 0
        var acked = 0
        var rejected = 0
    }

    private let published: Counter
    private let confirmed: Counter
    private let refused: Counter
    private let returned: Counter
    private let delivered: Counter
    private let acked: Counter
    private let rejected: Counter
    private let reconnects: Counter
    private let connected: Gauge
    private let inFlight: Gauge

    init(connectionName: String) {
        let labels = [("connection", connectionName)]
        published = Counter(label: "amqp_published_total", dimensions: labels)
        confirmed = Counter(label: "amqp_confirmed_total", dimensions: labels)
        refused = Counter(label: "amqp_refused_total", dimensions: labels)
        returned = Counter(label: "amqp_returned_total", dimensions: labels)
        delivered = Counter(label: "amqp_delivered_total", dimensions: labels)
        acked = Counter(label: "amqp_acked_total", dimensions: labels)
        rejected = Counter(label: "amqp_rejected_total", dimensions: labels)
        reconnects = Counter(label: "amqp_reconnects_total", dimensions: labels)
        connected = Gauge(label: "amqp_connected", dimensions: labels)
        inFlight = Gauge(label: "amqp_in_flight", dimensions: labels)
    }

    func record(_ turn: Turn) {
        Self.add(turn.published, published)
        Self.add(turn.confirmed, confirmed)
        Self.add(turn.refused, refused)
        Self.add(turn.returned, returned)
        Self.add(turn.delivered, delivered)
        Self.add(turn.acked, acked)
        Self.add(turn.rejected, rejected)
    }

    private static func add(_ count: Int, _ counter: Counter) {
        if count > 0 { counter.increment(by: Int64(count)) }
    }

    /// Messages that are published and not confirmed, or delivered and not settled.
    func setInFlight(_ count: Int) { inFlight.record(Int64(count)) }

    func connected(isFirst: Bool) {
        connected.record(Int64(1))
        if !isFirst { reconnects.increment() }
    }

    func disconnected() {
        connected.record(Int64(0))
        inFlight.record(Int64(0))
    }
}
