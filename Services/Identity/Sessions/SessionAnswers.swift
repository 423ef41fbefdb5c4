import Foundation
import Messaging

/// A session as its owner sees it.
struct SessionItem: Encodable, Sendable {
    let session: String
    /// Browser or app and system, where the device said so.
    let device: String?
    let createdAt: Date
    let lastUsedAt: Date
    let expiresAt: Date
    /// The one that asks.
    let current: Bool

    init(_ row: ListSessions.Row, current: UUID?) {
        session = row.session.text
        device = row.device
        createdAt = row.createdAt
        lastUsedAt = row.usedAt
        expiresAt = row.expiresAt
        self.current = row.session == current
    }
}

/// At most ``SessionRule/maximumSessions``, so there are no pages.
struct SessionList: Encodable, Sendable {
    let items: [SessionItem]
}
