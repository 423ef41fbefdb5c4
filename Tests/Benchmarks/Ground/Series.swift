import Foundation
import Glibc

/// What one contestant did in one round.
struct Sample: Sendable {
    let count: Int
    let duration: Duration
    /// User and system time of the measured client, without the servers.
    let clientCPU: Duration

    var perSecond: Double { Double(count) / (duration / .seconds(1)) }
    var clientCPUMicroseconds: Double { count == 0 ? 0 : clientCPU / .microseconds(1) / Double(count) }
}

/// The samples of one contestant, one a round.
struct Series: Encodable, Sendable {
    let name: String
    /// What is counted, in the plural.
    let unit: String
    var samples: [Sample] = []

    init(_ name: String, unit: String) {
        self.name = name
        self.unit = unit
    }

    var perSecond: [Double] { samples.map(\.perSecond) }
    var clientCPUMicroseconds: [Double] { samples.map(\.clientCPUMicroseconds) }

    /// Round by round, so that what slows the machine down for a while slows both sides of a ratio.
    func ratios(to other: Series) -> [Double] { zip(perSecond, other.perSecond).map { $0 / $1 } }

    private enum CodingKeys: String, CodingKey {
        case name, unit, perSecond, clientCPUMicroseconds
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(unit, forKey: .unit)
        try container.encode(perSecond, forKey: .perSecond)
        try container.encode(clientCPUMicroseconds, forKey: .clientCPUMicroseconds)
    }
}

/// One way to do the work that a figure compares.
struct Contestant {
    let series: Series
    let measure: () async throws -> Sample

    init(_ name: String, unit: String, _ measure: @escaping () async throws -> Sample) {
        self.series = Series(name, unit: unit)
        self.measure = measure
    }
}

extension Settings {
    /// Measures the contestants in turn: all of them once, and again, round after round.
    func interleave(_ contestants: [Contestant]) async throws -> [Series] {
        var series = contestants.map(\.series)
        for round in 1...rounds {
            for (index, contestant) in contestants.enumerated() {
                let sample = try await contestant.measure()
                series[index].samples.append(sample)
                let rate = Report.grouped(sample.perSecond)
                Progress.tell("round \(round) of \(rounds): \(series[index].name): \(rate) \(series[index].unit)/s")
            }
        }
        return series
    }
}

/// Runs a body that returns how much it did, and takes its time and this process's CPU time.
func measured(_ body: () async throws -> Int) async throws -> Sample {
    let cpu = CPUTime.ofThisProcess
    let start = ContinuousClock.now
    let count = try await body()
    return Sample(count: count, duration: .now - start, clientCPU: CPUTime.ofThisProcess - cpu)
}

enum CPUTime {
    static var ofThisProcess: Duration { used(RUSAGE_SELF.rawValue) }
    /// Of those that have ended.
    static var ofChildren: Duration { used(RUSAGE_CHILDREN.rawValue) }

    private static func used(_ who: __rusage_who_t) -> Duration {
        var usage = rusage()
        // Fails only for a wrong first argument.
        getrusage(who, &usage)
        return usage.ru_utime.duration + usage.ru_stime.duration
    }
}

extension timeval {
    fileprivate var duration: Duration { .seconds(tv_sec) + .microseconds(tv_usec) }
}

/// What is going on, on standard error: standard output is the report.
enum Progress {
    static func tell(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
