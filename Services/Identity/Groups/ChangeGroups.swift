import Contracts
import Foundation
import Messaging
import Postgres

/// Changes of groups of friends (H5). Other services are told each version of a group.
///
/// Lock order: the account, then the link, then the groups by their ids.
struct ChangeGroups: Sendable {
    /// - Throws: ``FriendGroup/Refusal/tooMany``, ``IdentityError/noSuchAccount``.
    func make(
        _ title: String, radius: Int?, by leader: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> FriendGroup {
        _ = try await Accounts.lock(leader, in: transaction)
        let count = try await transaction.first(CountGroups(account: leader)) ?? 0
        guard count < FriendGroup.maximumGroups else { throw FriendGroup.Refusal.tooMany }
        let group = FriendGroup(
            id: .timeOrdered(), title: title, leader: leader, radius: radius, version: 1, lastNumber: 0)
        transaction.send(InsertGroup(group: group, now: now))
        try await Self.tell(group, .made, at: now, in: transaction)
        return group
    }

    /// - Throws: ``LinkError/notFound`` for anybody but the leader.
    func change(
        _ id: UUID, _ title: String, radius: Int?, by leader: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let group = try await lock(id, ledBy: leader, in: transaction)
        if radius == nil { transaction.send(ForgetStraysOfGroup(group: id)) }
        try await Self.tell(group, .changed, title: title, radius: .some(radius), at: now, in: transaction)
    }

    /// - Throws: ``LinkError/notFound`` for anybody but the leader.
    func end(_ id: UUID, by leader: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        let group = try await lock(id, ledBy: leader, in: transaction)
        transaction.send(NoteRefusalsOfGroup(group: id, now: now))
        try await Self.end(group, at: now, in: transaction)
    }

    /// Asks one of the leader's friends to join. Nothing happens where that one is in the group, or is asked.
    ///
    /// - Parameter link: the friendship, which is locked, so that it does not end meanwhile.
    /// - Throws: ``LinkError/notFound`` for anybody but the leader, and without a friendship that holds;
    ///   ``FriendGroup/Refusal``.
    func invite(
        _ link: UUID, to id: UUID, by leader: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard case let found?? = try await transaction.first(FindLink(link: link)), found.isOf(leader) else {
            throw LinkError.notFound
        }
        let friend = found.other(than: leader)
        // As in a deletion: the account before the link.
        _ = try await Accounts.lock(friend, in: transaction)
        guard case let held?? = try await transaction.first(LockLink(link: link)), held.kind == .friend,
            held.state == .confirmed
        else { throw LinkError.notFound }
        let group = try await lock(id, ledBy: leader, in: transaction)
        let (people, groups) = try await transaction.queryAll(
            CountGroupMembers(group: id), CountGroups(account: friend))
        let insert = InsertGroupMember(group: id, account: friend, now: now)
        guard try await transaction.first(insert) != nil else { return }
        guard people.allSatisfy({ $0 < FriendGroup.maximumMembers }) else { throw FriendGroup.Refusal.full }
        guard groups.allSatisfy({ $0 < FriendGroup.maximumGroups }) else { throw FriendGroup.Refusal.tooMany }
        if let refused = try await transaction.first(FindGroupRefusals(leader: leader, account: friend)),
            !AskingRule.mayAsk(refused: refused.times, last: refused.last, at: now)
        {
            throw FriendGroup.Refusal.askedBefore
        }
        try await Self.tell(group, .invited, about: friend, at: now, in: transaction)
    }

    /// - Throws: ``LinkError/notFound`` for whom nobody has asked.
    func agree(_ id: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let group = try await transaction.first(LockGroup(group: id)) else { throw LinkError.notFound }
        let join = JoinGroup(group: id, account: account, now: now)
        guard try await transaction.first(join) != nil else { throw LinkError.notFound }
        transaction.send(ForgetGroupRefusals(leader: group.leader, account: account))
        try await Self.tell(group, .joined, about: account, at: now, in: transaction)
    }

    /// Takes somebody out, who leaves or does not want to come, or whom the leader removes.
    ///
    /// - Throws: ``LinkError/notFound`` for strangers, and for the leader, without whom the group ends.
    func takeOut(
        _ member: UUID, of id: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard let group = try await transaction.first(LockGroup(group: id)), group.leader != member,
            account == member || account == group.leader
        else { throw LinkError.notFound }
        let delete = DeleteGroupMember(group: id, account: member)
        guard let hadJoined = try await transaction.first(delete) else { throw LinkError.notFound }
        // A member who had joined and leaves has refused nothing, and may be asked again at once.
        if !hadJoined || account != member {
            transaction.send(NoteGroupRefusal(leader: group.leader, account: member, now: now))
        }
        try await Self.tell(
            group, account == member ? .left : .removed, about: member, at: now, in: transaction)
    }

    /// Takes two who are no friends any more out of each other's groups.
    static func part(_ link: Link, at now: Date, in transaction: PostgresTransaction) async throws {
        guard link.kind == .friend else { return }
        for group in try await transaction.query(LockGroupsOfPair(one: link.from, other: link.to)) {
            let member = link.other(than: group.leader)
            transaction.send(DeleteGroupMember(group: group.id, account: member))
            try await tell(group, .parted, about: member, at: now, in: transaction)
        }
    }

    /// Ends the groups that a deleted account leads, and takes it out of the others. The caller has locked its row.
    static func leaveAll(_ account: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        for group in try await transaction.query(LockGroupsOfAccount(account: account)) {
            guard group.leader != account else {
                try await end(group, at: now, in: transaction)
                continue
            }
            transaction.send(DeleteGroupMember(group: group.id, account: account))
            try await tell(group, .parted, at: now, in: transaction)
        }
    }

    // MARK: Parts

    private func lock(
        _ id: UUID, ledBy leader: UUID, in transaction: PostgresTransaction
    ) async throws -> FriendGroup {
        guard let group = try await transaction.first(LockGroup(group: id)), group.leader == leader else {
            throw LinkError.notFound
        }
        return group
    }

    private static func end(
        _ group: FriendGroup, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        try await tell(group, .ended, at: now, in: transaction)
        transaction.send(DeleteGroup(group: group.id))
    }

    /// Makes the next version of a locked group, and has other services told.
    private static func tell(
        _ group: FriendGroup, _ step: GroupChanged.Step, about person: UUID? = nil, title: String? = nil,
        radius: Int?? = nil, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let change = ChangeGroup(group: group.id, title: title ?? group.title, radius: radius ?? group.radius)
        guard let changed = try await transaction.first(change) else { throw LinkError.notFound }
        let members = try await transaction.query(ListGroupMembers(group: group.id))
        var about: LinkMoved.Person?
        if let person, let name = try await transaction.first(FindNameOfAccount(account: person)) {
            about = LinkMoved.Person(account: person, name: name)
        }
        try transaction.publish(
            GroupChanged(
                group: group.id, version: changed.version, title: changed.title, leader: group.leader,
                members: members, step: step, person: about, at: now))
    }
}
