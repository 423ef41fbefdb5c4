public import Foundation
public import Postgres

/// Rows of a service that it can tell again as they stand, in parts in the order of their ids.
public struct RepublishedKind: Sendable {
    /// Where a part begins.
    public struct Place: Sendable, Equatable {
        /// The last id that was told; nil is none yet.
        public let after: UUID?
        /// When the part's transaction began, by the database's clock: all that it reads is as new or newer.
        public let readAt: Date

        public init(after: UUID?, readAt: Date) {
            self.after = after
            self.readAt = readAt
        }
    }

    /// What was told.
    public struct Part: Sendable, Equatable {
        public let count: Int
        /// The last id; nil when there is nothing behind it.
        public let last: UUID?

        public init(count: Int, last: UUID?) {
            self.count = count
            self.last = last
        }

        /// - Parameters:
        ///   - ids: of the rows that were read, in their order.
        ///   - limit: how many were asked for. Fewer are the last ones.
        public init(_ ids: [UUID], limit: Int) {
            self.init(count: ids.count, last: ids.count < limit ? nil : ids.last)
        }
    }

    public let name: String
    let prepare: @Sendable () async throws -> Void
    let tell: @Sendable (Place, PostgresTransaction) async throws -> Part

    /// - Parameters:
    ///   - prepare: what has to be done before its first part, each time.
    ///   - tell: publishes the part that begins there. It runs again when its transaction is tried again.
    public init(
        _ name: String, prepare: @escaping @Sendable () async throws -> Void = {},
        tell: @escaping @Sendable (Place, PostgresTransaction) async throws -> Part
    ) {
        self.name = name
        self.prepare = prepare
        self.tell = tell
    }
}
