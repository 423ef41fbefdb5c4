public import Logging
import PollThread
public import Postgres

/// Publishes a service's current rows again, in the order of their ids, one part in each transaction.
///
/// Its position is a row that commits with each part: a run that was killed goes on there, and two runs at once share
/// the parts. It waits while the outbox is full, so that new events do not wait behind it.
public struct Republication: Sendable {
    public struct Pace: Sendable {
        /// The pause between two parts.
        public var pause: Duration = .milliseconds(100)
        /// Nothing is added while more messages than this wait in the outbox.
        public var outboxLimit = 200
        /// How long it waits for the outbox before it gives up.
        public var patience: Duration = .seconds(600)
        /// How often it checks the outbox in the meantime.
        public var interval: Duration = .milliseconds(200)

        public init() {}
    }

    /// The kind does not exist.
    public struct UnknownKind: Error, CustomStringConvertible {
        public let name: String
        public let known: [String]
        public var description: String {
            "nothing is told by the name \(name); there are: \(known.joined(separator: ", "))"
        }
    }

    /// The outbox does not become empty.
    public struct OutboxFull: Error, CustomStringConvertible {
        public let kind: String
        public var description: String {
            "\(kind): the outbox stays full; is the service running, and the broker? What was told is kept, run it again"
        }
    }

    private let pool: PostgresPool
    private let kinds: [RepublishedKind]
    private let pace: Pace
    private let logger: Logger

    public init(pool: PostgresPool, kinds: [RepublishedKind], pace: Pace = Pace(), logger: Logger) {
        self.pool = pool
        self.kinds = kinds
        self.pace = pace
        self.logger = logger
    }

    /// Has a kind told again from its first row on, by whatever process runs it next.
    public static func begin(_ kind: String, in transaction: PostgresTransaction) {
        transaction.send(BeginRepublication(kind: kind, anew: true))
    }

    /// Whether a kind was begun and has not come to its end.
    public static func isOpen(_ kind: String, in pool: PostgresPool) async throws(PostgresError) -> Bool {
        try await pool.first(IsRepublicationOpen(kind: kind)) ?? false
    }

    /// - Parameters:
    ///   - only: the kinds; empty for all.
    ///   - anew: whether to begin at the first row even if an earlier run has not finished.
    /// - Returns: the rows published of each kind, including those of an interrupted earlier run.
    public func run(only: [String] = [], anew: Bool = false) async throws -> [(kind: String, count: Int)] {
        for name in only where !kinds.contains(where: { $0.name == name }) {
            throw UnknownKind(name: name, known: kinds.map(\.name))
        }
        var told: [(kind: String, count: Int)] = []
        for kind in kinds where only.isEmpty || only.contains(kind.name) {
            told.append((kind.name, try await run(kind, anew: anew)))
        }
        return told
    }

    private func run(_ kind: RepublishedKind, anew: Bool) async throws -> Int {
        try await kind.prepare()
        _ = try await pool.execute(BeginRepublication(kind: kind.name, anew: anew))
        logger.notice("telling again", metadata: ["kind": "\(kind.name)"])
        while true {
            try await waitForOutbox(kind)
            let isOver = try await pool.withTransaction { transaction in
                guard let progress = try await transaction.first(LockRepublication(kind: kind.name)) else {
                    return true
                }
                let place = RepublishedKind.Place(after: progress.after, readAt: progress.now)
                let part = try await kind.tell(place, transaction)
                transaction.send(AdvanceRepublication(kind: kind.name, part: part))
                return part.last == nil
            }
            if isOver { break }
            try await pool.thread.sleep(until: .now + pace.pause)
        }
        let count = try await pool.first(CountRepublished(kind: kind.name)) ?? 0
        logger.notice("told again", metadata: ["kind": "\(kind.name)", "count": "\(count)"])
        return count
    }

    private func waitForOutbox(_ kind: RepublishedKind) async throws {
        let end = ContinuousClock.now + pace.patience
        while let waiting = try await pool.first(CountWaiting(limit: pace.outboxLimit + 1)), waiting > pace.outboxLimit
        {
            guard .now < end else { throw OutboxFull(kind: kind.name) }
            try await pool.thread.sleep(until: .now + pace.interval)
        }
    }
}
