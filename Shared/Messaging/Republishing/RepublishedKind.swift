public import Foundation
public import Postgres

/// A kind of rows that a service can republish, in parts in the order of their ids.
public struct RepublishedKind: Sendable {
    /// The beginning of a part.
    public struct Place: Sendable, Equatable {
        /// The last published id; nil for none.
        public let after: UUID?
        /// The start of the part's transaction, by the database's clock: all rows that it reads are as new or newer.
        public let readAt: Date

        public init(after: UUID?, readAt: Date) {
            self.after = after
            self.readAt = readAt
        }
    }

    /// The published part.
    public struct Part: Sendable, Equatable {
        public let count: Int
        /// The last id; nil when no rows follow.
        public let last: UUID?

        public init(count: Int, last: UUID?) {
            self.count = count
            self.last = last
        }

        /// - Parameters:
        ///   - ids: the ids that were read, in order.
        ///   - limit: the requested number. Fewer rows are the last ones.
        public init(_ ids: [UUID], limit: Int) {
            self.init(count: ids.count, last: ids.count < limit ? nil : ids.last)
        }
    }

    public let name: String
    let prepare: @Sendable () async throws -> Void
    let tell: @Sendable (Place, PostgresTransaction) async throws -> Part

    /// - Parameters:
    ///   - prepare: runs before the first part of each run.
    ///   - tell: publishes the part that begins at the place. It runs again when its transaction is repeated.
    public init(
        _ name: String, prepare: @escaping @Sendable () async throws -> Void = {},
        tell: @escaping @Sendable (Place, PostgresTransaction) async throws -> Part
    ) {
        self.name = name
        self.prepare = prepare
        self.tell = tell
    }
}
