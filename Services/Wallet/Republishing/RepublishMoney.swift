import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres

/// Republishes payments, promo codes, and what other services know of accounts (blocks, cards, subscriptions).
struct RepublishMoney: Sendable {
    static let paymentsAtOnce = 100
    static let accountsAtOnce = 200
    static let promoCodesAtOnce = 100

    let pool: PostgresPool
    let markets: LiveMarkets
    let clock: @Sendable () -> Date

    var kinds: [RepublishedKind] {
        let (pool, markets, clock) = (pool, markets, clock)
        return [
            RepublishedKind("payments") { place, transaction in try await Self.payments(place, in: transaction) },
            // Accounts with cards from before `wallet.method.changed` existed have no row yet.
            RepublishedKind("standings") {
                try await RepublishMethods(pool: pool, currencies: .unknown).tellNewMethods(at: clock())
            } tell: { place, transaction in
                try await Self.standings(place, in: transaction)
            },
            RepublishedKind("promo-codes") {
                try await markets.refresh()
                try await PromoCodePass.pass(at: clock(), MarketCurrencies(markets), pool)
            } tell: { place, transaction in
                try await Self.promoCodes(place, in: transaction)
            },
        ]
    }

    private static func payments(
        _ place: RepublishedKind.Place, in transaction: PostgresTransaction
    ) async throws -> RepublishedKind.Part {
        let rows = try await transaction.query(ListPaymentsToTell(after: place.after, limit: paymentsAtOnce))
        let part = RepublishedKind.Part(rows.map(\.payment.order), limit: paymentsAtOnce)
        let told = rows.map { row in
            let division = row.payment.madeDivision
            func money(_ amount: Int) -> Money { Money(amount: amount, currency: row.payment.currency) }
            return PaymentsTold.Told(
                payment: PaymentSnapshot(row.payment), heldAt: row.heldAt, capturedAt: row.capturedAt,
                releasedAt: row.releasedAt, providerShare: division.map { money($0.net(of: .provider)) },
                platformShare: division.map { money($0.platform) })
        }
        try transaction.publish(PaymentsTold(range: ToldRange(place, part), payments: told))
        return part
    }

    private static func standings(
        _ place: RepublishedKind.Place, in transaction: PostgresTransaction
    ) async throws -> RepublishedKind.Part {
        let accounts = try await transaction.query(ListStandingsToTell(after: place.after, limit: accountsAtOnce))
        let part = RepublishedKind.Part(accounts, limit: accountsAtOnce)
        let (blocks, methods, subscriptions) = try await transaction.queryAll(
            ListBlocksToTell(accounts: accounts), ListMethodsToTell(accounts: accounts),
            ListSubscriptionsToTell(accounts: accounts))
        let blocksOf = Dictionary(grouping: blocks, by: \.account)
        let methodOf = Dictionary(methods.map { ($0.account, $0.method) }) { first, _ in first }
        let subscriptionsOf = Dictionary(grouping: subscriptions, by: \.account)
        let told = accounts.map { account in
            StandingsTold.Standing(
                account: account, blocks: (blocksOf[account] ?? []).map(\.block), method: methodOf[account],
                subscriptions: (subscriptionsOf[account] ?? []).map(\.subscription))
        }
        try transaction.publish(StandingsTold(range: ToldRange(place, part), accounts: told))
        return part
    }

    private static func promoCodes(
        _ place: RepublishedKind.Place, in transaction: PostgresTransaction
    ) async throws -> RepublishedKind.Part {
        let codes = try await transaction.query(LockPublishedPromoCodes(after: place.after, limit: promoCodesAtOnce))
        let part = RepublishedKind.Part(codes.map(\.counted.code.id), limit: promoCodesAtOnce)
        let told = codes.map { $0.event(at: place.readAt) }
        try transaction.publish(PromoCodesTold(range: ToldRange(place, part), promoCodes: told))
        return part
    }
}
