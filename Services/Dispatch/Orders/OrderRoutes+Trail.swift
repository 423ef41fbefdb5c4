import Contracts
import Foundation
import Hummingbird
import Matching
import Messaging
import Postgres
import ServiceKit

/// Positions of an order's provider, for the admins who decide about the order.
extension OrderRoutes {
    /// `GET {id}/trail`: a page of the stored positions, for the admins of the order's market, once there is a report,
    /// a complaint or a fine to decide about. Each access is published for the audit log.
    func trail(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<TrailPlaceView> {
        let id = try context.uuid("id")
        let account = context.caller.accountID
        return try await reader.pool.withTransaction { transaction in
            let (rows, reports) = try await transaction.queryAll(FindOrder(order: id), ListReports(order: id))
            guard let order = try rows.first?.details().order else { throw OrderNotFound() }
            // A party or a relative never sees the trail, even one who is an admin.
            try await requireUninvolvedAdmin(of: order, context.caller, in: transaction)
            guard !reports.isEmpty || order.report != nil || order.ending?.fine != nil else {
                throw Problem("trail-not-shown", status: .conflict)
            }
            let page = try QueryForm(lenient: request).page(
                of: "trail", where: ["order": id.text], owner: account, sealedBy: cursors)
            let after = page.cursor?.values.first?.date ?? Date(timeIntervalSince1970: 0)
            let places = try await transaction.query(ListTrail(order: id, after: after, limit: page.fetchLimit))
            // Further pages belong to the same access.
            if page.cursor == nil {
                try transaction.publish(
                    TrailViewed(order: id, market: order.market, by: account, at: clock()))
            }
            return try page.answer(places, position: { [.date($0.fix.at)] }, item: { TrailPlaceView($0) })
        }
    }
}

/// A position of an order's provider. Names the provider's account only.
struct TrailPlaceView: Encodable, Sendable {
    let provider: String
    let latitude: Double
    let longitude: Double
    let at: Date

    init(_ row: ListTrail.Row) {
        provider = row.provider.text
        latitude = row.fix.place.latitude
        longitude = row.fix.place.longitude
        at = row.fix.at
    }
}
