import Foundation
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// Why nobody is called.
enum CallRefusal: Error, Equatable {
    /// The order's state allows no talk, or no longer.
    case closed
    /// The other one is in a call.
    case busy
    /// The caller is in a call.
    case inCall
    /// Another call has this id.
    case idTaken
    /// The other one did not answer several times in a row.
    case tooOften
}

/// Calls the other member of an order's conversation. Of two who call each other at once one rings, and the other one's
/// call answers it.
///
/// Lock order: the two accounts' locks for calls, their running calls, then as ``MoveCall``.
struct StartCall: Sendable {
    /// So many calls that were not taken, within so many seconds, and the caller has to wait: nobody is rung up again and
    /// again by one person.
    static let unansweredLimit = 5
    static let unansweredSeconds: Double = 600

    let move: MoveCall
    let ringSeconds: Double

    /// - Throws: ``CallRefusal``, ``CallState/Refusal``; a 404 ``Problem`` if the account is no member.
    func callAsFunction(
        as id: UUID, in conversation: UUID, by account: UUID, on device: UUID, at now: Date,
        _ transaction: PostgresTransaction
    ) async throws -> Call {
        let (talks, members) = try await transaction.queryAll(
            FindTalk(conversation: conversation, account: account), ListTalkMembers(conversations: [conversation]))
        guard let talk = talks.first, talk.order != nil, members.count == 2,
            let own = members.first(where: { $0.account == account }),
            let other = members.first(where: { $0.account != account })
        else { throw Problem.notFound }
        _ = try await transaction.query(LockCallers(accounts: [account, other.account]))
        if var known = try await transaction.first(LockCall(call: id, account: nil)) {
            guard known.caller == account, known.conversation == conversation else { throw CallRefusal.idTaken }
            try await move.settle(&known, at: now, transaction)
            return known
        }
        let door = talk.door(members, move.markets, at: now)
        guard door.isOpen else { throw CallRefusal.closed }
        if let joined = try await running(of: account, and: other.account, conversation, device, now, transaction) {
            return joined
        }
        let count = CountUnansweredCalls(
            called: other.account, caller: account, since: now.addingTimeInterval(-Self.unansweredSeconds))
        guard try await transaction.first(count) ?? 0 < Self.unansweredLimit else { throw CallRefusal.tooOften }
        let ringsUntil = now.addingTimeInterval(ringSeconds)
        let (item, until) = (UUID.timeOrdered(), min(ringsUntil, door.closesAt ?? ringsUntil))
        transaction.send(
            InsertCall(
                id: id, conversation: conversation, caller: account, called: other.account, device: device, now: now,
                until: until, item: item))
        guard let call = try await transaction.first(LockCall(call: id, account: account)) else {
            throw Problem.notFound
        }
        let writer = NoticeWriter.of(transaction, move.hub)
        writer.tell(try ToldCall(call).notices(to: [account, other.account], at: now))
        writer.tell([
            try .item(
                .callRinging,
                ["name": .person(name: own.name, account: account), "seconds": .number(Int(ringSeconds))],
                to: other.account, order: call.order, at: now, id: item)
        ])
        return call
    }

    /// The call that is joined instead of a new one, if there is one; ends what is over.
    private func running(
        of account: UUID, and other: UUID, _ conversation: UUID, _ device: UUID, _ now: Date,
        _ transaction: PostgresTransaction
    ) async throws -> Call? {
        var isBusy = false
        for var call in try await transaction.query(LockRunningCalls(accounts: [account, other])) {
            try await move.settle(&call, at: now, transaction)
            guard call.state.isRunning else { continue }
            if call.called == account, call.conversation == conversation {
                try move(&call, on: .answered, by: device, at: now, transaction)
                return call
            }
            guard call.caller != account, call.called != account else { throw CallRefusal.inCall }
            isBusy = true
        }
        if isBusy { throw CallRefusal.busy }
        return nil
    }
}
