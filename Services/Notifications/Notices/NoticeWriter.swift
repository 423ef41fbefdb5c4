import Contracts
import Foundation
import Messaging
import Postgres

/// Collects the notices and languages of a batch of messages and writes them with one statement each at the end of the
/// transaction. After the commit it wakes the streams.
final class NoticeWriter: CommitParticipant {
    private let hub: StreamHub
    private var notices: [Notice] = []
    private var people: [AccountSnapshot] = []

    private init(_ hub: StreamHub) { self.hub = hub }

    /// The transaction's writer.
    static func of(_ transaction: PostgresTransaction, _ hub: StreamHub) -> NoticeWriter {
        transaction.participant(NoticeWriter.self) { NoticeWriter(hub) }
    }

    func tell(_ more: [Notice]) { notices += more }

    func remember(_ more: [AccountSnapshot]) { people += more }

    func willCommit(_ transaction: PostgresTransaction) {
        if !people.isEmpty { transaction.send(StorePeople(people)) }
        guard !notices.isEmpty else { return }
        let ordered = Self.ordered(notices)
        transaction.send(WriteNotices(notices: ordered))
        let items = ordered.compactMap { notice in
            notice.item.flatMap { id in notice.push.map { QueuePushes.Item(id: id, terms: $0) } }
        }
        if !items.isEmpty { transaction.send(QueuePushes(items: items)) }
    }

    func didCommit() {
        guard !notices.isEmpty else { return }
        hub.committed(Set(notices.map(\.account)))
    }

    /// Sorts the versions of one subject in a batch, older ones first.
    static func ordered(_ notices: [Notice]) -> [Notice] {
        notices.enumerated().sorted { left, right in
            let (older, newer) = (left.element.version ?? .max, right.element.version ?? .max)
            return older == newer ? left.offset < right.offset : older < newer
        }.map(\.element)
    }
}
