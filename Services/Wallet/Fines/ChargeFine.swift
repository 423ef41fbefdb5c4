import Contracts
import Foundation
import Messaging
import Postgres

/// Charges a customer for a late cancellation, once per order.
enum ChargeFine {
    static func charge(
        _ amount: Int, of order: OrderSnapshot, _ settings: MarketSettings?, at: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let fine = Fine(
            order: order.order, market: order.market, account: order.customer.account, currency: order.total.currency,
            amount: amount, provider: order.provider?.account,
            basisPointsToPlatform: settings?.fineBasisPointsToPlatform ?? 0, chargedAt: at,
            days: settings?.fineDays ?? 30)
        guard try await transaction.execute(InsertFine(fine: fine)) == 1 else { return }
        Ledger.enqueue(Transfers.fine(fine, id: .timeOrdered()), in: transaction)
        for line in Self.lines(fine, order) {
            transaction.send(StoreStatementLine(id: .timeOrdered(), line: line, at: at))
        }
        func money(_ amount: Int) -> Money { Money(amount: amount, currency: fine.currency) }
        try transaction.publish(
            FineCharged(
                order: fine.order, market: fine.market, account: fine.account, provider: fine.provider,
                amount: money(fine.amount), providerShare: money(fine.shares.provider),
                platformShare: money(fine.shares.platform), dueAt: fine.dueAt, at: at))
        // A deadline, since the wallet's balance is known only after the commit.
        transaction.set(CheckFines.first(fine))
    }

    private static func lines(_ fine: Fine, _ order: OrderSnapshot) -> [StatementLine] {
        func line(_ account: UUID, _ amount: Int, payer: String, beneficiary: String) -> StatementLine {
            StatementLine(
                account: account, source: fine.line, kind: .fine, market: fine.market,
                currency: fine.currency, amount: amount, order: order.order, method: .wallet, title: [:], payer: payer,
                beneficiary: beneficiary, state: .accepted, reason: nil)
        }
        let customer = order.customer.name
        guard let provider = order.provider, fine.shares.provider > 0 else {
            let platform = PlatformName.of(fine.market)
            return [line(fine.account, -fine.amount, payer: customer, beneficiary: platform)]
        }
        return [
            line(fine.account, -fine.amount, payer: customer, beneficiary: provider.name),
            line(provider.account, fine.shares.provider, payer: customer, beneficiary: provider.name),
        ]
    }
}
