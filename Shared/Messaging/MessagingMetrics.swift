import Metrics

/// This module's metrics.
enum MessagingMetrics {
    private static let outboxWaiting = Gauge(label: "outbox_waiting")
    private static let outboxAge = Gauge(label: "outbox_oldest_seconds")
    private static let relayed = Counter(label: "outbox_relayed_total")
    private static let relaysEnded = Counter(label: "outbox_relays_stopped_total")
    private static let relayFailures = Counter(label: "outbox_refused_total")

    private static let deadWaiting = Gauge(label: "dead_messages_waiting")
    private static let deadlinesOverdue = Gauge(label: "deadlines_overdue")
    private static let deadlinesAge = Gauge(label: "deadlines_overdue_seconds")

    /// - Parameter count: of the whole service, by whichever process counted last.
    static func dead(waiting count: Int) { deadWaiting.record(count) }
    /// - Parameter queue: the queue of dead letters.
    static func deadKept(_ count: Int, from queue: String) {
        Counter(label: "dead_messages_kept_total", dimensions: [("queue", queue)]).increment(by: Int64(count))
    }
    /// - Parameter seconds: of the one that waits longest.
    static func deadlines(overdue count: Int, seconds: Double) {
        deadlinesOverdue.record(count)
        deadlinesAge.record(seconds)
    }
    static func unheard(_ name: String) {
        Counter(label: "outbox_unheard_total", dimensions: [("message", name)]).increment()
    }
    static func relayed(batch: Int) { relayed.increment(by: Int64(batch)) }
    static func relayEnded() { relaysEnded.increment() }
    static func relayFailure() { relayFailures.increment() }
    static func outbox(waiting: Int, oldestSeconds: Double) {
        outboxWaiting.record(waiting)
        outboxAge.record(oldestSeconds)
    }
}

/// The metrics of one consumer, labelled with its name.
struct ConsumerMetrics: Sendable {
    private let handled: Counter
    private let repeated: Counter
    private let retried: Counter
    private let delayed: Counter
    private let deadLettered: Counter
    private let lag: Metrics.Timer

    init(consumer: String) {
        let labels = [("consumer", consumer)]
        handled = Counter(label: "messages_handled_total", dimensions: labels)
        repeated = Counter(label: "messages_repeated_total", dimensions: labels)
        retried = Counter(label: "messages_retried_total", dimensions: labels)
        delayed = Counter(label: "messages_delayed_total", dimensions: labels)
        deadLettered = Counter(label: "messages_dead_lettered_total", dimensions: labels)
        lag = Metrics.Timer(label: "consumer_lag_seconds", dimensions: labels)
    }

    func handled(_ count: Int, repeated repeats: Int) {
        handled.increment(by: Int64(count))
        if repeats > 0 { repeated.increment(by: Int64(repeats)) }
    }

    func delay() { delayed.increment() }
    func retry() { retried.increment() }
    func deadLetter() { deadLettered.increment() }
    func lag(milliseconds: Int64) { lag.recordMilliseconds(max(0, milliseconds)) }
}
