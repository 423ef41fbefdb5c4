public import Foundation
import Messaging

/// An act of a master admin upon dead messages of a service, for the audit log (P9).
public struct OperatorAct: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable, Codable {
        /// Looked at a message's body.
        case viewed
        case retried, dropped
        /// Put back all that wait, or all of one kind.
        case retriedAll = "all-retried"
    }

    public let kind: Kind
    /// The dead message; nil for all.
    public let message: UUID?
    /// Of the message, or of those that were put back together.
    public let name: String?
    public let queue: String?
    /// Why it was dropped.
    public let reason: String?
    /// How many were put back together.
    public let count: Int?
    public let by: UUID

    init(_ kind: Kind, _ message: DeadMessage, reason: String? = nil, by: UUID) {
        self.kind = kind
        self.message = message.id
        self.name = message.name
        self.queue = message.queue
        self.reason = reason
        self.count = nil
        self.by = by
    }

    init(retriedAll filter: DeadMessages.Filter, count: Int, by: UUID) {
        self.kind = .retriedAll
        self.message = nil
        self.name = filter.name
        self.queue = filter.queue
        self.reason = nil
        self.count = count
        self.by = by
    }

    /// The details as the audit log has them.
    public var details: [String: String] {
        var details: [String: String] = [:]
        details["name"] = name
        details["queue"] = queue
        details["reason"] = reason
        details["count"] = count.map(String.init)
        return details
    }
}
