import Contracts
import Foundation
import Postgres

struct UpsertRepublishedBlocks: Statement {
    static let sql: SQL = """
        INSERT INTO blocks (account, market, is_blocked, version)
        SELECT account, market, is_blocked, version
        FROM unnest($1::uuid[], $2::text[], $3::boolean[], $4::bigint[]) AS told (account, market, is_blocked, version)
        WHERE NOT EXISTS (SELECT FROM people WHERE people.account = told.account AND people.name = $5)
        ORDER BY account, market
        ON CONFLICT (account, market) DO UPDATE SET is_blocked = excluded.is_blocked, version = excluded.version
        WHERE blocks.version <= excluded.version
        """
    let blocks: [(UUID, StandingsTold.Block)]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: blocks, \.0, \.1.market, \.1.isBlocked, \.1.version)
        bindings.append(AccountSnapshot.goneName)
    }
}

struct DeleteStaleBlocks: Statement {
    static let sql: SQL = """
        DELETE FROM blocks
        WHERE ($1::uuid IS NULL OR account > $1) AND ($2::uuid IS NULL OR account <= $2) AND heard_at < $5
            AND NOT EXISTS (
                SELECT FROM unnest($3::uuid[], $4::text[]) AS told (account, market)
                WHERE told.account = blocks.account AND told.market = blocks.market)
        """
    let range: ToldRange
    let blocks: [(UUID, StandingsTold.Block)]
    func bind(_ bindings: inout Bindings) {
        bindings.append(range.after, range.through)
        bindings.append(columnsOf: blocks, \.0, \.1.market)
        bindings.append(range.surelyKnown)
    }
}

struct UpsertRepublishedMethods: Statement {
    static let sql: SQL = """
        INSERT INTO payment_methods AS known (account, has_method, version, cards)
        SELECT account, has_method, version, cards::jsonb
        FROM unnest($1::uuid[], $2::boolean[], $3::bigint[], $5::text[]) AS told (account, has_method, version, cards)
        WHERE NOT EXISTS (SELECT FROM people WHERE people.account = told.account AND people.name = $4)
        ORDER BY account
        ON CONFLICT (account) DO UPDATE
        SET has_method = excluded.has_method, version = excluded.version,
            cards = CASE WHEN known.version = excluded.version THEN coalesce(excluded.cards, known.cards)
                ELSE excluded.cards END
        WHERE known.version <= excluded.version
        """
    let methods: [(UUID, StandingsTold.Method)]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: methods, \.0, \.1.hasMethod, \.1.version)
        bindings.append(AccountSnapshot.goneName, methods.map { $0.1.cards.map(StoredCards.encode) })
    }
}

/// Keeps rows with version 0, which are guesses from before the wallet's first event.
struct DeleteStaleMethods: Statement {
    static let sql: SQL = """
        DELETE FROM payment_methods
        WHERE ($1::uuid IS NULL OR account > $1) AND ($2::uuid IS NULL OR account <= $2) AND account <> ALL ($3::uuid[])
            AND heard_at < $4 AND version <> 0
        """
    let range: ToldRange
    let methods: [(UUID, StandingsTold.Method)]
    func bind(_ bindings: inout Bindings) {
        bindings.append(range.after, range.through, methods.map(\.0), range.surelyKnown)
    }
}

struct UpsertRepublishedSubscriptions: Statement {
    static let sql: SQL = """
        INSERT INTO provider_subscriptions AS s (market, account, version, ends_at)
        SELECT market, account, version, ends_at
        FROM unnest($1::text[], $2::uuid[], $3::bigint[], $4::timestamptz[]) AS told (market, account, version, ends_at)
        WHERE NOT EXISTS (SELECT FROM people WHERE people.account = told.account AND people.name = $5)
        ORDER BY market, account
        ON CONFLICT (market, account) DO UPDATE SET version = excluded.version, ends_at = excluded.ends_at
        WHERE s.version <= excluded.version
        """
    let subscriptions: [(UUID, StandingsTold.Subscription)]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: subscriptions, \.1.market, \.0, \.1.version, \.1.endsAt)
        bindings.append(AccountSnapshot.goneName)
    }
}

struct DeleteStaleSubscriptions: Statement {
    static let sql: SQL = """
        DELETE FROM provider_subscriptions AS s
        WHERE ($1::uuid IS NULL OR account > $1) AND ($2::uuid IS NULL OR account <= $2) AND heard_at < $5
            AND NOT EXISTS (
                SELECT FROM unnest($3::uuid[], $4::text[]) AS told (account, market)
                WHERE told.account = s.account AND told.market = s.market)
        """
    let range: ToldRange
    let subscriptions: [(UUID, StandingsTold.Subscription)]
    func bind(_ bindings: inout Bindings) {
        bindings.append(range.after, range.through)
        bindings.append(columnsOf: subscriptions, \.0, \.1.market)
        bindings.append(range.surelyKnown)
    }
}

/// Lowers the stored version by one, so that an equal version replaces the row.
struct LowerPromoCodeVersion: Statement {
    static let sql: SQL = "UPDATE promo_codes SET version = $2 - 1 WHERE id = $1 AND version = $2"
    let id: UUID
    let version: Int
    func bind(_ bindings: inout Bindings) { bindings.append(id, version) }
}

struct DeleteStalePromoCodes: Statement {
    static let sql: SQL = """
        DELETE FROM promo_codes
        WHERE ($1::uuid IS NULL OR id > $1) AND ($2::uuid IS NULL OR id <= $2) AND id <> ALL ($3::uuid[])
            AND heard_at < $4
        """
    let told: PromoCodesTold
    func bind(_ bindings: inout Bindings) {
        bindings.append(told.range.after, told.range.through, told.promoCodes.map(\.promoCode), told.range.surelyKnown)
    }
}

/// Stores uses for orders that exist here and whose customer is not deleted.
struct UpsertRepublishedUses: Statement {
    static let sql: SQL = """
        INSERT INTO promo_uses AS known (order_id, promo_code, account, counts, version)
        SELECT order_id, promo_code, account, counts, told.version
        FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[], $5::bigint[])
            AS told (order_id, promo_code, account, counts, version)
        JOIN orders ON orders.id = told.order_id
        WHERE NOT EXISTS (SELECT FROM people WHERE people.account = told.account AND people.name = $6)
        ORDER BY order_id
        ON CONFLICT (order_id) DO UPDATE
        SET promo_code = excluded.promo_code, account = excluded.account, counts = excluded.counts,
            version = excluded.version
        WHERE known.version <= excluded.version
        """
    let payments: [PaymentSnapshot]
    func bind(_ bindings: inout Bindings) {
        let counts = payments.map { $0.state != .released }
        bindings.append(columnsOf: payments, \.order, \.promoCode, \.customer)
        bindings.append(counts, payments.map(\.version), AccountSnapshot.goneName)
    }
}
