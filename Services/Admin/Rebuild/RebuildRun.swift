import Contracts
import Foundation
import Messaging
import Postgres

/// A rebuild of the read models that was begun over HTTP.
///
/// Each step is one transaction that locks the run's row and commits the run's position with its work: a process that
/// is killed leaves a step done or not done, and any other goes on. First the rows of each part are doubted, then their
/// owners are asked to tell them again, then it is counted how many still wait. Whoever uses them meanwhile sees what
/// there was.
struct RebuildRun: Sendable {
    /// How often it is counted what waits: the rows have no index for it.
    static let countSeconds = 5.0
    /// A run ends when no row came for so long; rows that still wait are unknown to their owners.
    static let patienceSeconds = 600.0

    let id: UUID
    let parts: [RebuildReadModels.Part]
    let startedBy: UUID
    let startedAt: Date
    let done: Int
    let after: UUID?
    let askedAt: Date?
    let rows: Int
    let left: Int
    let countedAt: Date?
    let movedAt: Date?
    let endedAt: Date?

    /// Does the next step of the run, if there is one.
    /// - Returns: whether there is more to do at once.
    static func step(at now: Date, in pool: PostgresPool) async throws -> Bool {
        try await pool.withTransaction { transaction in
            guard let run = try await transaction.first(LockRebuild()) else { return false }
            if run.done < run.parts.count {
                let last = try await RebuildReadModels.doubt(run.parts[run.done], after: run.after, in: transaction)
                transaction.send(AdvanceRebuild(id: run.id, done: last == nil ? run.done + 1 : run.done, after: last))
                return true
            }
            if run.askedAt == nil {
                let rows = try await transaction.first(CountDoubted(parts: run.parts)) ?? 0
                try transaction.publish(
                    RebuildAsked(rebuild: run.id, parts: run.parts.map(\.rawValue), by: run.startedBy, at: now))
                transaction.send(AskForRebuild(id: run.id, rows: rows, at: now))
                return false
            }
            if let counted = run.countedAt, now.timeIntervalSince(counted) < countSeconds { return false }
            let left = try await transaction.first(CountDoubted(parts: run.parts)) ?? 0
            let moved = left < run.left ? now : run.movedAt ?? now
            let isOver = left == 0 || now.timeIntervalSince(moved) > patienceSeconds
            transaction.send(
                CountRebuild(id: run.id, left: left, at: now, movedAt: moved, endedAt: isOver ? now : nil))
            return false
        }
    }
}
