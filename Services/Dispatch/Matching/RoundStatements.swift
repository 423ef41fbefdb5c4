import Foundation
import Matching
import Postgres

/// Leases a due area for some seconds. One round per area runs at a time: others find the area leased until the round
/// releases it or the lease ends.
struct ClaimArea: Statement {
    enum Row: Sendable {
        case claimed(RoundArea)
        /// Another worker claimed the same area a moment before; other areas may be due.
        case lost
    }

    /// The random choice makes concurrent workers mostly take different areas. A lease that is lost in a server crash
    /// does no harm, so the commit does not wait for the disk.
    static let sql: SQL = """
        WITH due AS (
            SELECT market, area FROM (
                SELECT DISTINCT market, area FROM (
                    SELECT market, area FROM searches
                    WHERE round_at <= clock_timestamp() AND NOT EXISTS (
                        SELECT FROM round_areas AS taken
                        WHERE taken.market = searches.market AND taken.area = searches.area
                            AND taken.leased_until > clock_timestamp())
                    ORDER BY round_at LIMIT 200
                ) AS first
            ) AS areas
            ORDER BY random() LIMIT 1
        ), claimed AS (
            INSERT INTO round_areas (market, area, worker, leased_until)
            SELECT market, area, $1, clock_timestamp() + make_interval(secs => $2) FROM due
            ON CONFLICT (market, area) DO UPDATE SET worker = excluded.worker, leased_until = excluded.leased_until
            WHERE round_areas.leased_until <= clock_timestamp()
            RETURNING market, area
        )
        SELECT due.market, due.area, EXISTS (SELECT FROM claimed), set_config('synchronous_commit', 'off', true)
        FROM due
        """
    let lease: UUID
    let seconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(lease, seconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        let area = RoundArea(market: try row.next(), cell: try row.next())
        return try row.next() ? .claimed(area) : .lost
    }
}

/// Releases an area, if this lease still has it.
struct ReleaseArea: Statement {
    static let sql: SQL = """
        UPDATE round_areas SET leased_until = clock_timestamp() WHERE market = $1 AND area = $2 AND worker = $3
        RETURNING set_config('synchronous_commit', 'off', true)
        """
    let area: RoundArea
    let lease: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(area.market, area.cell, lease) }
}

/// The orders of an area that are searched for and not offered to anybody. Due ones come first, the oldest of them
/// first, so that all get their turn if there are more than a round takes.
struct ListSearches: Statement {
    struct Row: Sendable {
        let order: UUID
        let customer: UUID
        let kind: String
        let place: GeoPoint
        let beganAt: Date
        let stage: Int
        let stageSince: Date
        let explained: Int?
        /// Providers who were asked before, or had the order; and the restaurant's owner, who does not carry its meals.
        let declined: [UUID]
        /// End of the search, fixed when it began; later changes of the settings do not count.
        let endsAt: Date?
    }

    /// Maximum number of orders per round.
    static let limit = 200
    static let sql: SQL = """
        SELECT order_id, customer, kind, latitude, longitude, began_at, stage::bigint, stage_since, explained,
            coalesce((SELECT array_agg(provider) FROM offers WHERE offers.order_id = searches.order_id), '{}')
                || ARRAY(SELECT merchant FROM orders WHERE orders.id = searches.order_id AND merchant IS NOT NULL),
            (SELECT deadline FROM orders WHERE orders.id = searches.order_id)
        FROM searches
        WHERE market = $1 AND area = $2 AND round_at IS NOT NULL
        ORDER BY round_at > clock_timestamp(), began_at LIMIT 200
        """
    let area: RoundArea
    func bind(_ bindings: inout Bindings) { bindings.append(area.market, area.cell) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            order: try row.next(), customer: try row.next(), kind: try row.next(),
            place: GeoPoint(latitude: try row.next(), longitude: try row.next()), beganAt: try row.next(),
            stage: try row.next(), stageSince: try row.next(), explained: try row.next(), declined: try row.next(),
            endsAt: try row.next())
    }
}

/// Reads the data that a round needs of providers. Accounts without a provider role in the market are left out.
struct ReadRoundProviders: Statement {
    struct Row: Sendable {
        let account: UUID
        let isVerified: Bool
        let isAvailable: Bool
        let isSubscribed: Bool
        let isLeaving: Bool
        let isBanned: Bool
        let isBusy: Bool
        /// Whether a busy provider only has an open offer.
        let isAsked: Bool
        let title: String?
        let vehicle: String?
        /// Start of the wait for work; nil if not available.
        let waitingSince: Date?
        let stars: Int
        let ratings: Int
        let last: Fix?
    }

    static let sql: SQL = """
        SELECT role.account, role.verified, role.available,
            NOT $3 OR EXISTS (
                SELECT FROM provider_subscriptions AS subscription
                WHERE subscription.market = $1 AND subscription.account = role.account
                    AND subscription.ends_at > now()),
            EXISTS (
                SELECT FROM leaving_accounts AS leaving
                WHERE leaving.account = role.account AND leaving.state <> 'stays'),
            is_banned(role.account, $1),
            provider.current_order IS NOT NULL, coalesce(running.state = 'offered', false), role.title, role.vehicle,
            greatest(role.available_at, provider.free_since), coalesce(rating.stars, 0), coalesce(rating.count, 0),
            last.latitude, last.longitude, last.at
        FROM unnest($2::uuid[]) AS asked (account)
        JOIN provider_roles AS role ON role.market = $1 AND role.account = asked.account AND NOT role.sells
        JOIN providers AS provider ON provider.account = role.account
        LEFT JOIN orders AS running ON running.id = provider.current_order
        LEFT JOIN rating_sums AS rating ON rating.market = $1 AND rating.account = role.account
            AND rating.role = 'provider'
        LEFT JOIN provider_positions AS last ON last.provider = role.account
        """
    let market: String
    let accounts: [UUID]
    let needsSubscription: Bool
    func bind(_ bindings: inout Bindings) { bindings.append(market, accounts, needsSubscription) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        let account: UUID = try row.next()
        let (isVerified, isAvailable, isSubscribed): (Bool, Bool, Bool) = (
            try row.next(), try row.next(), try row.next()
        )
        let (isLeaving, isBanned): (Bool, Bool) = (try row.next(), try row.next())
        let (isBusy, isAsked): (Bool, Bool) = (try row.next(), try row.next())
        let (title, vehicle): (String?, String?) = (try row.next(), try row.next())
        let (waitingSince, stars, ratings): (Date?, Int, Int) = (try row.next(), try row.next(), try row.next())
        let (latitude, longitude, at): (Double?, Double?, Date?) = (try row.next(), try row.next(), try row.next())
        var last: Fix?
        if let latitude, let longitude, let at {
            last = Fix(place: GeoPoint(latitude: latitude, longitude: longitude), at: at)
        }
        return Row(
            account: account, isVerified: isVerified, isAvailable: isAvailable, isSubscribed: isSubscribed,
            isLeaving: isLeaving, isBanned: isBanned, isBusy: isBusy, isAsked: isAsked, title: title, vehicle: vehicle,
            waitingSince: waitingSince, stars: stars, ratings: ratings, last: last)
    }
}

/// Sets when, and at which stage, rounds look at orders again. Skips searches that are on offer or over, and rows that
/// another transaction has locked: these are being offered or ended, or stay due. So it never waits.
struct ScheduleSearches: Statement {
    struct Next: Sendable {
        let order: UUID
        /// Nil keeps the stage.
        var stage: Int?
        /// Seconds from now.
        let seconds: Double
        var explained: Int?
    }

    static let sql: SQL = """
        UPDATE searches SET round_at = now() + make_interval(secs => next.seconds),
            stage = coalesce(next.stage, searches.stage),
            stage_since = CASE WHEN next.stage IS NULL THEN searches.stage_since ELSE now() END,
            explained = coalesce(next.explained, searches.explained)
        FROM unnest($1::uuid[], $2::bigint[], $3::float8[], $4::bigint[])
            AS next (order_id, stage, seconds, explained)
        WHERE searches.order_id = next.order_id AND searches.order_id = ANY (ARRAY(
            SELECT order_id FROM searches WHERE order_id = ANY ($1) AND round_at IS NOT NULL
            FOR NO KEY UPDATE SKIP LOCKED))
        """
    let orders: [Next]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: orders, \.order, \.stage, \.seconds, \.explained)
    }
}

/// Stores reasonings.
struct InsertExplanations: Statement {
    static let sql: SQL = """
        INSERT INTO round_explanations (order_id, at, reasoning)
        SELECT order_id, $2, reasoning::jsonb FROM unnest($1::uuid[], $3::text[]) AS given (order_id, reasoning)
        """
    let at: Date
    let explanations: [(order: UUID, reasoning: String)]
    func bind(_ bindings: inout Bindings) {
        bindings.append(explanations.map(\.order), at, explanations.map(\.reasoning))
    }
}

/// Deletes at most 1,000 reasonings that are older than their retention.
struct PurgeExplanations: Statement {
    static let sql: SQL = """
        DELETE FROM round_explanations USING (
            SELECT order_id, id FROM round_explanations WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED
        ) AS old
        WHERE round_explanations.order_id = old.order_id AND round_explanations.id = old.id
        """
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}

struct NotifyRounds: Statement {
    static let sql: SQL = "SELECT pg_notify('dispatch_rounds', '')::text"
}
