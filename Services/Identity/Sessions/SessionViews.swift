import Foundation
import Messaging

/// A session as shown to its owner, or to an admin.
struct SessionItemView: Encodable, Sendable {
    let session: String
    /// Browser or app and system, as far as the device names them.
    let device: String?
    let createdAt: Date
    let lastUsedAt: Date
    let expiresAt: Date
    /// Whether the request came from this session.
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

/// An account has at most ``SessionRule/maximumSessions`` sessions, so there are no pages.
struct SessionListView: Encodable, Sendable {
    let items: [SessionItemView]
}
