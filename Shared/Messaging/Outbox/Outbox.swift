public import Foundation
public import Postgres
import SeraiJSON

extension PostgresTransaction {
    /// Publishes a message if, and only if, this transaction commits. This is the only way to publish.
    ///
    /// The message is written to the outbox right before the commit, after every other statement, and the relay sends
    /// it after the commit: at least once on the wire, with an id that lets readers act on it once.
    ///
    /// Order: transactions that lock the aggregate's row publish in the order in which they commit.
    /// - Returns: the message's id.
    /// - Throws: errors of encoding the payload.
    @discardableResult
    public func publish<M: Message>(_ message: M) throws -> UUID {
        try publish(message, causedBy: outbox.cause)
    }

    /// As ``publish(_:)``, for operations on many messages at once, where the transaction cannot know the cause.
    /// - Parameter cause: the message that caused this one; nil for none.
    @discardableResult
    public func publish<M: Message>(_ message: M, causedBy cause: Envelope?) throws -> UUID {
        let buffer = outbox
        let record = OutboxRecord(
            id: .timeOrdered(), exchange: M.exchange, name: M.name.text, aggregate: message.aggregate,
            causation: cause?.id, traceparent: TraceContext.current?.traceparent ?? cause?.traceparent,
            requestID: TraceContext.currentRequestID ?? cause?.requestID, isMandatory: M.needsReader,
            payload: try JSON.wire.text(message), occurredAt: Date())
        buffer.records.append(record)
        return record.id
    }

    /// Sets the message that this transaction handles: it is the cause of what is published, which continues its trace.
    func act(on cause: Envelope?) { outbox.cause = cause }

    private var outbox: OutboxBuffer { participant(OutboxBuffer.self) { OutboxBuffer() } }
}

/// Names of in-process signals.
enum SignalName {
    static let outbox = "messaging.outbox"
    static let deadlines = "messaging.deadlines"
    static let deadMessages = "messaging.dead-messages"
}

/// A row of the outbox before it has a number.
struct OutboxRecord: Sendable, Equatable {
    let id: UUID
    let exchange: String
    let name: String
    let aggregate: String
    let causation: UUID?
    let traceparent: String?
    let requestID: String?
    let isMandatory: Bool
    let payload: String
    let occurredAt: Date

    /// Whether it is a command, which its receiver must not miss. All others are events.
    var isCommand: Bool { exchange.hasSuffix(".commands") }
}

/// Collects a transaction's messages and writes them with one statement at its end.
///
/// They are written at the end because the row's number must be drawn while the aggregate's row is locked: then the
/// numbers of one aggregate ascend in the order of the commits.
final class OutboxBuffer: CommitParticipant {
    var records: [OutboxRecord] = []
    var cause: Envelope?

    /// Last, because other participants may publish at the end of the transaction.
    var goesLast: Bool { true }

    func willCommit(_ transaction: PostgresTransaction) {
        guard let first = records.first else { return }
        if records.count == 1 {
            transaction.send(InsertOutboxRecord(record: first))
        } else {
            transaction.send(InsertOutbox(records: records))
        }
        transaction.raiseAfterCommit(SignalName.outbox)
    }
}
