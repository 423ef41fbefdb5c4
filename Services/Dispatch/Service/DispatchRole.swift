import ServiceKit

/// What a process of the service does. Every process speaks and hears of positions; any number of each may run.
enum DispatchRole: String, CaseIterable, ConfigurationValue {
    /// Answers requests and takes positions.
    case api
    /// Runs rounds, fires deadlines, hears the other services.
    case worker
    case all

    static let key = ConfigurationKey<DispatchRole>(
        "role", "What this process does: api answers requests, worker runs rounds, deadlines and messages.",
        default: .all)
    static let lanesKey = ConfigurationKey<Int>(
        "rounds.parallel", "How many rounds a worker runs at once, each of another area.", default: 4, in: 1...64)

    var servesHTTP: Bool { self != .worker }
    var runsWorkers: Bool { self != .api }
}
