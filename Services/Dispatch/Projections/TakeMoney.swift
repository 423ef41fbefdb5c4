import Contracts
import Foundation
import Messaging
import Postgres

/// Takes over what the wallet tells again: of blocks, cards and subscriptions, of promo codes and their uses. What payments
/// did to orders is dispatch's own, and is not told again.
enum TakeMoney {
    static func hear(in handlers: inout MessageHandlers) {
        handlers.on(StandingsTold.self, sharesTransaction: false) { try await standings($0.message, $1) }
        handlers.on(PromoCodesTold.self, sharesTransaction: false) { promoCodes($0.message, $1) }
        handlers.on(PaymentsTold.self, sharesTransaction: false) { try await uses($0.message, $1) }
    }

    static func standings(_ told: StandingsTold, _ transaction: PostgresTransaction) async throws {
        // Nobody of them is forgotten until the commit.
        _ = try await transaction.query(SharePeople(accounts: told.accounts.map(\.account)))
        let blocks = told.accounts.flatMap { one in one.blocks.map { (one.account, $0) } }
        let methods = told.accounts.compactMap { one in one.method.map { (one.account, $0) } }
        let subscriptions = told.accounts.flatMap { one in one.subscriptions.map { (one.account, $0) } }
        transaction.send(StoreToldBlocks(blocks: blocks))
        transaction.send(DropUntoldBlocks(range: told.range, blocks: blocks))
        transaction.send(StoreToldMethods(methods: methods))
        transaction.send(DropUntoldMethods(range: told.range, methods: methods))
        transaction.send(StoreToldSubscriptions(subscriptions: subscriptions))
        transaction.send(DropUntoldSubscriptions(range: told.range, subscriptions: subscriptions))
    }

    static func promoCodes(_ told: PromoCodesTold, _ transaction: PostgresTransaction) {
        // Also of the same version, as one that was spoiled has.
        for code in told.promoCodes {
            transaction.send(DoubtPromoCode(id: code.promoCode, version: code.version))
            KeepPromoCodes.keep(code, in: transaction)
        }
        transaction.send(DropUntoldPromoCodes(told: told))
    }

    static func uses(_ told: PaymentsTold, _ transaction: PostgresTransaction) async throws {
        let payments = told.payments.map(\.payment).filter { payment in
            payment.promoCode != nil && [.held, .captured, .released].contains(payment.state)
        }
        _ = try await transaction.query(SharePeople(accounts: payments.map(\.customer)))
        transaction.send(StoreToldUses(payments: payments))
    }
}
