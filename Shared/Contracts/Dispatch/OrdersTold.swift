public import Foundation
public import Messaging

/// Republishes the current orders with their ratings and reports, in the order of their ids. Orders older than their
/// market's retention are left out.
public struct OrdersTold: Message {
    public static let name: MessageName = "dispatch.orders.told.v1"

    public struct Told: Codable, Hashable, Sendable {
        public var order: OrderSnapshot
        /// The full name of the provider's companion. For admins; the customer does not see it.
        public var companion: String?
        /// The time of the last acceptance.
        public var acceptedAt: Date?
        public var arrivedAt: Date?
        public var endedAt: Date?
        public var ratings: [Rating]
        public var reports: [Report]

        public init(
            order: OrderSnapshot, companion: String?, acceptedAt: Date?, arrivedAt: Date?, endedAt: Date?,
            ratings: [Rating], reports: [Report]
        ) {
            self.order = order
            self.companion = companion
            self.acceptedAt = acceptedAt
            self.arrivedAt = arrivedAt
            self.endedAt = endedAt
            self.ratings = ratings
            self.reports = reports
        }
    }

    /// A rating, with the fields of ``RatingGiven``.
    public struct Rating: Codable, Hashable, Sendable {
        public var from: UUID
        public var to: UUID
        public var by: OrderSnapshot.Actor
        public var stars: Int
        public var serviceStars: Int?
        public var comment: String?
        public var at: Date

        public init(
            from: UUID, to: UUID, by: OrderSnapshot.Actor, stars: Int, serviceStars: Int?, comment: String?, at: Date
        ) {
            self.from = from
            self.to = to
            self.by = by
            self.stars = stars
            self.serviceStars = serviceStars
            self.comment = comment
            self.at = at
        }
    }

    /// A report, with the fields of ``ReportOpened``, and its result.
    public struct Report: Codable, Hashable, Sendable {
        public var report: UUID
        public var by: OrderSnapshot.Actor
        /// The account that is this party now.
        public var account: UUID
        public var reason: String
        public var note: String?
        public var cancels: Bool
        public var awaitsDecision: Bool
        public var at: Date
        /// The decision, for a decided report.
        public var outcome: OrderSnapshot.Outcome?
        /// The answer, for an answered report.
        public var answer: String?
        /// The time of the decision or the answer.
        public var closedAt: Date?

        public init(
            report: UUID, by: OrderSnapshot.Actor, account: UUID, reason: String, note: String?, cancels: Bool,
            awaitsDecision: Bool, at: Date
        ) {
            self.report = report
            self.by = by
            self.account = account
            self.reason = reason
            self.note = note
            self.cancels = cancels
            self.awaitsDecision = awaitsDecision
            self.at = at
        }
    }

    public var range: ToldRange
    public var orders: [Told]
    public var aggregate: String { "orders \(range.after?.text ?? "")" }

    public init(range: ToldRange, orders: [Told]) {
        self.range = range
        self.orders = orders
    }
}
