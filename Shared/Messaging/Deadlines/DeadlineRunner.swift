import Foundation
public import Logging
import PollThread
public import Postgres
public import ServiceLifecycle

/// Fires deadlines: each once, by any process, within 100 ms of its time.
///
/// The handler runs in the transaction that deletes the deadline, so its effect and the end of the deadline commit
/// together. If it throws, the deadline stays and is put off by 1, 2, 4, … seconds, at most a minute. Times are the
/// database's, so that processes with different clocks agree.
public struct DeadlineRunner: Service {
    public typealias Operation = @Sendable (Deadline, PostgresTransaction) async throws -> Void

    /// Deadlines in one transaction, and the time between searches when none is near.
    static let batchLimit = 50
    static let pollInterval: Duration = .milliseconds(100)
    /// A deadline that is due but locked is being fired by another process, so there is no hurry to search again.
    static let shortestPause: Duration = .milliseconds(10)

    private let pool: PostgresPool
    private let handlers: [String: Operation]
    private let logger: Logger

    /// - Parameter handlers: by kind. Deadlines of other kinds are left for processes that know them.
    public init(pool: PostgresPool, handlers: [String: Operation], logger: Logger) {
        self.pool = pool
        self.handlers = handlers
        self.logger = logger
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskExecutorPreference(pool.thread) { await runUntilCancelled() }
        }
    }

    @concurrent
    private func runUntilCancelled() async {
        let kinds = Array(handlers.keys)
        let signal = pool.signal(SignalName.deadlines)
        // Whether a deadline may be due; if not, one cheap search finds the time of the next.
        var mayBeDue = true
        var floor = DeadlineFloor()
        while !Task.isCancelled {
            do {
                if floor.nextLook <= .now {
                    let began = ContinuousClock.now
                    floor.looked(try await pool.first(EarliestDeadline(kinds: kinds)), from: began, to: .now)
                }
                if mayBeDue { while try await fire(kinds, limit: Self.batchLimit, floor.dueAt) > 0 {} }
                let next = try await pool.first(NextDeadline(kinds: kinds, floor: floor.dueAt)) ?? nil
                let pause = next.map { max(Duration.seconds($0), Self.shortestPause) } ?? .seconds(1)
                let isCalled = await signal.wait(until: .now + min(pause, Self.pollInterval), on: pool.thread)
                mayBeDue = isCalled || pause <= Self.pollInterval
            } catch {
                mayBeDue = true
                guard !Task.isCancelled else { return }
                logger.warning("deadlines could not be fired", metadata: ["error": "\(FailurePolicy.describe(error))"])
                do { try await pool.thread.sleep(until: .now + .milliseconds(Int.random(in: 50...250))) } catch {
                    return
                }
            }
        }
    }

    /// Fires due deadlines together; if one fails, one by one.
    private func fire(_ kinds: [String], limit: Int, _ floor: Date?) async throws -> Int {
        var taken: [Deadline] = []
        do {
            try await pool.withTransaction { transaction in
                taken = []
                taken = try await transaction.query(TakeDueDeadlines(kinds: kinds, limit: limit, floor: floor))
                for deadline in taken { try await handlers[deadline.kind]?(deadline, transaction) }
            }
            return taken.count
        } catch {
            if Task.isCancelled { throw error }
            if let error = error as? PostgresError, error.isOutage { throw error }
            guard let first = taken.first else { throw error }
            if taken.count == 1 { try await putOff(first, error) }
        }
        guard taken.count > 1 else { return 1 }
        for _ in taken { if try await fire(kinds, limit: 1, floor) == 0 { break } }
        return taken.count
    }

    private func putOff(_ deadline: Deadline, _ error: any Error) async throws {
        logger.error(
            "a deadline could not be fired and is put off",
            metadata: [
                "deadline.kind": "\(deadline.kind)", "correlation.id": "\(deadline.subject)",
                "attempts": "\(deadline.attempts + 1)", "error": "\(FailurePolicy.describe(error))",
            ])
        try await pool.execute(PutOffDeadline(kind: deadline.kind, subject: deadline.subject))
    }
}
