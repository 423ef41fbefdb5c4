import Contracts
import Foundation
import Messaging
import Postgres

/// Stores the wallet's republished snapshots of blocks, cards, subscriptions, promo codes and their uses. The payment
/// states of orders are dispatch's own data and are not republished.
enum RepublishedMoneyHandlers {
    static func register(in handlers: inout MessageHandlers) {
        handlers.on(StandingsTold.self, sharesTransaction: false) { try await standings($0.message, $1) }
        handlers.on(PromoCodesTold.self, sharesTransaction: false) { promoCodes($0.message, $1) }
        handlers.on(PaymentsTold.self, sharesTransaction: false) { try await uses($0.message, $1) }
    }

    static func standings(_ told: StandingsTold, _ transaction: PostgresTransaction) async throws {
        // Locks these people against deletion until the commit.
        _ = try await transaction.query(SharePeople(accounts: told.accounts.map(\.account)))
        let blocks = told.accounts.flatMap { one in one.blocks.map { (one.account, $0) } }
        let methods = told.accounts.compactMap { one in one.method.map { (one.account, $0) } }
        let subscriptions = told.accounts.flatMap { one in one.subscriptions.map { (one.account, $0) } }
        transaction.send(UpsertRepublishedBlocks(blocks: blocks))
        transaction.send(DeleteStaleBlocks(range: told.range, blocks: blocks))
        transaction.send(UpsertRepublishedMethods(methods: methods))
        transaction.send(DeleteStaleMethods(range: told.range, methods: methods))
        transaction.send(UpsertRepublishedSubscriptions(subscriptions: subscriptions))
        transaction.send(DeleteStaleSubscriptions(range: told.range, subscriptions: subscriptions))
    }

    static func promoCodes(_ told: PromoCodesTold, _ transaction: PostgresTransaction) {
        // Accepts an equal version, too, so that a corrupted row is repaired.
        for code in told.promoCodes {
            transaction.send(LowerPromoCodeVersion(id: code.promoCode, version: code.version))
            PromoCodeProjection.keep(code, in: transaction)
        }
        transaction.send(DeleteStalePromoCodes(told: told))
    }

    static func uses(_ told: PaymentsTold, _ transaction: PostgresTransaction) async throws {
        let payments = told.payments.map(\.payment).filter { payment in
            payment.promoCode != nil && [.held, .captured, .released].contains(payment.state)
        }
        _ = try await transaction.query(SharePeople(accounts: payments.map(\.customer)))
        transaction.send(UpsertRepublishedUses(payments: payments))
    }
}
