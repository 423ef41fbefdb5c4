import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// What admins read of a reported conversation: all that was said, and of what was deleted since they may read it the copy.
struct ReportedTalk: Sendable {
    let pool: PostgresPool
    let cursors: CursorSealer

    /// The messages, the newest first; with `around` those about that number, from which the cursor goes on to older ones.
    func page(_ request: Request, of conversation: UUID) async throws -> Page<TalkMessageView> {
        let query = QueryForm(request)
        let around = query.integer("around", in: 1...Int(Int32.max))
        let page = try query.page(
            of: "reported messages", .descending, where: ["conversation": conversation.text], sealedBy: cursors)
        let first = around.map { $0 + page.limit / 2 + 1 } ?? Int.max
        let below = page.cursor?.values.first?.integer.map { Int($0) } ?? first
        let rows = try await pool.query(
            ListReportedMessages(conversation: conversation, below: below, limit: page.fetchLimit))
        return try page.answer(
            rows, position: { [.integer(Int64($0.message.number))] },
            item: { TalkMessageView($0.message, isDeleted: $0.isDeleted) })
    }

    func file(_ message: UUID, of conversation: UUID) async throws -> Response {
        let read = ReadReportedFile(conversation: conversation, id: message)
        guard let file = try await pool.first(read) else { throw Problem.notFound }
        return .file(file.bytes, mediaType: file.mediaType, name: "message", isInline: true)
    }
}

/// Lists messages below a number with what admins have of deleted ones, the newest first.
struct ListReportedMessages: Statement {
    static let sql: SQL = """
        SELECT t.conversation, t.number, t.id, t.sender, t.sender_role, coalesce(d.kind, t.kind),
            coalesce(d.body, t.body), coalesce(d.seconds, t.seconds), t.at, t.is_forwarded, d.kind IS NOT NULL
        FROM talk_messages AS t
        LEFT JOIN deleted_messages AS d ON d.conversation = t.conversation AND d.number = t.number
        WHERE t.conversation = $1 AND t.number < $2 ORDER BY t.number DESC LIMIT $3
        """
    let conversation: UUID
    let below: Int
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(conversation, below, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (message: TalkMessage, isDeleted: Bool) {
        (try TalkMessage(&row), try row.next())
    }
}

struct ReadReportedFile: Statement {
    static let sql: SQL = """
        SELECT coalesce(f.media_type, d.media_type), coalesce(f.bytes, d.bytes) FROM talk_messages AS t
        LEFT JOIN talk_files AS f ON f.conversation = t.conversation AND f.number = t.number
        LEFT JOIN deleted_messages AS d ON d.conversation = t.conversation AND d.number = t.number
        WHERE t.conversation = $1 AND t.id = $2 AND coalesce(f.media_type, d.media_type) IS NOT NULL
        """
    let conversation: UUID
    let id: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(conversation, id) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> TalkContent.File {
        TalkContent.File(mediaType: try row.next(), bytes: try row.next())
    }
}
