import Foundation
import Messaging
import Postgres

/// Removes items of calls that ring no more, after the streams are locked: the deletion of an account locks its stream
/// before its items, too.
final class RingingItemRemover: CommitParticipant {
    private var items: [UUID] = []

    private init() {}

    /// The transaction's remover; made after its ``NoticeWriter``.
    static func of(_ transaction: PostgresTransaction) -> RingingItemRemover {
        transaction.participant(RingingItemRemover.self) { RingingItemRemover() }
    }

    func remove(_ item: UUID) { items.append(item) }

    func willCommit(_ transaction: PostgresTransaction) { transaction.send(DeleteRingingItems(items: items)) }
}
