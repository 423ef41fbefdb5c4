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
            switch (part, empties) {
            case (.people, false): try await walk { ResetPeopleVersions(after: $0, limit: Self.batch) }
            case (.people, true): try await walk { EmptyPeople(after: $0, limit: Self.batch) }
            case (.orders, false): try await walk { ResetOrderVersions(after: $0, limit: Self.batch) }
            case (.orders, true):
                try await walk { EmptyOrders(after: $0, limit: Self.batch, keptFrom: keptFrom) }
            case (.payments, false): try await walk { ResetPaymentVersions(after: $0, limit: Self.batch) }
            case (.payments, true): try await walk { EmptyPayments(after: $0, limit: Self.batch) }
            }
        }
    }

    private func walk<S: Statement>(_ part: (_ after: UUID?) -> S) async throws where S.Row == UUID {
        var last: UUID?
        while true {
            let statement = part(last)
            let end: UUID? = try await pool.withTransaction { transaction in
                try await transaction.query(statement).first
            }
            guard let end else { return }
            last = end
        }
    }
}
