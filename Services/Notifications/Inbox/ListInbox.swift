import Foundation
import HTTPTypes
import Postgres
import ServiceKit

/// Lists the caller's inbox, newest first, in the account's language.
struct ListInbox: Sendable {
    let pool: PostgresPool
    let texts: InboxTexts
    let sealer: CursorSealer

    static func scope(_ account: UUID) -> CursorScope { CursorScope(list: "inbox", owner: account.uuidString) }

    /// - Parameter fallback: the language for accounts whose own is not known yet.
    func callAsFunction(
        _ account: UUID, _ page: PageRequest, fallback: Language
    ) async throws -> Page<InboxItemView> {
        let after = try Self.position(page.cursor)
        let (languages, items) = try await pool.withTransaction { transaction in
            try await transaction.queryAll(
                FindLanguage(account: account), ListInboxItems(account: account, after: after, limit: page.fetchLimit))
        }
        let language = languages.first.map { Language(rawValue: $0) } ?? fallback
        return try Page(
            rows: items, request: page, direction: .descending, scope: Self.scope(account), sealer: sealer,
            position: { [.date($0.at), .uuid($0.id)] }, item: { texts.view($0, in: language) })
    }

    private static func position(_ cursor: Cursor?) throws -> (at: Date, id: UUID) {
        guard let cursor else { return ListInboxItems.beginning }
        // The cursor is sealed for this list, but an older program may have used another sort key.
        guard cursor.values.count == 2, let at = cursor.values[0].date, let id = cursor.values[1].uuid else {
            throw Problem("invalid-cursor", status: .badRequest)
        }
        return (at, id)
    }
}
