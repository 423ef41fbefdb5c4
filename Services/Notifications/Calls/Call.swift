import Foundation
import Postgres

/// A call as stored in its row, with the names that its conversation has for the two.
struct Call: Sendable {
    /// After it the silence of a device of a taken call ends the call.
    static let silenceSeconds: Double = 60

    let id: UUID
    let conversation: UUID
    let market: String
    let order: UUID?
    let caller: UUID
    let called: UUID
    let callerRole: String
    let calledRole: String
    let callerName: String
    let calledName: String
    var state: CallState
    let callerDevice: UUID
    var calledDevice: UUID?
    var offer: String?
    var answer: String?
    let madeAt: Date
    var takenAt: Date?
    var endedAt: Date?
    var callerUntil: Date
    var calledUntil: Date
    /// Of the order, as dispatch has told it by now.
    let orderVersion: Int?
    let isBarred: Bool
    var ringingItem: UUID?

    /// Over then, unless something is heard of both before.
    var until: Date { min(callerUntil, calledUntil) }

    func isCaller(_ account: UUID) -> Bool { account == caller }

    func role(of account: UUID) -> String { isCaller(account) ? callerRole : calledRole }

    func other(than account: UUID) -> (account: UUID, role: String, name: String) {
        isCaller(account) ? (called, calledRole, calledName) : (caller, callerRole, callerName)
    }

    /// Whether the account talks, or will talk, by this device.
    func isBy(_ device: UUID?, of account: UUID) -> Bool {
        guard let device, state.isRunning else { return false }
        return isCaller(account) ? device == callerDevice : state == .taken && device == calledDevice
    }

    static let columns: SQL = """
        c.id, c.conversation, t.market, t.order_id, c.caller, c.called, a.role, b.role, a.name, b.name, c.state,
        c.caller_device, c.called_device, c.offer, c.answer, c.made_at, c.taken_at, c.ended_at, c.caller_until,
        c.called_until, o.version, c.is_barred, c.ringing_item
        """

    static let source: SQL = """
        calls AS c JOIN conversations AS t ON t.id = c.conversation
        JOIN conversation_members AS a ON a.conversation = c.conversation AND a.account = c.caller
        JOIN conversation_members AS b ON b.conversation = c.conversation AND b.account = c.called
        LEFT JOIN talk_orders AS o ON o.order_id = t.order_id
        """

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        conversation = try row.next()
        market = try row.next()
        order = try row.next()
        caller = try row.next()
        called = try row.next()
        callerRole = try row.next()
        calledRole = try row.next()
        callerName = try row.next()
        calledName = try row.next()
        // The table allows no other.
        state = CallState(rawValue: try row.next(String.self)) ?? .ended
        callerDevice = try row.next()
        calledDevice = try row.next()
        offer = try row.next()
        answer = try row.next()
        madeAt = try row.next()
        takenAt = try row.next()
        endedAt = try row.next()
        callerUntil = try row.next()
        calledUntil = try row.next()
        orderVersion = try row.next()
        isBarred = try row.next()
        ringingItem = try row.next()
    }
}
