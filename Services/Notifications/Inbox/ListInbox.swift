import Foundation
import HTTPTypes
import Postgres
import ServiceKit

/// Lists the caller's inbox, newest first, in the account's language.
struct ListInbox: Sendable {
    let pool: PostgresPool
    let texts: InboxTexts
    let sealer: CursorSealer

    /// - Parameter fallback: the language for accounts whose own is not known yet.
    func callAsFunction(
        _ account: UUID, _ page: ListPage, fallback: Language
    ) async throws -> Page<InboxItemView> {
        let after = page.last ?? ListInboxItems.beginning
        let (languages, items) = try await pool.withTransaction { transaction in
            try await transaction.queryAll(
                FindLanguage(account: account), ListInboxItems(account: account, after: after, limit: page.fetchLimit))
        }
        let language = languages.first.map { Language(rawValue: $0) } ?? fallback
        return try page.answer(items, at: { ($0.at, $0.id) }, item: { texts.view($0, in: language) })
    }
}
