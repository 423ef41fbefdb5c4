import Contracts
import Postgres

// Each statement resets the versions of a batch of rows, so that the next republished snapshot replaces them. Deleted
// accounts stay deleted.

struct ResetPeopleVersions: Statement {
    static let limit = 500
    static let sql: SQL = """
        UPDATE people SET version = 0 WHERE account IN (
            SELECT account FROM people WHERE version <> 0 AND name <> $1 ORDER BY account LIMIT $2 FOR UPDATE)
        """
    func bind(_ bindings: inout Bindings) { bindings.append(AccountSnapshot.goneName, Self.limit) }
}

struct ResetBanVersions: Statement {
    static let limit = 500
    static let sql: SQL = """
        UPDATE bans SET version = 0 WHERE (account, market) IN (
            SELECT account, market FROM bans WHERE version IS DISTINCT FROM 0 ORDER BY account, market LIMIT $1 FOR UPDATE)
        """
    func bind(_ bindings: inout Bindings) { bindings.append(Self.limit) }
}

/// Resets removed links, too, because they may exist at their owner.
struct ResetLinkTimes: Statement {
    static let limit = 500
    static let sql: SQL = """
        UPDATE links SET heard_at = '-infinity' WHERE link IN (
            SELECT link FROM links WHERE heard_at > '-infinity' ORDER BY link LIMIT $1 FOR UPDATE)
        """
    func bind(_ bindings: inout Bindings) { bindings.append(Self.limit) }
}

struct ResetBlockVersions: Statement {
    static let limit = 500
    static let sql: SQL = """
        UPDATE blocks SET version = 0 WHERE (account, market) IN (
            SELECT account, market FROM blocks WHERE version <> 0 ORDER BY account, market LIMIT $1 FOR UPDATE)
        """
    func bind(_ bindings: inout Bindings) { bindings.append(Self.limit) }
}

/// Not to 0, because that version marks a guess from before the wallet's first event.
struct ResetPaymentMethodVersions: Statement {
    static let limit = 500
    static let sql: SQL = """
        UPDATE payment_methods SET version = -1 WHERE account IN (
            SELECT account FROM payment_methods WHERE version > 0 ORDER BY account LIMIT $1 FOR UPDATE)
        """
    func bind(_ bindings: inout Bindings) { bindings.append(Self.limit) }
}

struct ResetSubscriptionVersions: Statement {
    static let limit = 500
    static let sql: SQL = """
        UPDATE provider_subscriptions SET version = 0 WHERE (market, account) IN (
            SELECT market, account FROM provider_subscriptions WHERE version <> 0
            ORDER BY market, account LIMIT $1 FOR UPDATE)
        """
    func bind(_ bindings: inout Bindings) { bindings.append(Self.limit) }
}

struct ResetPromoCodeVersions: Statement {
    static let limit = 500
    static let sql: SQL = """
        UPDATE promo_codes SET version = 0 WHERE id IN (
            SELECT id FROM promo_codes WHERE version <> 0 ORDER BY id LIMIT $1 FOR UPDATE)
        """
    func bind(_ bindings: inout Bindings) { bindings.append(Self.limit) }
}

struct ResetPromoUseVersions: Statement {
    static let limit = 500
    static let sql: SQL = """
        UPDATE promo_uses SET version = 0 WHERE order_id IN (
            SELECT order_id FROM promo_uses WHERE version <> 0 ORDER BY order_id LIMIT $1 FOR UPDATE)
        """
    func bind(_ bindings: inout Bindings) { bindings.append(Self.limit) }
}
