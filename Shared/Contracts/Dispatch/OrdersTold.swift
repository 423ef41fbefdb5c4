public import Foundation
public import Messaging

/// Orders as they stand, with their ratings and reports, told again in the order of their ids. Those that are older than
/// their market keeps them are not told.
public struct OrdersTold: Message {
    public static let name: MessageName = "dispatch.orders.told.v1"

    public struct Told: Codable, Hashable, Sendable {
        public var order: OrderSnapshot
        /// The full name of who comes along. For admins; the customer is not shown it.
        public var companion: String?
        /// When it was accepted last.
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

    /// As ``RatingGiven``.
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

    /// As ``ReportOpened``, and what became of it.
    public struct Report: Codable, Hashable, Sendable {
        public var report: UUID
        public var by: OrderSnapshot.Actor
        /// Who is that party now.
        public var account: UUID
        public var reason: String
        public var note: String?
        public var cancels: Bool
        public var awaitsDecision: Bool
        public var at: Date
        /// Of one that is decided about.
        public var outcome: OrderSnapshot.Outcome?
        /// Of one that is answered.
        public var answer: String?
        /// When it was decided about or answered.
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
