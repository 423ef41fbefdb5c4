import Contracts
import Foundation
import Logging
import Messaging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Tells leaders, and those who stray, when somebody of a group is too far away; once, until that one is back, and at
/// most once in ``StrayRule/pauseSeconds``. Any number of processes may run it: one of them takes each round. Only places
/// that both show to their friends now are looked at.
struct GroupWatch: Service {
    static let interval: Duration = .seconds(10)
    static let batch = 1_000

    let pool: PostgresPool
    let cipher: PersonalDataCipher
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "groups not watched") {
            let now = clock()
            guard try await takeRound(at: now) else { return }
            try await watch(at: now)
        }
    }

    /// Takes the next round for this process, where no other one has. The round is free a second early, so that a process
    /// that runs alone, and wakes by another clock, misses none.
    func takeRound(at now: Date) async throws -> Bool {
        let next = now.addingTimeInterval(Self.interval / .seconds(1) - 1)
        return try await pool.first(TakeGroupRound(now: now, next: next)) != nil
    }

    func watch(at now: Date) async throws {
        var after: (group: UUID, account: UUID)?
        repeat {
            let pairs = try await pool.query(
                ListWatchedMembers(
                    now: now, since: now.addingTimeInterval(-StrayRule.freshSeconds), after: after,
                    limit: Self.batch))
            for pair in pairs { try await look(at: pair, now) }
            after = pairs.count < Self.batch ? nil : pairs.last.map { ($0.group, $0.account) }
        } while after != nil
    }

    /// Nil for one that cannot be opened: the others are looked at all the same.
    private func place(_ sealed: [UInt8], of account: UUID) -> SharedPlace? {
        do {
            return SharedPlace(try cipher.open(sealed, .sharedPlace, of: account))
        } catch {
            logger.warning("a shared place cannot be opened", metadata: [LogKeys.error: "\(type(of: error))"])
            return nil
        }
    }

    private func look(at pair: ListWatchedMembers.Pair, _ now: Date) async throws {
        guard let leader = place(pair.leaderPlace, of: pair.leader),
            let member = place(pair.place, of: pair.account)
        else { return }
        let rule = StrayRule(radius: pair.radius, strayedAt: pair.strayedAt, toldAt: pair.toldAt)
        switch rule.outcome(leader: leader, member: member, at: now) {
        case .unchanged: return
        case .returned:
            try await pool.execute(MarkReturned(group: pair.group, account: pair.account))
        case .strayed(let metres, let tells):
            try await pool.withTransaction { transaction in
                // Another process may have told it just now.
                let mark = MarkStrayed(group: pair.group, account: pair.account, now: now, tells: tells)
                guard let told = try await transaction.first(mark), tells else { return }
                try transaction.publish(
                    GroupStrayed(
                        group: pair.group, title: told.title,
                        leader: .init(account: pair.leader, name: told.leader),
                        member: .init(account: pair.account, name: told.member), metres: metres, at: now))
            }
        }
    }
}

/// Takes the next round, if it is time; no row where another process has.
struct TakeGroupRound: Statement {
    static let sql: SQL = "UPDATE friend_group_rounds SET next_at = $2 WHERE next_at <= $1 RETURNING next_at"
    let now: Date
    let next: Date
    func bind(_ bindings: inout Bindings) { bindings.append(now, next) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Date { try row.next() }
}

/// Lists those who have joined a group whose leader wants to know who strays, with the places of both.
struct ListWatchedMembers: Statement {
    static let sql: SQL = """
        SELECT g.id, m.account, g.leader, g.radius, m.strayed_at, m.stray_told_at, l.place, p.place
        FROM friend_groups AS g
        JOIN shared_places AS l
            ON l.account = g.leader AND l.is_visible AND l.expires_at > $1 AND l.shared_at > $2
        JOIN friend_group_members AS m
            ON m.group_id = g.id AND m.joined_at IS NOT NULL AND m.account <> g.leader
        JOIN shared_places AS p
            ON p.account = m.account AND p.is_visible AND p.expires_at > $1 AND p.shared_at > $2
        WHERE g.radius IS NOT NULL AND ($3::uuid IS NULL OR (g.id, m.account) > ($3, $4::uuid))
        ORDER BY g.id, m.account LIMIT $5
        """
    struct Pair: Sendable {
        let group: UUID
        let account: UUID
        let leader: UUID
        let radius: Int
        let strayedAt: Date?
        let toldAt: Date?
        let leaderPlace: [UInt8]
        let place: [UInt8]
    }

    let now: Date
    let since: Date
    let after: (group: UUID, account: UUID)?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(now, since, after?.group, after?.account, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Pair {
        Pair(
            group: try row.next(), account: try row.next(), leader: try row.next(),
            radius: Int(try row.next(Int32.self)), strayedAt: try row.next(), toldAt: try row.next(),
            leaderPlace: try row.next(), place: try row.next())
    }
}

/// Notes that somebody has strayed, and that it is told, and finds the names for that; no row where it is noted, or where
/// that one has left or shows no place any more.
struct MarkStrayed: Statement {
    static let sql: SQL = """
        UPDATE friend_group_members AS m
        SET strayed_at = coalesce(m.strayed_at, $3), stray_told_at = CASE WHEN $4 THEN $3 ELSE m.stray_told_at END
        FROM friend_groups AS g JOIN accounts AS l ON l.id = g.leader, accounts AS a
        WHERE m.group_id = $1 AND m.account = $2 AND m.joined_at IS NOT NULL
            AND (m.strayed_at IS NULL OR ($4 AND (m.stray_told_at IS NULL OR m.stray_told_at < m.strayed_at)))
            AND g.id = m.group_id AND g.radius IS NOT NULL AND a.id = m.account
            AND EXISTS (SELECT FROM shared_places AS p WHERE p.account = m.account AND p.is_visible)
        RETURNING g.title, l.name, a.name
        """
    let group: UUID
    let account: UUID
    let now: Date
    let tells: Bool
    func bind(_ bindings: inout Bindings) { bindings.append(group, account, now, tells) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (title: String, leader: String, member: String)
    {
        (try row.next(), try row.next(), try row.next())
    }
}

struct MarkReturned: Statement {
    static let sql: SQL =
        "UPDATE friend_group_members SET strayed_at = NULL WHERE group_id = $1 AND account = $2"
    let group: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(group, account) }
}

/// Forgets, once somebody shows no place, that this one has strayed, and who has strayed from this one: nobody knows any
/// more. The rows are locked in one order, since two people may hide from each other.
struct ForgetStrays: Statement {
    static let sql: SQL = """
        WITH strayed AS (
            SELECT m.group_id, m.account FROM friend_group_members AS m JOIN friend_groups AS g ON g.id = m.group_id
            WHERE (m.account = $1 OR g.leader = $1) AND m.strayed_at IS NOT NULL
                AND NOT EXISTS (SELECT FROM shared_places AS p WHERE p.account = $1 AND p.is_visible)
            ORDER BY m.group_id, m.account FOR UPDATE OF m)
        UPDATE friend_group_members AS m SET strayed_at = NULL FROM strayed AS s
        WHERE m.group_id = s.group_id AND m.account = s.account
        """
    let of: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(of) }
}

/// Forgets who of a group has strayed, once its leader does not want to know.
struct ForgetStraysOfGroup: Statement {
    static let sql: SQL =
        "UPDATE friend_group_members SET strayed_at = NULL WHERE group_id = $1 AND strayed_at IS NOT NULL"
    let group: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(group) }
}
