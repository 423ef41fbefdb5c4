import Postgres

/// What the orders of a transaction add to sums that other orders add to as well: the sales of restaurants, and what
/// providers have earned.
///
/// Messages and deadlines end several orders in one transaction, in whichever order these come. Their sums are written right
/// before the commit, sales before earnings, each with one statement and in one order of its rows. So two transactions wait
/// for one another there, and never in a circle; whoever has a sum's row waits for nothing else.
final class OrderSums: CommitParticipant {
    private var sales: [AddSales.Sale] = []
    private var earned: [AddEarnings.Earned] = []

    /// The transaction's.
    static func of(_ transaction: PostgresTransaction) -> OrderSums {
        transaction.participant(OrderSums.self) { OrderSums() }
    }

    func add(_ sale: AddSales.Sale) { sales.append(sale) }

    func add(_ more: AddEarnings.Earned) { earned.append(more) }

    func willCommit(_ transaction: PostgresTransaction) {
        if !sales.isEmpty { transaction.send(AddSales(sales: sales)) }
        if !earned.isEmpty { transaction.send(AddEarnings(earned: earned)) }
    }
}
