import Foundation
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// Moves calls from state to state, and tells both parties on all their devices.
///
/// Lock order: the call, then the parties' streams (``NoticeWriter``, at the commit), then items.
struct MoveCall: Sendable {
    let hub: StreamHub
    let markets: LiveMarkets

    /// Locks a call, and ends it if its time is over or the two may not talk any more.
    /// - Parameter account: one of its parties; nil for the sweep.
    /// - Throws: a 404 ``Problem`` for others.
    func locked(
        _ id: UUID, for account: UUID?, at now: Date, _ transaction: PostgresTransaction
    ) async throws -> Call {
        guard var call = try await transaction.first(LockCall(call: id, account: account)) else {
            throw Problem.notFound
        }
        try await settle(&call, at: now, transaction)
        return call
    }

    /// Ends a locked call if its time is over or the two may not talk any more.
    func settle(_ call: inout Call, at now: Date, _ transaction: PostgresTransaction) async throws {
        guard call.state.isRunning else { return }
        let (talks, members) = try await transaction.queryAll(
            FindTalk(conversation: call.conversation, account: call.caller),
            ListTalkMembers(conversations: [call.conversation]))
        let door = talks.first?.door(members, markets, at: now) ?? .closed
        guard !call.isBarred, door.isOpen else {
            return try self(&call, on: .doorClosed, at: now, transaction)
        }
        guard call.until > now else { return try self(&call, on: .ranOut, at: now, transaction) }
        if let closesAt = door.closesAt, closesAt < call.until {
            (call.callerUntil, call.calledUntil) = (closesAt, closesAt)
        }
        // Also notes the order's version.
        transaction.send(StoreCall(call: call))
    }

    /// - Parameter device: which answers.
    /// - Throws: ``CallState/Refusal``.
    func callAsFunction(
        _ call: inout Call, on event: CallState.Event, by device: UUID? = nil, at now: Date,
        _ transaction: PostgresTransaction
    ) throws {
        let isSame = device != nil && device == call.calledDevice
        switch call.state.step(on: event, isSameDevice: isSame) {
        case .same: break
        case .refused(let refusal): throw refusal
        case .to(let next): try move(&call, to: next, by: device, at: now, transaction)
        }
    }

    private func move(
        _ call: inout Call, to next: CallState, by device: UUID?, at now: Date, _ transaction: PostgresTransaction
    ) throws {
        call.state = next
        if next == .taken {
            (call.calledDevice, call.takenAt) = (device, now)
            call.heard(from: call.caller, at: now)
            call.heard(from: call.called, at: now)
        } else {
            call.endedAt = now
            (call.offer, call.answer) = (nil, nil)
            transaction.send(DeleteCandidates(call: call.id))
        }
        let writer = NoticeWriter.of(transaction, hub)
        writer.tell(try ToldCall(call).notices(to: [call.caller, call.called], at: now))
        if next == .missed { writer.tell([try Self.missed(call, at: now)]) }
        if let item = call.ringingItem {
            RingingItemRemover.of(transaction).remove(item)
            call.ringingItem = nil
        }
        transaction.send(StoreCall(call: call))
    }

    private static func missed(_ call: Call, at now: Date) throws -> Notice {
        try .item(
            .callMissed, ["name": .person(name: call.callerName, account: call.caller)], to: call.called,
            order: call.order, at: now, id: .timeOrdered())
    }
}

extension Call {
    /// Notes a sign of life.
    mutating func heard(from account: UUID, at now: Date) {
        let until = now.addingTimeInterval(Self.silenceSeconds)
        if isCaller(account) { callerUntil = until } else { calledUntil = until }
    }
}
