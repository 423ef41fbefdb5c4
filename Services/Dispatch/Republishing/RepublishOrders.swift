import Contracts
import Foundation
import Messaging
import Postgres

/// Republishes orders in their current state, with ratings and reports.
enum RepublishOrders {
    static let atOnce = 50

    static let kind = RepublishedKind("orders") { place, transaction in
        let rows = try await transaction.query(ListOrdersToTell(after: place.after, limit: atOnce))
        let ids = rows.map(\.details.id)
        let reports = Dictionary(
            grouping: try await transaction.query(ListReportsOfOrders(orders: ids)), by: \.order)
        let told = try rows.map { row, acceptedAt in
            let details = try row.details()
            return OrdersTold.Told(details, acceptedAt: acceptedAt, reports: reports[row.id] ?? [])
        }
        let part = RepublishedKind.Part(ids, limit: atOnce)
        try transaction.publish(OrdersTold(range: ToldRange(place, part), orders: told))
        return part
    }
}

extension OrdersTold.Told {
    init(_ details: OrderDetails, acceptedAt: Date?, reports: [StoredReport]) {
        let order = details.order
        let parties: [OrderActor] = [.customer, .provider, .merchant]
        self.init(
            order: OrderSnapshot(order), companion: order.companion, acceptedAt: acceptedAt, arrivedAt: order.arrivedAt,
            endedAt: order.ending?.at,
            ratings: parties.compactMap { by in
                details.rating(by: by).flatMap { OrdersTold.Rating($0, by: by, of: order) }
            }, reports: reports.map { OrdersTold.Report($0, of: order) })
    }
}

extension OrdersTold.Rating {
    /// Nil if one of the two parties no longer exists.
    fileprivate init?(_ rating: OrderDetails.Rating, by party: OrderActor, of order: Order) {
        let other = party == .provider ? order.customer : order.provider
        guard let from = order.account(of: party), let to = other?.account else { return nil }
        self.init(
            from: from, to: to, by: OrderSnapshot.Actor(party), stars: rating.stars, serviceStars: rating.serviceStars,
            comment: rating.comment, at: rating.at)
    }
}

extension OrdersTold.Report {
    fileprivate init(_ report: StoredReport, of order: Order) {
        self.init(
            report: report.id, by: OrderSnapshot.Actor(report.by),
            account: order.account(of: report.by) ?? order.customer.account, reason: report.reason, note: report.note,
            cancels: report.cancels, awaitsDecision: order.report == report.id, at: report.at)
        if order.report == report.id, let ending = order.ending, ending.verdict != nil {
            outcome = OrderSnapshot(order).outcome
            closedAt = ending.at
        } else if let answer = report.answer {
            self.answer = answer
            closedAt = report.answeredAt ?? report.at
        }
    }
}

extension Order {
    fileprivate func account(of party: OrderActor) -> UUID? {
        switch party {
        case .customer: customer.account
        case .provider: provider?.account
        case .merchant: merchant?.account
        case .admin, .system: nil
        }
    }
}
