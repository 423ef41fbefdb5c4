import Contracts
import Foundation
import Postgres

private let groupColumns: SQL = "id, title, leader, radius, version, last_number"

extension RowReader {
    fileprivate mutating func nextGroup() throws(PostgresError) -> FriendGroup {
        FriendGroup(
            id: try next(), title: try next(), leader: try next(), radius: try next(Int32?.self).map { Int($0) },
            version: try next(), lastNumber: Int(try next(Int32.self)))
    }
}

/// Locks a group's row until the commit, so that its versions have one order.
struct LockGroup: Statement {
    static let sql: SQL = "SELECT \(groupColumns) FROM friend_groups WHERE id = $1 FOR UPDATE"
    let group: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(group) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> FriendGroup { try row.nextGroup() }
}

/// Locks the groups that an account leads, or is in, or is asked to join, in one order.
struct LockGroupsOfAccount: Statement {
    static let sql: SQL = """
        SELECT \(groupColumns) FROM friend_groups
        WHERE id IN (SELECT group_id FROM friend_group_members WHERE account = $1) ORDER BY id FOR UPDATE
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> FriendGroup { try row.nextGroup() }
}

/// Locks the groups that one of two leads and the other is in, in one order.
struct LockGroupsOfPair: Statement {
    static let sql: SQL = """
        SELECT \(groupColumns) FROM friend_groups AS g
        WHERE g.leader IN ($1, $2)
            AND EXISTS (SELECT FROM friend_group_members WHERE group_id = g.id AND account = $1)
            AND EXISTS (SELECT FROM friend_group_members WHERE group_id = g.id AND account = $2)
        ORDER BY id FOR UPDATE
        """
    let one: UUID
    let other: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(one, other) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> FriendGroup { try row.nextGroup() }
}

struct InsertGroup: Statement {
    static let sql: SQL = """
        WITH made AS (
            INSERT INTO friend_groups (id, title, leader, radius, made_at) VALUES ($1, $2, $3, $4, $5) RETURNING id
        )
        INSERT INTO friend_group_members (group_id, account, asked_at, joined_at, number)
        SELECT id, $3, $5, $5, 0 FROM made
        """
    let group: FriendGroup
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(group.id, group.title, group.leader, group.radius, now)
    }
}

/// Makes the next version of a group.
struct ChangeGroup: Statement {
    static let sql: SQL = """
        UPDATE friend_groups SET title = $2, radius = $3, version = version + 1 WHERE id = $1 RETURNING \(groupColumns)
        """
    let group: UUID
    let title: String
    let radius: Int?
    func bind(_ bindings: inout Bindings) { bindings.append(group, title, radius) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> FriendGroup { try row.nextGroup() }
}

struct DeleteGroup: Statement {
    static let sql: SQL = "DELETE FROM friend_groups WHERE id = $1"
    let group: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(group) }
}

/// Counts the groups of an account, and those that it is asked to join.
struct CountGroups: Statement {
    static let sql: SQL = "SELECT count(*) FROM friend_group_members WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Counts the people of a group, with those who are asked.
struct CountGroupMembers: Statement {
    static let sql: SQL = "SELECT count(*) FROM friend_group_members WHERE group_id = $1"
    let group: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(group) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Asks somebody to join; no row for who is in the group or is asked.
struct InsertGroupMember: Statement {
    static let sql: SQL = """
        INSERT INTO friend_group_members (group_id, account, asked_at) VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING RETURNING account
        """
    let group: UUID
    let account: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(group, account, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Takes somebody who was asked into a group that the transaction has locked, with the next number; no row for who is
/// not asked.
struct JoinGroup: Statement {
    static let sql: SQL = """
        WITH joined AS (
            UPDATE friend_group_members AS m SET joined_at = $3, number = g.last_number + 1
            FROM friend_groups AS g
            WHERE m.group_id = $1 AND m.account = $2 AND m.joined_at IS NULL AND g.id = m.group_id
            RETURNING m.account
        )
        UPDATE friend_groups SET last_number = last_number + 1 WHERE id = $1 AND EXISTS (SELECT FROM joined)
        RETURNING last_number
        """
    let group: UUID
    let account: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(group, account, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int32 { try row.next() }
}

/// Takes somebody out of a group, and says whether that one had joined; no row for who is not in it and not asked.
struct DeleteGroupMember: Statement {
    static let sql: SQL = """
        DELETE FROM friend_group_members WHERE group_id = $1 AND account = $2 RETURNING joined_at IS NOT NULL
        """
    let group: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(group, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Those who have joined a group, as other services are told.
struct ListGroupMembers: Statement {
    static let sql: SQL = """
        SELECT m.account, a.name, m.number FROM friend_group_members AS m JOIN accounts AS a ON a.id = m.account
        WHERE m.group_id = $1 AND m.joined_at IS NOT NULL ORDER BY m.number
        """
    let group: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(group) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> GroupChanged.Member {
        GroupChanged.Member(account: try row.next(), name: try row.next(), number: Int(try row.next(Int32.self)))
    }
}

struct FindNameOfAccount: Statement {
    static let sql: SQL = "SELECT name FROM accounts WHERE id = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// The groups of an account and those that it is asked to join, one row for each of their people.
struct ListGroups: Statement {
    static let sql: SQL = """
        SELECT g.id, g.title, g.leader, g.radius, m.account, a.name, m.joined_at IS NOT NULL, m.strayed_at
        FROM friend_group_members AS own JOIN friend_groups AS g ON g.id = own.group_id
        JOIN friend_group_members AS m ON m.group_id = g.id JOIN accounts AS a ON a.id = m.account
        WHERE own.account = $1 ORDER BY g.id, m.number NULLS LAST, m.account
        """
    struct Line: Sendable {
        let group: UUID
        let title: String
        let leader: UUID
        let radius: Int?
        let account: UUID
        let name: String
        let hasJoined: Bool
        let strayedAt: Date?
    }

    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Line {
        Line(
            group: try row.next(), title: try row.next(), leader: try row.next(),
            radius: try row.next(Int32?.self).map { Int($0) }, account: try row.next(), name: try row.next(),
            hasJoined: try row.next(), strayedAt: try row.next())
    }
}
