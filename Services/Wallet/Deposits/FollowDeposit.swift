import Contracts
import Foundation
import Messaging
import Postgres

/// Takes a provider's deposit at the order's acceptance, and returns it or gives it to the customer at the end. Runs in
/// the transaction that has locked the order's payment.
enum FollowDeposit {
    /// - Parameter locked: the order's locked deposit, if any.
    static func follow(
        _ order: OrderSnapshot, locked: Deposit?, at: Date, in transaction: PostgresTransaction
    ) async throws {
        let step = DepositStep(
            orderState: order.state.rawValue, isReported: order.report != nil, provider: order.provider?.account,
            wanted: order.deposit?.amount ?? 0, acceptance: order.acceptance, lockedFor: locked?.provider,
            lockedAt: locked?.orderVersion)
        if step.returns, let locked { try await end(locked, toCustomer: false, at: at, in: transaction) }
        if step.answersAgain, var locked {
            locked.orderVersion = order.acceptance ?? order.version
            transaction.send(UpdateDeposit(deposit: locked))
            try answer(locked, at: at, in: transaction)
        }
        guard step.locks, let provider = order.provider, let wanted = order.deposit else { return }
        // Includes what this transaction moves, such as a return. Read without a lock: if the balance is lower at the
        // commit, the ledger's floor refuses the transaction and the message is handled again.
        let balance = try await transaction.first(
            ReadBalance(account: provider.account, currency: wanted.currency))
        let isFrozen = try await WalletFreeze.isFrozen(provider.account, in: transaction)
        let moved = LedgerBuffer.of(transaction).change(of: .wallet(provider.account, wanted.currency))
        let deposit = Deposit(
            id: .timeOrdered(), order: order.order, market: order.market, provider: provider.account,
            providerName: provider.name, customer: order.customer.account, customerName: order.customer.name,
            currency: wanted.currency, amount: wanted.amount, orderVersion: order.acceptance ?? order.version,
            state: !isFrozen && (balance ?? 0) + moved >= wanted.amount ? .locked : .refused)
        transaction.send(InsertDeposit(deposit: deposit))
        try answer(deposit, at: at, in: transaction)
        guard deposit.state == .locked else { return }
        Ledger.enqueue(Transfers.lock(deposit, id: .timeOrdered()), in: transaction)
        store(deposit, at: at, in: transaction)
    }

    /// Tells dispatch whether the deposit was taken for the acceptance.
    private static func answer(_ deposit: Deposit, at: Date, in transaction: PostgresTransaction) throws {
        let amount = Money(amount: deposit.amount, currency: deposit.currency)
        if deposit.state == .locked {
            try transaction.publish(
                DepositLocked(
                    order: deposit.order, orderVersion: deposit.orderVersion, market: deposit.market,
                    provider: deposit.provider, amount: amount, at: at))
        } else {
            try transaction.publish(
                DepositRefused(
                    order: deposit.order, orderVersion: deposit.orderVersion, market: deposit.market,
                    provider: deposit.provider, amount: amount, at: at))
        }
    }

    static func end(
        _ locked: Deposit, toCustomer: Bool, at: Date, in transaction: PostgresTransaction
    ) async throws {
        var deposit = locked
        if toCustomer { try await PassCardMoney.forfeit(deposit, at: at, in: transaction) }
        deposit.state = toCustomer ? .forfeited : .returned
        transaction.send(UpdateDeposit(deposit: deposit))
        Ledger.enqueue(Transfers.end(deposit, toCustomer: toCustomer, id: .timeOrdered()), in: transaction)
        store(deposit, at: at, in: transaction)
        try transaction.publish(
            DepositEnded(
                order: deposit.order, market: deposit.market, provider: deposit.provider, customer: deposit.customer,
                amount: Money(amount: deposit.amount, currency: deposit.currency),
                to: toCustomer ? .customer : .provider, at: at))
    }

    private static func store(_ deposit: Deposit, at: Date, in transaction: PostgresTransaction) {
        for line in deposit.statementLines {
            transaction.send(StoreStatementLine(id: .timeOrdered(), line: line, at: at))
        }
    }
}

extension Deposit {
    /// The provider's line, and the customer's after a forfeit.
    fileprivate var statementLines: [StatementLine] {
        func line(_ account: UUID, _ amount: Int, _ state: StatementLine.State, _ reason: String?) -> StatementLine {
            StatementLine(
                account: account, source: "deposit:\(id.text)", kind: .deposit, market: market, currency: currency,
                amount: amount, order: order, method: .wallet, title: [:], payer: providerName,
                beneficiary: customerName, state: state, reason: reason)
        }
        return switch state {
        case .refused: []
        case .locked: [line(provider, -amount, .waiting, nil)]
        case .returned: [line(provider, -amount, .rejected, "deposit-returned")]
        case .forfeited: [line(provider, -amount, .accepted, nil), line(customer, amount, .accepted, nil)]
        }
    }
}
