import Contracts
import Foundation
import Messaging
import Postgres

/// Lets the owner of a parcel follow its carrier, for as long as the carrier wants and carries it (X3). The way is not kept.
/// The owner is told of each change.
struct ShareWay: Sendable {
    /// - Throws: ``OrderNotFound`` for strangers and other kinds; ``OrderRefusal/wrongActor`` for the owner;
    ///   ``OrderRefusal/wrongState(_:)`` where there is nothing to follow.
    func callAsFunction(
        _ id: UUID, by account: UUID, isOn: Bool, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
        guard var details = try rows.first?.details(), let role = details.order.role(of: account),
            case .parcel(var parcel)? = details.order.particulars
        else { throw OrderNotFound() }
        guard role == .provider else { throw OrderRefusal.wrongActor }
        if isOn, !details.order.isCarried { throw OrderRefusal.wrongState(details.order.state) }
        let isNews = (parcel.isFollowed == true) != isOn
        parcel.isFollowed = isOn ? true : nil
        details.order.particulars = .parcel(parcel)
        transaction.send(try UpdateParticulars(details.order))
        if isOn {
            transaction.send(BeginSharing(order: id, provider: account, at: now))
        } else {
            transaction.send(EndSharing(order: id))
        }
        if isNews { try transaction.publish(WayShared(order: OrderSnapshot(details.order), isOn: isOn, at: now)) }
        return details
    }
}

extension Order {
    /// Whether a carrier has the parcel for sure, or goes for it, and has not brought it.
    var isCarried: Bool {
        parcel != nil && isTaken && [.accepted, .arrived, .inProgress].contains(state) && confirmedBy.isEmpty
    }

    /// Whether the owner follows the carrier now.
    var isFollowed: Bool { parcel?.isFollowed == true && isCarried }

    /// Ends the sharing of a carrier who has lost the parcel.
    mutating func stopSharing() {
        guard case .parcel(var parcel)? = particulars else { return }
        parcel.isFollowed = nil
        particulars = .parcel(parcel)
    }
}

struct BeginSharing: Statement {
    static let sql: SQL = """
        INSERT INTO parcel_sharing (order_id, provider, since) VALUES ($1, $2, $3)
        ON CONFLICT (order_id) DO UPDATE SET provider = excluded.provider, since = excluded.since
        WHERE parcel_sharing.provider <> excluded.provider
        """
    let order: UUID
    let provider: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(order, provider, at) }
}

struct EndSharing: Statement {
    static let sql: SQL = "DELETE FROM parcel_sharing WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}
