import Contracts
import Foundation
import Messaging
import Postgres

/// Publishes whether an account has a chargeable card, and its cards, when one of these changes (BTNC: no order without a
/// card; a series names a card). The caller must have locked the account's cards.
enum PublishAccountMethod {
    static func tell(_ account: UUID, at: Date, in transaction: PostgresTransaction) async throws {
        let note = NoteAccountMethod(account: account, month: CardExpiry.monthNumber(at: at))
        guard let news = try await transaction.first(note) else { return }
        try transaction.publish(
            MethodChanged(
                account: account, version: news.version, hasMethod: news.hasMethod, cards: news.cards, at: at))
    }
}
