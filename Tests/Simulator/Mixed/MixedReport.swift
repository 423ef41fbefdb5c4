import Foundation
import Phones

/// The figures of a simulation of every market, as `simulate.json` has them.
struct MixedReport: Encodable {
    let market = "all"
    let seed: UInt64
    /// How many there were of each kind.
    let wishes: [String: Int]
    private(set) var markets: [Report] = []
    private(set) var orders = 0
    private(set) var completed = 0
    private(set) var undone = 0
    private(set) var older = 0
    private(set) var seconds = 0.0
    private(set) var ordersPerSecond = 0.0
    private(set) var requestToProvider = Percentiles([])
    private(set) var httpRequests = 0
    private(set) var httpErrors: [String: Int] = [:]
    private(set) var serverErrors = 0
    private(set) var brokenConnections = 0
    private(set) var resumedStreams = 0
    private(set) var streams = 0
    /// Every number that must be zero, summed over the markets.
    private(set) var zeros: [String: Int] = [:]
    private var times: [Duration] = []

    enum CodingKeys: String, CodingKey {
        case market, seed, wishes, markets, orders, completed, undone, older, seconds, zeros, streams
        case ordersPerSecond = "orders_per_s"
        case requestToProvider = "request_to_provider_ms"
        case httpRequests = "http_requests"
        case httpErrors = "http_errors"
        case serverErrors = "server_errors"
        case brokenConnections = "broken_connections"
        case resumedStreams = "resumed_streams"
    }

    init(seed: UInt64, wishes: [String: Int]) {
        self.seed = seed
        self.wishes = wishes
    }

    mutating func add(_ report: Report) {
        markets.append(report)
        orders += report.orders
        completed += report.completed
        undone += report.undone
        older += report.older
        streams += report.customers + report.providers
        times += report.requestTimes
    }

    mutating func end(seconds: Double, traffic: Traffic.Counts) {
        self.seconds = (seconds * 10).rounded() / 10
        ordersPerSecond = (Double(orders) / max(seconds, 0.001) * 10).rounded() / 10
        requestToProvider = Percentiles(times)
        httpRequests = traffic.answers.values.reduce(0, +)
        for (status, count) in traffic.answers where status >= 400 { httpErrors[String(status)] = count }
        brokenConnections = traffic.broken
        resumedStreams = traffic.resumed
    }

    /// - Parameter isDisturbed: processes are ended meanwhile, so that one is away for a moment is no fault, nor that
    ///   somebody finds nobody to ask.
    /// - Parameter isSetBack: the database was set back, so that orders may be undone, and what was answered before is not
    ///   known any more when the request is repeated.
    mutating func judge(isDisturbed: Bool, isSetBack: Bool = false) {
        let away: Set = isDisturbed ? ["502", "503", "504"] : []
        serverErrors = httpErrors.filter { (Int($0.key) ?? 0) >= 500 && !away.contains($0.key) }.values.reduce(0, +)
        zeros = ["server_errors": serverErrors]
        for report in markets {
            for (name, value) in report.zeros where name != "server_errors" {
                if isDisturbed, name == "not_placed" { continue }
                if isSetBack, ["undone", "mismatched_repeats"].contains(name) { continue }
                zeros[name, default: 0] += value
            }
        }
    }

    var isAsItMustBe: Bool { zeros.values.allSatisfy { $0 == 0 } && orders > 0 }

    var summary: String {
        let kinds = wishes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        var lines = [
            "\(orders) orders in \(Int(seconds)) s, \(ordersPerSecond) a second, \(completed) completed; "
                + "\(streams) phones on streams, seed \(seed)",
            "wishes: \(kinds)",
            "request to the provider's stream: p50 \(requestToProvider.p50) ms, p99 \(requestToProvider.p99) ms "
                + "(\(requestToProvider.count))",
            "HTTP: \(httpRequests) answers, \(brokenConnections) attempts without one",
            "must be zero: " + zeros.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "),
        ]
        for report in markets {
            lines.append(
                "\(report.market): \(report.orders) orders, completed \(report.completed), cancelled "
                    + "\(report.cancelled), expired \(report.expired), declined \(report.declined)")
            lines += report.findings.prefix(8).map { "  ! \($0)" } + report.surprises.prefix(4).map { "  ? \($0)" }
        }
        return lines.joined(separator: "\n")
    }
}
