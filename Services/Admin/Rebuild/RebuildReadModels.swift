import Foundation
import Postgres

/// Prepares projections to be filled again, in small transactions while the service runs.
struct RebuildReadModels: Sendable {
    enum Part: String, Sendable, CaseIterable {
        case people, orders, payments

        /// The command that fills the projection again.
        var source: String {
            switch self {
            case .people: "identity republish --only accounts"
            case .orders: "dispatch republish --only orders"
            case .payments: "wallet republish --only payments"
            }
        }
    }

    static let batch = 500

    let pool: PostgresPool

    /// - Parameter empties: whether to delete the rows. Otherwise they stay visible, and the next republished snapshot
    ///   replaces them, even one with an older version.
    func callAsFunction(_ parts: [Part], empties: Bool, at now: Date) async throws {
        let keptFrom = now.addingTimeInterval(-StoreRepublishedOrders.keptSeconds)
        for part in parts {
            try await walk { last, transaction in
                empties
                    ? try await Self.empty(part, after: last, keptFrom: keptFrom, in: transaction)
                    : try await Self.doubt(part, after: last, in: transaction)
            }
        }
    }

    /// Lets the next republished snapshots replace a batch of rows, which stay visible until then.
    /// - Returns: the last id; nil when there are no more.
    static func doubt(_ part: Part, after last: UUID?, in transaction: PostgresTransaction) async throws -> UUID? {
        switch part {
        case .people: try await transaction.first(ResetPeopleVersions(after: last, limit: batch))
        case .orders: try await transaction.first(ResetOrderVersions(after: last, limit: batch))
        case .payments: try await transaction.first(ResetPaymentVersions(after: last, limit: batch))
        }
    }

    private static func empty(
        _ part: Part, after last: UUID?, keptFrom: Date, in transaction: PostgresTransaction
    ) async throws -> UUID? {
        switch part {
        case .people: try await transaction.first(EmptyPeople(after: last, limit: batch))
        case .orders: try await transaction.first(EmptyOrders(after: last, limit: batch, keptFrom: keptFrom))
        case .payments: try await transaction.first(EmptyPayments(after: last, limit: batch))
        }
    }

    private func walk(_ step: (_ after: UUID?, PostgresTransaction) async throws -> UUID?) async throws {
        var last: UUID?
        while true {
            let position = last
            let end = try await pool.withTransaction { try await step(position, $0) }
            guard let end else { return }
            last = end
        }
    }
}
