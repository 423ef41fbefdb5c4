import Contracts
import Foundation
import Messaging
import Postgres

/// Tells whether an account has a card that can be charged, when that changes (BTNC: nobody orders without one). The
/// caller has locked the account's cards.
enum TellAccountMethod {
    static func tell(_ account: UUID, at: Date, in transaction: PostgresTransaction) async throws {
        let note = NoteAccountMethod(account: account, month: CardExpiry.monthNumber(at: at))
        guard let news = try await transaction.first(note) else { return }
        try transaction.publish(
            MethodChanged(account: account, version: news.version, hasMethod: news.hasMethod, at: at))
    }
}
