import Contracts
import Foundation
import Logging
import Messaging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Tells leaders, and those who stray, when somebody of a group is too far away; once, until that one is back. Any
/// number of processes may run it. Only places that both show to their friends now are looked at.
struct GroupWatch: Service {
    static let interval: Duration = .seconds(10)
    static let batch = 1_000

    let pool: PostgresPool
    let cipher: PersonalDataCipher
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "groups not watched") {
            try await watch(at: clock())
        }
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

    private func look(at pair: ListWatchedMembers.Pair, _ now: Date) async throws {
        guard let leader = SharedPlace(try cipher.open(pair.leaderPlace, .sharedPlace, of: pair.leader)),
            let member = SharedPlace(try cipher.open(pair.place, .sharedPlace, of: pair.account))
        else { return }
        switch StrayRule(radius: pair.radius, hasStrayed: pair.hasStrayed).outcome(leader: leader, member: member) {
        case .unchanged: return
        case .returned:
            try await pool.execute(MarkReturned(group: pair.group, account: pair.account))
        case .strayed(let metres):
            try await pool.withTransaction { transaction in
                // Another process may have told it just now.
                let mark = MarkStrayed(group: pair.group, account: pair.account, now: now)
                guard let told = try await transaction.first(mark) else { return }
                try transaction.publish(
                    GroupStrayed(
                        group: pair.group, title: told.title,
                        leader: .init(account: pair.leader, name: told.leader),
                        member: .init(account: pair.account, name: told.member), metres: metres, at: now))
            }
        }
    }
}

/// Lists those who have joined a group whose leader wants to know who strays, with the places of both.
struct ListWatchedMembers: Statement {
    static let sql: SQL = """
        SELECT g.id, m.account, g.leader, g.radius, m.strayed_at IS NOT NULL, l.place, p.place
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
        let hasStrayed: Bool
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
            radius: Int(try row.next(Int32.self)), hasStrayed: try row.next(), leaderPlace: try row.next(),
            place: try row.next())
    }
}

/// Notes that somebody has strayed, and finds the names for what is told; no row where it is noted, or where that one
/// has left.
struct MarkStrayed: Statement {
    static let sql: SQL = """
        UPDATE friend_group_members AS m SET strayed_at = $3
        FROM friend_groups AS g JOIN accounts AS l ON l.id = g.leader, accounts AS a
        WHERE m.group_id = $1 AND m.account = $2 AND m.strayed_at IS NULL AND m.joined_at IS NOT NULL
            AND g.id = m.group_id AND a.id = m.account
        RETURNING g.title, l.name, a.name
        """
    let group: UUID
    let account: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(group, account, now) }
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
