import Foundation
import Postgres

/// Queues a push message for each device of the accounts of new items, as these have chosen, and marks as read what is
/// to count as unread nowhere. In the transaction that writes the items, which has locked the accounts' streams: so the
/// messages of one account have their places in the order of its items. A repeated item queues nothing.
///
/// A device that is just being deleted is passed over instead of waited for.
struct QueuePushes: Statement {
    static let sql: SQL = """
        WITH given AS (
            SELECT item, kind, is_urgent, is_locked, by_push, expires_at, place FROM unnest(
                $1::uuid[], $2::text[], $3::bool[], $4::bool[], $5::bool[], $6::timestamptz[]
            ) WITH ORDINALITY AS n (item, kind, is_urgent, is_locked, by_push, expires_at, place)
        ), silent AS (
            UPDATE inbox_items AS item SET read_at = item.at
            FROM given JOIN notice_choices AS choice ON choice.kind = given.kind AND NOT choice.app
            WHERE item.id = given.item AND choice.account = item.account AND NOT given.is_locked
        )
        INSERT INTO deliveries
            (id, account, channel, text, language, requested_at, expires_at, device, item, kind, is_urgent)
        SELECT gen_random_uuid(), device.account, 'push', item.topic, coalesce(nullif(person.language, ''), 'en'),
            now(), given.expires_at, device.id, item.id, given.kind, given.is_urgent
        FROM given
        JOIN inbox_items AS item ON item.id = given.item
        JOIN devices AS device ON device.account = item.account
        LEFT JOIN people AS person ON person.account = item.account
        LEFT JOIN notice_choices AS choice ON choice.account = item.account AND choice.kind = given.kind
        WHERE given.expires_at > now() AND (given.is_locked
            OR coalesce(choice.push, given.by_push) AND NOT 'push' = ANY (coalesce(person.muted, '{}')))
        ORDER BY given.place FOR KEY SHARE OF device SKIP LOCKED
        ON CONFLICT (item, device) DO NOTHING
        """
    struct Item: Sendable {
        let id: UUID
        let terms: PushTerms
    }

    let items: [Item]

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            columnsOf: items, \.id, \.terms.kind.rawValue, \.terms.isUrgent, \.terms.kind.isLocked, { $0.byPush },
            \.terms.expiresAt)
    }
}

extension QueuePushes.Item {
    /// Without a choice of the account.
    var byPush: Bool { terms.kind.isOn(.push) }
}

/// A push message whose turn has come, with all that it is decided and made from.
struct WaitingPush: Sendable {
    let id: UUID
    let account: UUID
    let device: UUID
    /// Includes the current try.
    let tries: Int
    let kind: String
    let isUrgent: Bool
    let expiresAt: Date
    /// Of the device.
    let deviceKind: String
    let host: String
    let sealed: String
    let market: String
    /// Of the account; empty for one that is not known.
    let language: String
    let item: StoredItem
    let quiet: QuietHours?
    let waitingAlike: Int
    let sentAlike: Int
    let lastSentAlike: Date?

    var plan: PushPlan {
        PushPlan(
            isUrgent: isUrgent, isRead: item.isRead, expiresAt: expiresAt, waitingAlike: waitingAlike,
            sentAlike: sentAlike, lastSentAlike: lastSentAlike)
    }
}

/// Claims the next message of devices that have one; other processes skip them until the lease ends.
///
/// What is before a message is looked for by a query of its own, through an index: as a join it could read all that waits.
///
/// Of each device one message is under way at a time, the first: a later one waits for its end, so an account's
/// messages keep their order. Those that are held wait aside until their time. Those of general notices, which may be a
/// million, are taken after all others, and no other one waits for them.
struct ClaimPushes: Statement {
    static let sql: SQL = """
        WITH due AS (
            SELECT push.id, device.kind, device.host, device.sealed, device.market FROM deliveries AS push
            JOIN devices AS device ON device.account = push.account AND device.id = push.device
            WHERE push.channel = 'push' AND push.state = 'waiting' AND push.next_at <= now() AND device.kind = $3
                AND device.host <> ALL ($5::text[])
                AND NOT EXISTS (SELECT FROM paused_hosts AS p WHERE p.host = device.host AND p.until > now())
                AND (
                    SELECT before.id FROM deliveries AS before
                    WHERE before.account = push.account AND before.device = push.device AND before.state = 'waiting'
                        AND before.place < push.place AND (NOT before.is_held OR before.next_at <= now())
                        AND (before.kind <> 'general' OR push.kind = 'general')
                    ORDER BY before.place LIMIT 1) IS NULL
            ORDER BY (push.kind = 'general'), push.next_at, push.place LIMIT $1 FOR UPDATE OF push SKIP LOCKED
        ), claimed AS (
            UPDATE deliveries AS push
            SET tries = push.tries + 1, is_held = false, next_at = now() + make_interval(secs => $2)
            FROM due WHERE push.id = due.id
            RETURNING push.id, push.account, push.device, push.tries, push.kind, push.is_urgent, push.expires_at,
                push.item, push.place, due.kind AS device_kind, due.host, due.sealed, due.market
        )
        SELECT push.id, push.account, push.device, push.tries, push.kind, push.is_urgent, push.expires_at,
            push.device_kind, push.host, push.sealed, push.market, coalesce(person.language, ''),
            quiet.from_minute, quiet.to_minute, quiet.zone,
            (SELECT count(*) FROM deliveries AS alike
                WHERE alike.account = push.account AND alike.device = push.device AND alike.kind = push.kind
                    AND alike.state = 'waiting' AND NOT alike.is_urgent AND alike.place >= push.place
                    AND (NOT alike.is_held OR alike.next_at <= now())),
            sent.count, sent.last, i.id, i.topic, \(StoredItem.itsArguments), i.order_id, i.at,
            -- What counts as read from its beginning (QueuePushes) was read by nobody.
            coalesce(i.read_at > i.at, false)
        FROM claimed AS push
        JOIN inbox_items AS i ON i.id = push.item
        LEFT JOIN people AS person ON person.account = push.account
        LEFT JOIN quiet_hours AS quiet ON quiet.account = push.account
        CROSS JOIN LATERAL (
            SELECT count(*) AS count, max(alike.ended_at) AS last FROM deliveries AS alike
            WHERE alike.account = push.account AND alike.device = push.device AND alike.kind = push.kind
                AND alike.state = 'sent' AND NOT alike.is_urgent
                AND alike.ended_at > now() - make_interval(secs => $4)
        ) AS sent
        """
    let kind: DeviceAddress.Kind
    let limit: Int
    let leaseSeconds: Double
    /// Those that get no more for now.
    let fullHosts: [String]

    func bind(_ bindings: inout Bindings) {
        bindings.append(limit, leaseSeconds, kind.rawValue, PushPlan.stormSeconds, fullHosts)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> WaitingPush {
        let (id, account, device): (UUID, UUID, UUID) = (try row.next(), try row.next(), try row.next())
        let tries = Int(try row.next(Int32.self))
        let kind: String = try row.next()
        let isUrgent: Bool = try row.next()
        let expiresAt: Date = try row.next()
        let (deviceKind, host): (String, String) = (try row.next(), try row.next())
        let (sealed, market): (String, String) = (try row.next(), try row.next())
        let language: String = try row.next()
        let quiet = try QuietHours(&row)
        let waitingAlike: Int = try row.next()
        let sentAlike: Int = try row.next()
        let lastSentAlike: Date? = try row.next()
        let item: UUID = try row.next()
        return WaitingPush(
            id: id, account: account, device: device, tries: tries, kind: kind, isUrgent: isUrgent,
            expiresAt: expiresAt,
            deviceKind: deviceKind, host: host, sealed: sealed, market: market, language: language,
            item: try StoredItem(id: item, rest: &row),
            quiet: quiet, waitingAlike: waitingAlike, sentAlike: sentAlike, lastSentAlike: lastSentAlike)
    }
}

/// The messages that one digest stands for: those of its kind that wait for the device and may go now.
struct ListAlike: Statement {
    static let limit = 200
    static let sql: SQL = """
        SELECT id FROM deliveries
        WHERE account = $1 AND device = $2 AND kind = $3 AND state = 'waiting' AND NOT is_urgent
            AND (NOT is_held OR next_at <= now()) AND expires_at > now()
        ORDER BY place LIMIT $4
        """
    let push: WaitingPush
    func bind(_ bindings: inout Bindings) { bindings.append(push.account, push.device, push.kind, Self.limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Ends messages that were sent, that are not wanted any more, or that are given up.
struct EndPushes: Statement {
    static let sql: SQL = """
        UPDATE deliveries SET state = $2, ended_at = now() WHERE id = ANY ($1) AND state = 'waiting'
        """
    enum State: String, Sendable { case sent, failed, dropped }

    let ids: [UUID]
    let state: State
    func bind(_ bindings: inout Bindings) { bindings.append(ids, state.rawValue) }
}

/// Lays a message aside; the claim was no try.
struct HoldPush: Statement {
    static let sql: SQL = """
        UPDATE deliveries SET is_held = true, next_at = $2, tries = tries - 1 WHERE id = $1 AND state = 'waiting'
        """
    let id: UUID
    let until: Date
    func bind(_ bindings: inout Bindings) { bindings.append(id, until) }
}

/// Leaves a host alone for a time; a longer pause stays.
struct PauseHost: Statement {
    static let sql: SQL = """
        INSERT INTO paused_hosts AS p (host, until) VALUES ($1, now() + make_interval(secs => $2))
        ON CONFLICT (host) DO UPDATE SET until = greatest(p.until, EXCLUDED.until)
        """
    let host: String
    let seconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(host, seconds) }
}

struct PurgePausedHosts: Statement {
    static let sql: SQL = "DELETE FROM paused_hosts WHERE until < now() - interval '1 day'"
}

/// Deletes what waits for a kind of device that is not set up any more.
struct PurgeUnsentPushes: Statement {
    static let sql: SQL = """
        DELETE FROM deliveries WHERE id IN (
            SELECT id FROM deliveries
            WHERE channel = 'push' AND state = 'waiting' AND expires_at < now() - interval '1 day'
            LIMIT $1 FOR UPDATE SKIP LOCKED)
        """
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(limit) }
}
