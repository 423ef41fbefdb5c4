/// Prometheus' text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/).
enum PrometheusText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    static func append(_ family: MetricFamily, help: String?, to output: inout String) {
        head(family.name, type: family.kind.typeText, help: help ?? "\(family.label), no description.", to: &output)
        let series = family.series.sorted { $0.key.text() < $1.key.text() }
        for (labels, instrument) in series {
            switch instrument {
            case let counter as CounterInstrument: output += "\(family.name)\(labels.text()) \(counter.current)\n"
            case let counter as FloatingPointCounterInstrument:
                output += "\(family.name)\(labels.text()) \(number(counter.current))\n"
            case let gauge as GaugeInstrument: output += "\(family.name)\(labels.text()) \(number(gauge.current))\n"
            case let histogram as HistogramInstrument: append(histogram, family.name, labels, to: &output)
            default: break
            }
        }
    }

    /// Prometheus' conventional metrics of the process, and the registry's own.
    static func appendProcess(rejected: UInt64, to output: inout String) {
        head(
            "metrics_rejected_total", type: "counter",
            help: "Instruments that are not shown: their name was taken or there are too many.", to: &output)
        output += "metrics_rejected_total \(rejected)\n"
        for sample in ProcessFigures.current() {
            head(sample.name, type: sample.type, help: sample.help, to: &output)
            output += "\(sample.name) \(number(sample.value))\n"
        }
    }

    private static func append(
        _ histogram: HistogramInstrument, _ name: String, _ labels: MetricLabels, to output: inout String
    ) {
        let observations = histogram.current
        var cumulative: UInt64 = 0
        for (bound, count) in zip(histogram.bounds, observations.counts) {
            cumulative += count
            output += "\(name)_bucket\(labels.text(adding: ("le", number(bound)))) \(cumulative)\n"
        }
        cumulative += observations.counts.last ?? 0
        output += "\(name)_bucket\(labels.text(adding: ("le", "+Inf"))) \(cumulative)\n"
        output += "\(name)_sum\(labels.text()) \(number(observations.sum))\n"
        output += "\(name)_count\(labels.text()) \(cumulative)\n"
    }

    private static func head(_ name: String, type: String, help: String, to output: inout String) {
        let escaped = help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        output += "# HELP \(name) \(escaped)\n# TYPE \(name) \(type)\n"
    }

    /// Whole numbers without a fraction; Go's words for values that are not numbers.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
        return String(value)
    }
}
