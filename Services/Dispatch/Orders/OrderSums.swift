import Postgres

/// The amounts that the orders of a transaction add to shared sums: restaurants' sales and providers' earnings.
///
/// Messages and deadlines may end several orders in one transaction, in any sequence. The sums are written right before
/// the commit: sales, returned sales, earnings, returned earnings, tips, days. Each is one statement that takes its rows in a fixed
/// order. So transactions may wait for each other here, but never in a circle; the holder of a sum's row lock waits for
/// nothing else.
final class OrderSums: CommitParticipant {
    private var sales: [AddSales.Sale] = []
    private var returns: [AddReturns.Return] = []
    private var earned: [AddEarnings.Earned] = []
    private var returned: [AddReturnedEarnings.Returned] = []
    private var tips: [AddEarningsOfDays.Part] = []

    /// The transaction's sums.
    static func of(_ transaction: PostgresTransaction) -> OrderSums {
        transaction.participant(OrderSums.self) { OrderSums() }
    }

    func add(_ sale: AddSales.Sale) { sales.append(sale) }

    func add(_ given: AddReturns.Return) { returns.append(given) }

    func add(_ more: AddEarnings.Earned) { earned.append(more) }

    func add(_ given: AddReturnedEarnings.Returned) { returned.append(given) }

    /// - Parameter tip: counts in its day and in the sums of all time.
    func add(tip: AddEarningsOfDays.Part) { tips.append(tip) }

    private var days: [AddEarningsOfDays.Part] {
        earned.compactMap { one in
            one.day.map {
                AddEarningsOfDays.Part(
                    market: one.market, account: one.account, day: $0, kind: one.kind, currency: one.currency,
                    count: 1, amount: one.amount)
            }
        }
            + returned.compactMap { one in
                one.day.map {
                    AddEarningsOfDays.Part(
                        market: one.market, account: one.account, day: $0, kind: one.kind, currency: one.currency,
                        returned: one.amount)
                }
            } + tips
    }

    func willCommit(_ transaction: PostgresTransaction) {
        if !sales.isEmpty { transaction.send(AddSales(sales: sales)) }
        if !returns.isEmpty { transaction.send(AddReturns(returns: returns)) }
        if !earned.isEmpty { transaction.send(AddEarnings(earned: earned)) }
        if !returned.isEmpty { transaction.send(AddReturnedEarnings(returned: returned)) }
        if !tips.isEmpty { transaction.send(AddTips(parts: tips)) }
        let days = days
        if !days.isEmpty { transaction.send(AddEarningsOfDays(parts: days)) }
    }
}
