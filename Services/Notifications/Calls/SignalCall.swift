import Foundation
import Messaging
import Postgres
import ServiceKit

/// Passes on what the browsers of a call tell each other. A repeat changes nothing.
struct SignalCall: Sendable {
    let move: MoveCall

    /// The caller's offer, or the answer of the device that took the call. The first one counts.
    /// - Throws: ``CallState/Refusal``; a 404 ``Problem`` for others.
    func describe(
        _ id: UUID, _ text: String, by account: UUID, on device: UUID, at now: Date,
        _ transaction: PostgresTransaction
    ) async throws -> Call {
        var call = try await talking(id, account, device, now, transaction)
        let known = call.isCaller(account) ? call.offer : call.answer
        guard known == nil else { return call }
        if call.isCaller(account) { call.offer = text } else { call.answer = text }
        transaction.send(StoreCall(call: call))
        try tell(call, except: account, now, transaction)
        return call
    }

    /// - Throws: as ``describe(_:_:by:on:at:_:)``.
    func add(
        _ candidates: [CallCandidate], to id: UUID, by account: UUID, on device: UUID, at now: Date,
        _ transaction: PostgresTransaction
    ) async throws {
        let call = try await talking(id, account, device, now, transaction)
        transaction.send(InsertCandidates(call: id, byCaller: call.isCaller(account), candidates: candidates))
        try tell(call, except: account, now, transaction)
    }

    /// Says that the device is still there. A call that rings is over when its time is, whoever is there.
    func stay(
        _ id: UUID, by account: UUID, on device: UUID, at now: Date, _ transaction: PostgresTransaction
    ) async throws -> Call {
        var call = try await talking(id, account, device, now, transaction)
        if call.state == .taken {
            call.heard(from: account, at: now)
            transaction.send(StoreCall(call: call))
        }
        return call
    }

    private func talking(
        _ id: UUID, _ account: UUID, _ device: UUID, _ now: Date, _ transaction: PostgresTransaction
    ) async throws -> Call {
        let call = try await move.locked(id, for: account, at: now, transaction)
        guard call.state.isRunning else { throw CallState.Refusal.over }
        guard call.isBy(device, of: account) else { throw CallState.Refusal.alreadyTaken }
        return call
    }

    private func tell(
        _ call: Call, except account: UUID, _ now: Date, _ transaction: PostgresTransaction
    ) throws {
        let other = call.other(than: account).account
        NoticeWriter.of(transaction, move.hub).tell(try ToldCall(call).notices(to: [other], at: now))
    }
}
