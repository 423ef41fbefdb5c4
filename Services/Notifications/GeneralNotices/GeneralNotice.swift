import Foundation
import Postgres

/// A general notice as stored in its row.
struct GeneralNotice: Sendable {
    enum State: String, Sendable, CaseIterable { case waiting, going, gone, cancelled }

    let id: UUID
    let market: String
    let version: Int
    /// In the form of an item's arguments.
    let arguments: String
    let audience: NoticeAudience
    let state: String
    let dueAt: Date
    let createdAt: Date
    let createdBy: UUID
    /// The last of the market's people that was looked at.
    let lastAccount: UUID?
    let recipients: Int
    let endedAt: Date?

    static let columns: SQL = """
        n.id, n.market, n.version, n.arguments, n.audience, n.title, n.language, n.state, n.due_at, n.created_at,
        n.created_by, n.last_account, n.recipients, n.ended_at
        """

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        market = try row.next()
        version = try row.next()
        arguments = try row.next()
        let group: String = try row.next()
        audience = NoticeAudience(
            group: NoticeAudience.Group(rawValue: group) ?? .all, title: try row.next(), language: try row.next())
        state = try row.next()
        dueAt = try row.next()
        createdAt = try row.next()
        createdBy = try row.next()
        lastAccount = try row.next()
        recipients = try row.next()
        endedAt = try row.next()
    }
}

/// What an admin writes: the words in each language of the market, whom they go to, and when.
struct NoticeDraft: Sendable {
    let subject: [String: String]
    let content: [String: String]
    let audience: NoticeAudience
    /// Nil for now.
    let dueAt: Date?

    /// As the arguments of an item.
    func arguments() throws -> String {
        try ["subject": TextArgument.words([subject]), "content": .words([content])].stored()
    }
}
