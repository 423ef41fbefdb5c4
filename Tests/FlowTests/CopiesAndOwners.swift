import Postgres
import TestKit

/// What other services keep, held against its owners' rows: SQL over all schemas, as the superuser.
enum CopiesAndOwners {
    /// What differs, by its name; nothing when each copy is what its owner has.
    static func differences(_ database: TestDatabase) async throws -> [String] {
        try await database.withPool { pool in
            try await pool.query(FindDifferences()).filter { $0.count > 0 }.map { "\($0.name): \($0.count)" }
        }
    }

    // Messages have milliseconds.
    private struct FindDifferences: Statement {
        static let sql: SQL = """
            WITH owned_orders AS (
                SELECT id, market, version, state, customer, provider, requested_at::timestamptz(3),
                    ended_at::timestamptz(3), companion
                FROM dispatch.orders
            ), known_orders AS (
                SELECT id, market, version, state, customer, provider, requested_at::timestamptz(3),
                    ended_at::timestamptz(3), companion
                FROM admin.orders
            ), owned_payments AS (
                SELECT order_id, id AS payment, market, version, method, held_at::timestamptz(3),
                    captured_at::timestamptz(3), released_at::timestamptz(3)
                FROM wallet.payments WHERE method IS NOT NULL
            ), known_payments AS (
                SELECT order_id, payment, market, version, method, held_at::timestamptz(3),
                    captured_at::timestamptz(3), released_at::timestamptz(3)
                FROM admin.payments
            ), owned_ratings AS (
                SELECT order_id, given_by, stars::int, comment FROM dispatch.ratings
            ), known_ratings AS (
                SELECT order_id, actor, stars, comment FROM admin.ratings
            ), owned_people AS (
                SELECT id, version, name, language FROM identity.accounts WHERE confirmed_at IS NOT NULL
            ), known_people AS (
                SELECT account, version, name, language FROM admin.people WHERE name <> '—'
            ), kept_people AS (
                SELECT account, version, name, language FROM dispatch.people WHERE name <> '—'
            ), languages AS (
                SELECT account, version, language FROM notifications.people WHERE language <> ''
            ), owned_roles AS (
                SELECT account, market, role FROM identity.roles
            ), known_roles AS (
                SELECT account, market, unnest(names) FROM admin.people_of_markets
            ), owned_providers AS (
                SELECT account, market, title, vehicle, state = 'verified' FROM identity.roles WHERE role = 'provider'
            ), kept_providers AS (
                SELECT account, market, title, vehicle, verified FROM dispatch.provider_roles WHERE lost_at IS NULL
            ), owned_customers AS (
                SELECT account, market FROM identity.roles WHERE role = 'customer'
            ), kept_customers AS (
                SELECT account, market FROM dispatch.customer_roles
            ), told_customers AS (
                SELECT account, market FROM notifications.market_people WHERE is_customer
            ), told_providers AS (
                SELECT account, market, title FROM notifications.market_people WHERE is_provider
            ), owned_cards AS (
                SELECT account, has_method, version FROM wallet.account_methods
            ), kept_cards AS (
                SELECT account, has_method, version FROM dispatch.payment_methods
            ), owned_blocks AS (
                SELECT account, market, is_blocked, version FROM wallet.blocks
            ), kept_blocks AS (
                SELECT account, market, is_blocked, version FROM dispatch.blocks
            ), owned_settings AS (
                SELECT market, key, value, version FROM admin.settings
            )
            SELECT * FROM (VALUES
                ('orders', (SELECT count(*) FROM (TABLE owned_orders EXCEPT TABLE known_orders) AS d)),
                ('orders of nobody', (SELECT count(*) FROM (TABLE known_orders EXCEPT TABLE owned_orders) AS d)),
                ('snapshots', (SELECT count(*) FROM admin.orders WHERE snapshot ->> 'state' IS DISTINCT FROM state)),
                ('payments', (SELECT count(*) FROM (TABLE owned_payments EXCEPT TABLE known_payments) AS d)),
                ('payments of nobody', (SELECT count(*) FROM (TABLE known_payments EXCEPT TABLE owned_payments) AS d)),
                ('ratings', (SELECT count(*) FROM (TABLE owned_ratings EXCEPT TABLE known_ratings) AS d)),
                ('ratings of nobody', (SELECT count(*) FROM (TABLE known_ratings EXCEPT TABLE owned_ratings) AS d)),
                ('people', (SELECT count(*) FROM (TABLE owned_people EXCEPT TABLE known_people) AS d)),
                ('people of nobody', (SELECT count(*) FROM (TABLE known_people EXCEPT TABLE owned_people) AS d)),
                ('roles', (SELECT count(*) FROM (TABLE owned_roles EXCEPT TABLE known_roles) AS d)),
                ('roles of nobody', (SELECT count(*) FROM (TABLE known_roles EXCEPT TABLE owned_roles) AS d)),
                ('people of dispatch', (SELECT count(*) FROM (TABLE owned_people EXCEPT TABLE kept_people) AS d)),
                ('strangers of dispatch', (SELECT count(*) FROM (TABLE kept_people EXCEPT TABLE owned_people) AS d)),
                ('providers', (SELECT count(*) FROM (TABLE owned_providers EXCEPT TABLE kept_providers) AS d)),
                ('customers', (SELECT count(*) FROM (TABLE owned_customers EXCEPT TABLE kept_customers) AS d)),
                ('customers of nobody', (SELECT count(*) FROM (TABLE kept_customers EXCEPT TABLE owned_customers) AS d)),
                ('audience of customers', (SELECT count(*) FROM (
                    TABLE owned_customers EXCEPT TABLE told_customers) AS d)),
                ('audience of providers', (SELECT count(*) FROM (
                    SELECT account, market, title FROM owned_providers EXCEPT TABLE told_providers) AS d)),
                ('cards', (SELECT count(*) FROM (TABLE owned_cards EXCEPT TABLE kept_cards) AS d)),
                ('cards of nobody', (SELECT count(*) FROM (TABLE kept_cards EXCEPT TABLE owned_cards) AS d)),
                ('blocks', (SELECT count(*) FROM (TABLE owned_blocks EXCEPT TABLE kept_blocks) AS d)),
                ('blocks of nobody', (SELECT count(*) FROM (TABLE kept_blocks EXCEPT TABLE owned_blocks) AS d)),
                ('languages', (SELECT count(*) FROM (
                    SELECT id, version, language FROM owned_people EXCEPT TABLE languages) AS d)),
                ('settings of identity', (SELECT count(*) FROM (
                    TABLE owned_settings EXCEPT TABLE identity.market_settings) AS d)),
                ('settings of dispatch', (SELECT count(*) FROM (
                    TABLE owned_settings EXCEPT TABLE dispatch.market_settings) AS d)),
                ('settings of wallet', (SELECT count(*) FROM (
                    TABLE owned_settings EXCEPT TABLE wallet.market_settings) AS d)),
                ('settings of notifications', (SELECT count(*) FROM (
                    TABLE owned_settings EXCEPT TABLE notifications.market_settings) AS d))
            ) AS found (name, count)
            """
        static func decode(_ row: inout RowReader) throws(PostgresError) -> (name: String, count: Int) {
            (try row.next(), try row.next())
        }
    }

    /// Empties, spoils, and makes up what is kept of others.
    static func damage(_ database: TestDatabase) async throws {
        try await database.withPool { pool in
            try await pool.execute(LosePeople())
            try await pool.execute(LoseOrders())
            try await pool.execute(SpoilPayments())
            try await pool.execute(LoseCopiesOfDispatch())
            try await pool.execute(SpoilSettings())
        }
    }

    private struct LosePeople: Statement {
        static let sql: SQL = """
            WITH roles AS (DELETE FROM admin.people_of_markets), languages AS (DELETE FROM notifications.people),
                audiences AS (DELETE FROM notifications.market_people)
            DELETE FROM admin.people
            """
    }
    private struct LoseOrders: Statement {
        static let sql: SQL = """
            WITH rated AS (DELETE FROM admin.ratings)
            DELETE FROM admin.orders WHERE market = 'btnc' OR state <> 'completed'
            """
    }
    private struct SpoilPayments: Statement {
        static let sql: SQL = """
            WITH spoilt AS (UPDATE admin.orders SET state = 'expired', provider = NULL, snapshot = '{}')
            UPDATE admin.payments SET captured_at = NULL, method = 'cash', provider_share = 1
            """
    }
    private struct LoseCopiesOfDispatch: Statement {
        static let sql: SQL = """
            WITH customers AS (DELETE FROM dispatch.customer_roles), cards AS (DELETE FROM dispatch.payment_methods),
                cars AS (UPDATE dispatch.provider_roles SET vehicle = 'nothing'),
                strangers AS (
                    INSERT INTO dispatch.blocks (account, market, is_blocked, version, heard_at)
                    VALUES (gen_random_uuid(), 'assef', true, 9, '2026-01-01'))
            UPDATE dispatch.people SET name = 'nobody'
            """
    }
    private struct SpoilSettings: Statement {
        static let sql: SQL = """
            WITH a AS (UPDATE identity.market_settings SET value = '1'), b AS (DELETE FROM dispatch.market_settings),
                c AS (UPDATE wallet.market_settings SET value = '7')
            DELETE FROM notifications.market_settings
            """
    }

    /// More orders that have ended, as if nobody had been told of them.
    static func addOrders(_ count: Int, _ database: TestDatabase) async throws {
        try await database.withPool { pool in try await pool.execute(AddOrders(count: count)) }
    }

    private struct AddOrders: Statement {
        static let sql: SQL = """
            INSERT INTO dispatch.orders (
                id, market, kind, version, state, customer, customer_name, provider, provider_name, services, total,
                currency, payment_method, payment_state, payment_version, confirmed_by, changed_by, is_near, latitude,
                longitude, requested_at, changed_at, arrived_at, ended_by, ended_at, accepted_at)
            SELECT gen_random_uuid(), market, kind, version, state, customer, customer_name, provider, provider_name,
                services, total, currency, payment_method, payment_state, payment_version, confirmed_by, changed_by,
                is_near, latitude, longitude, requested_at, changed_at, arrived_at, ended_by, ended_at, accepted_at
            FROM (SELECT * FROM dispatch.orders WHERE state = 'completed' AND market = 'assef' LIMIT 1) AS one,
                generate_series(1, $1)
            """
        let count: Int
        func bind(_ bindings: inout Bindings) { bindings.append(Int32(count)) }
    }

    /// How many orders dispatch has told again.
    static func toldOrders(_ database: TestDatabase) async throws -> Int {
        try await database.withPool { pool in
            try await pool.first(CountTold()) ?? 0
        }
    }

    private struct CountTold: Statement {
        static let sql: SQL = "SELECT told FROM dispatch.republications WHERE kind = 'orders'"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
    }

    /// What was told people and what happened to their money, all in all.
    static func effects(on accounts: [String], _ database: TestDatabase) async throws -> [Int] {
        try await database.withPool { pool in
            try await pool.query(CountEffects(accounts: accounts))
        }
    }

    private struct CountEffects: Statement {
        static let sql: SQL = """
            SELECT count(*) FROM notifications.inbox_items WHERE account = ANY ($1::text[]::uuid[])
            UNION ALL SELECT count(*) FROM notifications.stream_events WHERE account = ANY ($1::text[]::uuid[])
            UNION ALL SELECT coalesce(sum(balance), 0)::bigint FROM wallet.accounts WHERE owner = ANY ($1::text[]::uuid[])
            UNION ALL SELECT count(*) FROM dispatch.orders WHERE customer = ANY ($1::text[]::uuid[]) AND NOT is_final
            """
        let accounts: [String]
        func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
        static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
    }
}
