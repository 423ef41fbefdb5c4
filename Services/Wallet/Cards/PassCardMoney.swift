import Foundation
import Postgres

/// Lets card money keep its time when it reaches another wallet with a price that the customer has set, a tip or a given
/// deposit: an account and its accomplice could otherwise turn a card's money into free money at once.
enum PassCardMoney {
    /// Holding times may be set to a year at most; older card money is free in every market.
    private static let longest = CardHolds(otherDays: 365)

    /// Records the card money in a completed order's price, as far as the customer's wallet paid it. A price by card needs
    /// no record, since the payment tells it.
    static func capture(_ payment: Payment, at: Date, in transaction: PostgresTransaction) async throws {
        guard payment.terms.isCustomerPriced, payment.method == .wallet else { return }
        let money = try await money(of: payment.customer, payment.currency, at: at, in: transaction)
        store(.capture, payment.order, money.given(for: payment.order, payment.price), in: transaction)
    }

    /// Records the card money in a tip. The tip must be posted.
    static func tip(_ amount: Int, _ payment: Payment, at: Date, in transaction: PostgresTransaction) async throws {
        let money = try await money(of: payment.customer, payment.currency, at: at, in: transaction)
        store(.tip, payment.order, money.given(for: payment.order, amount, fromEnd: true), in: transaction)
    }

    /// Records the card money in a deposit that is given to the customer.
    static func forfeit(_ deposit: Deposit, at: Date, in transaction: PostgresTransaction) async throws {
        let money = try await money(of: deposit.provider, deposit.currency, at: at, in: transaction)
        store(.depositForfeit, deposit.id, money.given(for: deposit.id, deposit.amount), in: transaction)
    }

    private static func money(
        of payer: UUID, _ currency: String, at: Date, in transaction: PostgresTransaction
    ) async throws -> CardMoney {
        try await CardMoney.of(payer, currency, longest, at: at, asksForTaken: true, in: transaction)
    }

    private static func store(
        _ kind: Transfer.Kind, _ subject: UUID, _ given: [CardMoney.Given], in transaction: PostgresTransaction
    ) {
        for part in given { transaction.send(InsertPassedCardMoney(kind: kind, subject: subject, given: part)) }
    }
}

private struct InsertPassedCardMoney: Statement {
    static let sql: SQL = """
        INSERT INTO passed_card_money (subject, kind, at, market, amount, whole) VALUES ($1, $2, $3, $4, $5, $6)
        """
    let kind: Transfer.Kind
    let subject: UUID
    let given: CardMoney.Given
    func bind(_ bindings: inout Bindings) {
        bindings.append(subject, kind.rawValue, given.at, given.market, given.amount, given.whole)
    }
}
