/// All time series of one name.
struct MetricFamily {
    enum Kind: Sendable {
        case counter, floatingPointCounter, gauge, recorder, timer

        var isHistogram: Bool { self == .recorder || self == .timer }

        var typeText: String {
            switch self {
            case .counter, .floatingPointCounter: "counter"
            case .gauge: "gauge"
            case .recorder, .timer: "histogram"
            }
        }

        /// The name in the output, with the suffix of its kind.
        func name(of label: String) -> String {
            let name = MetricName.metric(label)
            switch self {
            case .counter, .floatingPointCounter: return name.hasSuffix("_total") ? name : name + "_total"
            case .timer: return name.hasSuffix("_seconds") ? name : name + "_seconds"
            case .gauge, .recorder: return name
            }
        }

        func outputNames(of name: String) -> [String] {
            isHistogram ? [name, name + "_bucket", name + "_sum", name + "_count"] : [name]
        }
    }

    let name: String
    /// The instrument's label.
    let label: String
    let kind: Kind
    var series: [MetricLabels: any AnyObject & Sendable] = [:]
}
