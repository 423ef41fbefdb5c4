import CoreMetrics
import struct Synchronization.Atomic
import Locks

/// A number that only grows.
final class CounterInstrument: CounterHandler {
    private let value = Atomic<UInt64>(0)

    func increment(by amount: Int64) {
        // A negative amount is an error of the caller: a falling counter looks like a restart.
        guard amount > 0 else { return }
        value.wrappingAdd(UInt64(amount), ordering: .relaxed)
    }

    func reset() { value.store(0, ordering: .relaxed) }
    var current: UInt64 { value.load(ordering: .relaxed) }
}

/// A number with fractions that only grows.
final class FloatingPointCounterInstrument: FloatingPointCounterHandler {
    private let value = FloatingPointCell()

    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        value.add(amount)
    }

    func reset() { value.store(0) }
    var current: Double { value.load() }
}

/// A number that goes up and down: swift-metrics' meters, and its recorders without aggregation (gauges).
final class GaugeInstrument: MeterHandler, RecorderHandler {
    private let value = FloatingPointCell()

    func set(_ value: Int64) { self.value.store(Double(value)) }
    func set(_ value: Double) { self.value.store(value) }
    func increment(by amount: Double) { value.add(amount) }
    func decrement(by amount: Double) { value.add(-amount) }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }
    var current: Double { value.load() }
}

/// A distribution: the number of observations up to each bound, their sum and their number.
///
/// The lock is held for a few additions; with it a scrape sees buckets, sum and count of the same moment.
final class HistogramInstrument: RecorderHandler, TimerHandler {
    struct Observations {
        /// One more than the bounds: the last count is for values above all of them.
        var counts: [UInt64]
        var sum = 0.0
    }

    let bounds: [Double]
    private let observations: Mutex<Observations>

    /// - Parameter bounds: ascending; seconds for timers.
    init(bounds: [Double]) {
        self.bounds = bounds
        observations = Mutex(Observations(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        observations.withLock {
            $0.counts[index] += 1
            $0.sum += value
        }
    }

    /// Timers are exported in seconds, Prometheus' unit of time.
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    var current: Observations { observations.withLock { $0 } }
}

/// A `Double` that threads share without a lock.
struct FloatingPointCell: ~Copyable {
    private let bits = Atomic<UInt64>(0)

    func load() -> Double { Double(bitPattern: bits.load(ordering: .relaxed)) }
    func store(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    func add(_ amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (isExchanged, seen) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if isExchanged { return }
            old = seen
        }
    }
}
