import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Reads what was said in a conversation, for whoever was found to be allowed to.
struct TalkHistory: Sendable {
    let pool: PostgresPool
    let cursors: CursorSealer

    /// The messages, the newest first.
    /// - Parameter since: the number of the last one that is not the reader's.
    func page(_ request: Request, of conversation: UUID, since: Int = 0) async throws -> Page<TalkMessageView> {
        let page = try QueryForm(request).page(
            of: "messages", .descending, where: ["conversation": conversation.text], sealedBy: cursors)
        let below = page.cursor?.values.first?.integer.map { Int($0) } ?? Int.max
        let rows = try await pool.query(
            ListTalkMessages(conversation: conversation, below: below, since: since, limit: page.fetchLimit))
        return try page.answer(rows, position: { [.integer(Int64($0.number))] }, item: { TalkMessageView($0) })
    }

    /// It never changes, so a page reads it once; whoever logs in next on the device must not find it.
    func file(_ message: UUID, of conversation: UUID, since: Int = 0) async throws -> Response {
        let read = ReadTalkFile(conversation: conversation, id: message, since: since)
        guard let file = try await pool.first(read) else { throw Problem.notFound }
        return .file(file.bytes, mediaType: file.mediaType, name: "message", isInline: true)
    }
}
