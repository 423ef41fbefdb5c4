public import Foundation
public import Postgres

extension PostgresTransaction {
    /// Publishes a message if, and only if, this transaction commits. The only way to publish one.
    ///
    /// The message is written to the outbox right before the commit, after every other statement, and the relay sends
    /// it after the commit: at least once on the wire, with an id that lets readers act on it once.
    ///
    /// Order: transactions that lock the aggregate's row publish in the order in which they commit.
    /// - Returns: the message's id.
    /// - Throws: what encoding the payload throws.
    @discardableResult
    public func publish<M: Message>(_ message: M) throws -> UUID {
        try publish(message, causedBy: outbox.cause)
    }

    /// As ``publish(_:)``, for work on many messages at once, where the transaction cannot know which of them is the
    /// cause.
    /// - Parameter cause: the message that caused this one; nil is none.
    @discardableResult
    public func publish<M: Message>(_ message: M, causedBy cause: Envelope?) throws -> UUID {
        let buffer = outbox
        let record = OutboxRecord(
            id: .timeOrdered(), exchange: M.exchange, name: M.name.text, aggregate: message.aggregate,
            causation: cause?.id, traceparent: TraceContext.current?.traceparent ?? cause?.traceparent,
            requestID: TraceContext.currentRequestID ?? cause?.requestID, isMandatory: M.needsReader,
            payload: String(decoding: try MessageJSON.encode(message), as: UTF8.self), occurredAt: Date())
        buffer.records.append(record)
        return record.id
    }

    /// The message whose effect this transaction is: what it publishes is caused by it and continues its trace.
    func act(on cause: Envelope?) { outbox.cause = cause }

    private var outbox: OutboxBuffer { participant(OutboxBuffer.self) { OutboxBuffer() } }
}

/// The names of in-process signals.
enum SignalName {
    static let outbox = "messaging.outbox"
    static let deadlines = "messaging.deadlines"
}

/// One row of the outbox before it has a number.
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

    /// Asked of one service, which must not miss it. What is no command is an event.
    var isCommand: Bool { exchange.hasSuffix(".commands") }
}

/// Collects a transaction's messages and writes them with one statement at its end.
///
/// At the end, because the row's number must be drawn while the aggregate's row is locked: then numbers of one
/// aggregate ascend in the order of the commits.
final class OutboxBuffer: CommitParticipant {
    var records: [OutboxRecord] = []
    var cause: Envelope?

    /// What others do at the end of a transaction may cause messages.
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
