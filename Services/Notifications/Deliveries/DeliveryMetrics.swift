import Metrics

enum DeliveryMetrics {
    /// - Parameter outcome: `sent`, `failed`, `dropped` (read or not wanted any more) or `gone` (the device is).
    static func ended(_ channel: String, _ outcome: String, count: Int = 1) {
        Counter(label: "deliveries_total", dimensions: [("channel", channel), ("outcome", outcome)])
            .increment(by: Int64(count))
    }

    /// A try that came to nothing and is made again.
    static func postponed(_ channel: String) {
        Counter(label: "deliveries_postponed_total", dimensions: [("channel", channel)]).increment()
    }
}
