/// Decides which waiting messages may be on the wire together, and which aggregates wait for an earlier message. Pure.
///
/// Messages of one aggregate go one after the other: the next one leaves when the previous one is confirmed. A message
/// that the broker did not take holds back the later ones of its aggregate until its next try.
struct RelayPlan {
    typealias Instant = ContinuousClock.Instant

    struct Hold: Equatable {
        var failures: Int
        var until: Instant
    }

    /// The most aggregates to remember: beyond it the broker refuses everything, and every message is tried again,
    /// slowly.
    static let heldLimit = 10_000
    static let firstPause: Duration = .milliseconds(200)
    static let longestPause: Duration = .seconds(30)
    /// Each try costs the connection, and a new connection is made at once only if the last one lasted half a minute.
    static let longestExchangePause: Duration = .seconds(60)

    private(set) var holds: [String: Hold] = [:]
    /// Exchanges that do not exist or that this service may not use: a publish to one costs the connection, with all
    /// else on the wire.
    private(set) var exchangeHolds: [String: Hold] = [:]
    /// Since when no queue takes the events of a name. At most one entry for each name in the program.
    private(set) var unheard: [String: Instant] = [:]

    /// The aggregates whose messages must not be read now. Drops holds that ended long ago: their messages are gone.
    mutating func heldAggregates(now: Instant) -> [String] {
        if holds.isEmpty { return [] }
        holds = holds.filter { $0.value.until + Self.longestPause > now }
        return holds.filter { $0.value.until > now }.map(\.key)
    }

    /// The exchanges to which nothing may be published now.
    func heldExchanges(now: Instant) -> [String] { exchangeHolds.filter { $0.value.until > now }.map(\.key) }

    /// When the next hold ends.
    func nextTry(after now: Instant) -> Instant? {
        (Array(holds.values) + Array(exchangeHolds.values)).map(\.until).filter { $0 > now }.min()
    }

    /// Separates messages to exchanges that failed before: the first message to each is tried, alone and after the
    /// others. Later messages of its aggregate wait.
    func probing(_ rows: [OutboxRow]) -> (rows: [OutboxRow], probes: [OutboxRow]) {
        if exchangeHolds.isEmpty { return (rows, []) }
        var (plain, probes) = ([OutboxRow](), [OutboxRow]())
        var (stopped, probed) = (Set<String>(), Set<String>())
        for row in rows {
            if exchangeHolds[row.record.exchange] != nil {
                let isFirst = !stopped.contains(row.record.aggregate) && probed.insert(row.record.exchange).inserted
                if isFirst { probes.append(row) }
                stopped.insert(row.record.aggregate)
            } else if !stopped.contains(row.record.aggregate) {
                plain.append(row)
            }
        }
        return (plain, probes)
    }

    var isOverwhelmed: Bool { holds.count >= Self.heldLimit }

    /// Splits rows, in order, into waves: within a wave no aggregate occurs twice.
    static func waves(_ rows: [OutboxRow]) -> [[OutboxRow]] {
        var waves: [[OutboxRow]] = []
        var nextWave: [String: Int] = [:]
        for row in rows {
            let wave = nextWave[row.record.aggregate, default: 0]
            nextWave[row.record.aggregate] = wave + 1
            if wave == waves.count { waves.append([]) }
            waves[wave].append(row)
        }
        return waves
    }

    mutating func confirmed(_ aggregate: String, name: String, exchange: String) {
        reached(exchange)
        if !holds.isEmpty { holds[aggregate] = nil }
        if !unheard.isEmpty { unheard[name] = nil }
    }

    /// Handles an event that no queue took. A reader that starts together with the publisher has some time to bind its
    /// queue; after that there is none, and such events are dropped. They are still published, so the first reader that
    /// ever starts receives the next one.
    /// - Returns: whether the event is dropped.
    mutating func returned(_ aggregate: String, name: String, now: Instant, patience: Duration) -> Bool {
        let since = unheard[name] ?? now
        unheard[name] = since
        guard now - since >= patience else {
            failed(aggregate, now: now)
            return false
        }
        holds[aggregate] = nil
        return true
    }

    /// The broker has answered for a message to the exchange, so the exchange exists.
    mutating func reached(_ exchange: String) {
        if !exchangeHolds.isEmpty { exchangeHolds[exchange] = nil }
    }

    /// Holds the aggregate back, twice as long as the last time.
    mutating func failed(_ aggregate: String, now: Instant) {
        if isOverwhelmed && holds[aggregate] == nil { return }
        holds[aggregate] = Self.hold(after: holds[aggregate], now, longest: Self.longestPause)
    }

    /// Holds back all messages to the exchange, twice as long as the last time. Messages that fail together count once.
    /// - Returns: whether it was the first of them.
    mutating func failed(exchange: String, now: Instant) -> Bool {
        if let hold = exchangeHolds[exchange], hold.until > now { return false }
        exchangeHolds[exchange] = Self.hold(after: exchangeHolds[exchange], now, longest: Self.longestExchangePause)
        return true
    }

    private static func hold(after last: Hold?, _ now: Instant, longest: Duration) -> Hold {
        let failures = (last?.failures ?? 0) + 1
        return Hold(failures: failures, until: now + min(firstPause * (1 << min(failures - 1, 10)), longest))
    }
}
