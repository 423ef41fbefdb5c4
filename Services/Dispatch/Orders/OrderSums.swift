import Postgres

/// What the orders of a transaction add to sums that other orders add to as well: the sales of restaurants, and what
/// providers have earned.
///
/// Messages and deadlines end several orders in one transaction, in whichever order these come. Their sums are written right
/// before the commit, sales before earnings, what is given back behind each, each with one statement and in one order of its rows. So two transactions wait
/// for one another there, and never in a circle; whoever has a sum's row waits for nothing else.
final class OrderSums: CommitParticipant {
    private var sales: [AddSales.Sale] = []
    private var returns: [AddReturns.Return] = []
    private var earned: [AddEarnings.Earned] = []
    private var returned: [AddReturnedEarnings.Returned] = []

    /// The transaction's.
    static func of(_ transaction: PostgresTransaction) -> OrderSums {
        transaction.participant(OrderSums.self) { OrderSums() }
    }

    func add(_ sale: AddSales.Sale) { sales.append(sale) }

    func add(_ given: AddReturns.Return) { returns.append(given) }

    func add(_ more: AddEarnings.Earned) { earned.append(more) }

    func add(_ given: AddReturnedEarnings.Returned) { returned.append(given) }

    func willCommit(_ transaction: PostgresTransaction) {
        if !sales.isEmpty { transaction.send(AddSales(sales: sales)) }
        if !returns.isEmpty { transaction.send(AddReturns(returns: returns)) }
        if !earned.isEmpty { transaction.send(AddEarnings(earned: earned)) }
        if !returned.isEmpty { transaction.send(AddReturnedEarnings(returned: returned)) }
    }
}
