public import CoreMetrics
import Locks

/// Collects the values of swift-metrics' instruments for `/metrics`.
///
/// Counters and gauges are one atomic operation, histograms a short lock. Creating an instrument takes the registry's
/// lock and a lookup; the same label and dimensions give the same time series.
///
/// Names: dots become underscores; counters end in `_total`; timers are histograms in `_seconds`; recorders are
/// histograms. Memory is bounded: beyond ``Limits/seriesPerFamily`` new label sets are counted together under
/// `overflow="true"`, beyond ``Limits/families`` new names are ignored. Instruments are never removed, so `destroy`
/// does nothing.
public final class PrometheusRegistry: MetricsFactory {
    public struct Limits: Sendable {
        public var families: Int
        public var seriesPerFamily: Int

        public init(families: Int = 1_000, seriesPerFamily: Int = 500) {
            self.families = families
            self.seriesPerFamily = seriesPerFamily
        }
    }

    /// Upper bounds of buckets.
    public struct Buckets: Sendable {
        /// 0.5 ms to 10 s, for timers.
        public static let seconds: [Double] = [
            0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
        ]
        /// 1 to a million, for sizes and counts.
        public static let amounts: [Double] = [
            1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000, 1_000_000,
        ]
    }

    struct State {
        var families: [String: MetricFamily] = [:]
        /// Every name in the output, with the family that owns it: a histogram has three more names.
        var owners: [String: String] = [:]
        var descriptions: [String: String] = [:]
    }

    private let state: Mutex<State>
    private let limits: Limits
    private let buckets: [String: [Double]]
    /// Instruments that could not be created because their name is taken or there are too many.
    private let rejected = CounterInstrument()

    /// - Parameters:
    ///   - buckets: by the label of the timer or recorder, where the default buckets do not fit.
    ///   - descriptions: help texts by label.
    public init(limits: Limits = Limits(), buckets: [String: [Double]] = [:], descriptions: [String: String] = [:]) {
        self.limits = limits
        self.buckets = buckets
        state = Mutex(State(descriptions: MetricDescriptions.common.merging(descriptions) { _, own in own }))
    }

    /// Sets the help text of a metric.
    ///
    /// - Parameter label: the instrument's label, with dots.
    public func describe(_ label: String, _ text: String) {
        state.withLock { $0.descriptions[label] = text }
    }

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        instrument(label, .counter, dimensions) { CounterInstrument() }
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        instrument(label, .floatingPointCounter, dimensions) { FloatingPointCounterInstrument() }
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        instrument(label, .gauge, dimensions) { GaugeInstrument() }
    }

    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return instrument(label, .gauge, dimensions) { GaugeInstrument() } }
        let bounds = buckets[label] ?? Buckets.amounts
        return instrument(label, .recorder, dimensions) { HistogramInstrument(bounds: bounds) }
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let bounds = buckets[label] ?? Buckets.seconds
        return instrument(label, .timer, dimensions) { HistogramInstrument(bounds: bounds) }
    }

    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}

    /// Everything in Prometheus' text format 0.0.4.
    public func text() -> String {
        let (families, descriptions) = state.withLock { (Array($0.families.values), $0.descriptions) }
        var output = ""
        for family in families.sorted(by: { $0.name < $1.name }) {
            PrometheusText.append(family, help: descriptions[family.label], to: &output)
        }
        PrometheusText.appendProcess(rejected: rejected.current, to: &output)
        return output
    }

    private func instrument<Instrument: AnyObject & Sendable>(
        _ label: String, _ kind: MetricFamily.Kind, _ dimensions: [(String, String)], make: () -> Instrument
    ) -> Instrument {
        let name = kind.name(of: label)
        let labels = MetricLabels(dimensions, isHistogram: kind.isHistogram)
        let known: Instrument? = state.withLock { state in
            if state.families[name] == nil {
                let names = kind.outputNames(of: name)
                guard state.families.count < limits.families, names.allSatisfy({ state.owners[$0] == nil }) else {
                    return nil
                }
                for each in names { state.owners[each] = name }
                state.families[name] = MetricFamily(name: name, label: label, kind: kind)
            }
            guard let family = state.families[name], family.kind == kind else { return nil }
            if let existing = family.series[labels] { return existing as? Instrument }
            let isFull = family.series.count >= limits.seriesPerFamily
            let key = isFull ? MetricLabels.overflow : labels
            if let existing = family.series[key] { return existing as? Instrument }
            let made = make()
            state.families[name]?.series[key] = made
            return made
        }
        if let known { return known }
        // The instrument counts without being exported: better than stopping the program for a name.
        rejected.increment(by: 1)
        return make()
    }
}
