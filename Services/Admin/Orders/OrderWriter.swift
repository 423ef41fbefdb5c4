import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON

/// Collects the order data of a batch of messages and writes it just before the commit: each order and payment once,
/// however many events the batch has.
///
/// Lock order: people, orders, ratings, payments, timeline, reports, and in each table by key. Therefore two batches
/// cannot deadlock.
final class OrderWriter: CommitParticipant {
    /// In order of arrival.
    private var orders: [UUID: [OrderChange]] = [:]
    private var payments: [UUID: PaymentChange] = [:]
    private var ratings: [RatingGiven] = []
    private var timeline: [InsertOrderEvents.Entry] = []
    /// The reports whose decision is overdue, with their orders.
    private var undecided: [UUID: UUID] = [:]

    /// The transaction's writer.
    static func of(_ transaction: PostgresTransaction) -> OrderWriter {
        transaction.participant(OrderWriter.self) { OrderWriter() }
    }

    func add(_ change: OrderChange) { orders[change.first.order, default: []].append(change) }

    func add(_ change: PaymentChange) {
        let order = change.newest.order
        if payments[order] == nil { payments[order] = change } else { payments[order]?.add(change) }
    }

    func add(_ rating: RatingGiven) { ratings.append(rating) }

    func add(_ event: OrderEventRow, of order: UUID) {
        timeline.append(InsertOrderEvents.Entry(order: order, event: event))
    }

    /// Marks a report as overdue; the count follows after the timeline is written.
    func remind(of report: UUID, order: UUID) { undecided[report] = order }

    func willCommit(_ transaction: PostgresTransaction) async throws {
        let present = try await lockPeople(in: transaction)
        try await dropForgotten(in: transaction)
        for round in rounds(present) { try write(round, in: transaction) }
        writeRatings(present, in: transaction)
        if !payments.isEmpty { transaction.send(StorePayments(payments: Array(payments.values))) }
        if !timeline.isEmpty { transaction.send(InsertOrderEvents(entries: timeline)) }
        // Few orders have a reason in own words; the locked rows tell whether its author's account is deleted.
        let reasoned = orders.filter {
            $1.contains { $0.newest.reason.map { !OrderSnapshot.reasons.contains($0) } ?? false }
        }
        if !reasoned.isEmpty {
            transaction.send(ForgetReasons(orders: Array(reasoned.keys), name: AccountSnapshot.goneName))
        }
        for (report, order) in undecided.sorted(by: { $0.key.text < $1.key.text }) {
            transaction.send(RemindOfReport(report: report, order: order))
        }
    }

    /// - Returns: the named accounts that exist; they are locked against deletion until the commit.
    private func lockPeople(in transaction: PostgresTransaction) async throws -> Set<UUID> {
        var named = Set(ratings.map(\.from))
        for changes in orders.values { for change in changes { named.formUnion(change.people) } }
        // A former provider's deletion must either see this event or be seen by it.
        named.formUnion(timeline.compactMap(\.event.former))
        guard !named.isEmpty else { return [] }
        let locked = try await transaction.query(
            LockPeople(accounts: Array(named), goneName: AccountSnapshot.goneName))
        return Set(locked.filter { !$0.isGone }.map(\.account))
    }

    /// Drops what is heard of orders that were deleted by age.
    private func dropForgotten(in transaction: PostgresTransaction) async throws {
        var heard = orders.values.compactMap { $0.first.map { ForgottenOrders.Heard($0.first) } }
        heard += payments.values.compactMap { ForgottenOrders.Heard($0.newest.order, in: $0.newest.market) }
        heard += ratings.compactMap { ForgottenOrders.Heard($0.order, in: $0.market) }
        let gone = try await ForgottenOrders.among(heard, in: transaction)
        guard !gone.isEmpty else { return }
        for order in gone {
            orders[order] = nil
            payments[order] = nil
        }
        ratings.removeAll { gone.contains($0.order) }
        timeline.removeAll { gone.contains($0.order) }
        undecided = undecided.filter { !gone.contains($0.value) }
    }

    // MARK: Orders

    private struct Step {
        let change: OrderChange
        /// Whether the change may restore the name of a deleted account.
        let looksForGone: Bool
    }

    /// Divides the changes into rounds with at most one change per order. One round is enough if all named accounts
    /// exist. An order with another name, or with a companion, who belongs to a provider, is written event by event,
    /// because the names to remove depend on its provider at that moment, which only its row knows.
    private func rounds(_ present: Set<UUID>) -> [[Step]] {
        var rounds: [[Step]] = []
        for changes in orders.values {
            let isPlain = changes.allSatisfy { $0.acceptance?.companion == nil && present.isSuperset(of: $0.people) }
            for (number, change) in (isPlain ? Self.together(changes) : changes).enumerated() {
                if number == rounds.count { rounds.append([]) }
                rounds[number].append(Step(change: change, looksForGone: !isPlain))
            }
        }
        return rounds
    }

    private static func together(_ changes: [OrderChange]) -> [OrderChange] {
        guard var whole = changes.first else { return [] }
        for change in changes.dropFirst() { whole.add(change) }
        return [whole]
    }

    private func write(_ round: [Step], in transaction: PostgresTransaction) throws {
        let snapshots = try round.map { PostgresJSON(try JSON.wire.encode($0.change.newest)) }
        transaction.send(StoreOrders(orders: round.map(\.change), snapshots: snapshots))
        let suspects = round.filter(\.looksForGone).map(\.change.first.order)
        guard !suspects.isEmpty else { return }
        transaction.send(ForgetNames(orders: suspects, name: AccountSnapshot.goneName))
    }

    // MARK: Ratings

    private func writeRatings(_ present: Set<UUID>, in transaction: PostgresTransaction) {
        guard !ratings.isEmpty else { return }
        transaction.send(InsertRatings(ratings: ratings))
        let late = ratings.filter { !present.contains($0.from) }.sorted {
            ($0.order.text, $0.by.rawValue) < ($1.order.text, $1.by.rawValue)
        }
        for rating in late {
            transaction.send(
                ForgetLateComment(order: rating.order, from: rating.from, name: AccountSnapshot.goneName))
        }
    }
}
