import Contracts
import LiveMarkets
import Messaging
import Postgres

/// Collects what a transaction's events say of things that wait for admins, and stores it at the end. After the
/// commit the admins who are connected are told that something has changed.
final class AdminItemWriter: CommitParticipant {
    private let hub: StreamHub
    private var facts: [AdminFact] = []
    private var markets: Set<String> = []

    private init(_ hub: StreamHub) { self.hub = hub }

    /// The transaction's writer.
    static func of(_ transaction: PostgresTransaction, _ hub: StreamHub) -> AdminItemWriter {
        transaction.participant(AdminItemWriter.self) { AdminItemWriter(hub) }
    }

    /// After the streams of accounts, which all transactions lock before these rows.
    var goesLast: Bool { true }

    func note(_ more: [AdminFact]) { facts += more }

    func note(_ messages: [any Message], _ live: LiveMarkets) {
        for message in messages { note(AdminFacts.of(message) { live.named($0) }) }
    }

    /// Something of the market has changed otherwise.
    func changed(in market: String) { markets.insert(market) }

    func willCommit(_ transaction: PostgresTransaction) {
        let ordered = facts.enumerated().sorted { ($0.element.key, $0.offset) < ($1.element.key, $1.offset) }
        for (_, fact) in ordered { transaction.send(PutAdminItem(fact: fact)) }
    }

    func didCommit() {
        let all = markets.union(facts.map(\.market))
        if !all.isEmpty { hub.committed(markets: all) }
    }
}
