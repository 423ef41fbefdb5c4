/// What goes wrong when. A pure function of the seed: the same seed, the same faults at the same seconds.
///
/// There are two lanes, so that two things may be wrong at a time: one of the deployment's processes, and one of what they
/// stand on. In each lane a fault is healed before the next begins, and all are healed some seconds before the end.
public struct ChaosSchedule: Sendable, Equatable, Codable {
    public enum Kind: String, Sendable, Codable, CaseIterable {
        // Of one process of the deployment.
        case kill, stop, clockSkew
        // Of all of them, one after the other.
        case rollingUpdate, migrations
        // Of the database.
        case databaseRestart, databaseCut, databaseStall
        // Of the broker.
        case brokerRestart, brokerKill, brokerCut, brokerStall, memoryAlarm, diskAlarm, duplicates
        // Of the outside world.
        case providerDown, providerSlow

        var lane: Lane {
            switch self {
            case .kill, .stop, .clockSkew, .rollingUpdate: .processes
            default: .ground
            }
        }

        /// For how many seconds it lasts before it is healed.
        var lengths: ClosedRange<Int> {
            switch self {
            // These take as long as they take.
            case .kill, .rollingUpdate, .migrations, .databaseCut, .brokerCut: 0...0
            case .databaseRestart: 0...2
            case .brokerRestart, .brokerKill: 1...5
            case .stop, .databaseStall, .brokerStall, .providerSlow: 2...8
            case .memoryAlarm, .diskAlarm, .providerDown, .duplicates: 3...10
            case .clockSkew: 8...15
            }
        }

        /// About how many seconds its begin and its healing take themselves.
        var effort: Int {
            switch self {
            case .rollingUpdate: 25
            case .brokerKill: 12
            case .brokerRestart, .migrations: 8
            case .clockSkew, .duplicates: 5
            case .kill, .databaseRestart: 3
            default: 1
            }
        }

        /// How often it is chosen, beside the others of its lane.
        var weight: Int {
            switch self {
            case .kill: 8
            case .stop: 4
            case .rollingUpdate: 1
            case .clockSkew: 2
            default: 2
            }
        }
    }

    enum Lane: Sendable, CaseIterable { case processes, ground }

    public struct Entry: Sendable, Equatable, Codable {
        /// From the first order.
        public let second: Int
        public let kind: Kind
        /// A process, or a service whose sessions are meant; empty where there is nothing to choose.
        public let target: String
        /// In seconds.
        public let length: Int
    }

    public let seed: UInt64
    public let seconds: Int
    /// By their begin.
    public let entries: [Entry]

    /// Before the first fault people have begun to order; after the last one they still do for a moment.
    static let (quietBegin, quietEnd) = (4, 8)
    /// Seconds from a fault's end to the next one of its lane.
    static let pauses = 2...8

    /// - Parameters:
    ///   - processes: those that may be killed, stopped and started with a wrong clock.
    ///   - kinds: those that may be chosen.
    public init(seed: UInt64, seconds: Int, processes: [String], kinds: Set<Kind> = Set(Kind.allCases)) {
        self.seed = seed
        self.seconds = seconds
        entries = Lane.allCases.enumerated().flatMap { number, lane in
            Self.lane(lane, ChaosNumbers(seed: seed &+ UInt64(number) &* 0x5851_F42D), seconds, processes, kinds)
        }.sorted { ($0.second, $0.kind.rawValue) < ($1.second, $1.kind.rawValue) }
    }

    private static func lane(
        _ lane: Lane, _ numbers: ChaosNumbers, _ seconds: Int, _ processes: [String], _ kinds: Set<Kind>
    ) -> [Entry] {
        var numbers = numbers
        // In the cases' sequence: that of a set is another one each time.
        let own = Kind.allCases.filter { $0.lane == lane && kinds.contains($0) }
        let pool = own.flatMap { Array(repeating: $0, count: $0.weight) }
        var entries: [Entry] = []
        var second = quietBegin + Int.random(in: pauses, using: &numbers)
        while let kind = pool.randomElement(using: &numbers) {
            let length = Int.random(in: kind.lengths, using: &numbers)
            guard second + length + kind.effort <= seconds - quietEnd else { break }
            let target = target(of: kind, processes, &numbers)
            entries.append(Entry(second: second, kind: kind, target: target, length: length))
            second += length + kind.effort + Int.random(in: pauses, using: &numbers)
        }
        return entries
    }

    private static func target(of kind: Kind, _ processes: [String], _ numbers: inout ChaosNumbers) -> String {
        switch kind {
        case .kill, .stop: return processes.randomElement(using: &numbers) ?? ""
        case .clockSkew:
            // Caddy has no clock that anything depends on.
            return processes.filter { $0 != "caddy" }.randomElement(using: &numbers) ?? ""
        case .databaseStall, .databaseCut: return DeploymentPlan.services.randomElement(using: &numbers) ?? ""
        default: return ""
        }
    }

    /// Whether a process of this service has a wrong clock for a while.
    public func skews(_ service: String) -> Bool {
        entries.contains { $0.kind == .clockSkew && $0.target.hasPrefix(service) }
    }
}

/// SplitMix64.
public struct ChaosNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
