/// Of times in milliseconds, by the nearest rank.
struct Percentiles: Encodable, Equatable {
    let p50: Double
    let p95: Double
    let p99: Double
    let count: Int

    init(_ durations: [Duration]) {
        let sorted = durations.sorted()
        func rank(_ part: Double) -> Double {
            guard !sorted.isEmpty else { return 0 }
            let index = min(sorted.count - 1, max(0, Int((part * Double(sorted.count)).rounded(.up)) - 1))
            return (sorted[index].milliseconds * 10).rounded() / 10
        }
        p50 = rank(0.50)
        p95 = rank(0.95)
        p99 = rank(0.99)
        count = sorted.count
    }
}

extension Duration {
    var milliseconds: Double { self / .milliseconds(1) }
    var inSeconds: Double { self / .seconds(1) }
}
