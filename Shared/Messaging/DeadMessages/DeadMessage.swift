public import Foundation
public import Postgres

/// A message that the service gave up, and what was decided about it.
public struct DeadMessage: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        /// For somebody to decide.
        case waiting
        /// To be put back; it is sent within some seconds.
        case retrying
        /// The broker has it again.
        case retried
        case dropped
    }

    public let id: UUID
    /// The queue from which it came, and to which it is put back.
    public let queue: String
    public let message: UUID?
    public let name: String?
    public let aggregate: String?
    public let producer: String?
    public let occurredAt: Date?
    public let failedAt: Date
    /// Why it was given up, without values of the message.
    public let reason: String
    /// How often it failed; nil where the broker gave it up.
    public let failures: Int?
    public let state: State
    public let decidedAt: Date?
    /// Whether it can be put back: a message without an id or a name would fail again, one that came by another
    /// service's exchange is not ours, and of some the queue is not known.
    public let isRetriable: Bool
    public let bytes: Int?
}

/// What cannot be decided about a dead message.
public enum DeadMessageError: Error, Sendable, Equatable {
    case unknown
    /// Somebody else was first.
    case decided(DeadMessage.State)
    case notRetriable
}

/// The dead messages of a service, as rows. ``DeadMessageKeeper`` brings them there and sends those that are put back.
public enum DeadMessages {
    /// The most messages that one call puts back.
    public static let retryLimit = 1_000

    /// Which messages are meant.
    public struct Filter: Sendable {
        public var state: DeadMessage.State?
        public var queue: String?
        public var name: String?

        public init(state: DeadMessage.State? = nil, queue: String? = nil, name: String? = nil) {
            self.state = state
            self.queue = queue
            self.name = name
        }
    }

    /// The messages that failed before a moment, newest first.
    public static func list(
        _ filter: Filter, before: (at: Date, id: UUID)?, limit: Int, in pool: PostgresPool
    ) async throws(PostgresError) -> [DeadMessage] {
        try await pool.query(ListDeadMessages(filter: filter, before: before, limit: limit))
    }

    /// The message with its body; of one that was decided about the body is gone.
    public static func find(
        _ id: UUID, in transaction: PostgresTransaction
    ) async throws -> (message: DeadMessage, body: [UInt8]?)? {
        try await transaction.first(FindDeadMessage(id: id))
    }

    public static func waiting(in pool: PostgresPool) async throws(PostgresError) -> Int {
        try await pool.first(CountDeadMessages()) ?? 0
    }

    /// Has a message put back into its queue, with all its attempts, after the commit.
    /// - Throws: ``DeadMessageError``.
    public static func retry(_ id: UUID, at now: Date, in transaction: PostgresTransaction) async throws -> DeadMessage
    {
        let found = try await lock(id, in: transaction)
        guard found.isRetriable else { throw DeadMessageError.notRetriable }
        transaction.send(DecideDeadMessage(id: id, state: .retrying, at: now))
        transaction.raiseAfterCommit(SignalName.deadMessages)
        return found
    }

    /// Has the messages put back that wait and can be put back, the oldest first, ``retryLimit`` at most. One about
    /// which somebody decides at this moment is left out. - Returns: their number.
    public static func retryAll(
        _ filter: Filter, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Int {
        let count = try await transaction.query(RetryDeadMessages(filter: filter, at: now, limit: retryLimit)).count
        transaction.raiseAfterCommit(SignalName.deadMessages)
        return count
    }

    /// Drops a message for good: its body is gone with the commit.
    /// - Throws: ``DeadMessageError``.
    public static func drop(_ id: UUID, at now: Date, in transaction: PostgresTransaction) async throws -> DeadMessage {
        let found = try await lock(id, in: transaction)
        transaction.send(DecideDeadMessage(id: id, state: .dropped, at: now))
        return found
    }

    private static func lock(_ id: UUID, in transaction: PostgresTransaction) async throws -> DeadMessage {
        guard let found = try await transaction.first(LockDeadMessage(id: id)) else { throw DeadMessageError.unknown }
        guard found.state == .waiting else { throw DeadMessageError.decided(found.state) }
        return found
    }
}
