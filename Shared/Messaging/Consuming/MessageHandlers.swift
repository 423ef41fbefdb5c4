import Foundation
public import Postgres
import SeraiJSON

/// A message with its envelope.
public struct Received<M: Message>: Sendable {
    public let message: M
    public let envelope: Envelope
}

/// Thrown by a handler that can never succeed with this message: the message goes to the dead letters at once.
public struct PoisonMessage: Error, Sendable {
    public let reason: String
    public init(_ reason: String) { self.reason = reason }
}

/// The operations of a consumer by message.
///
/// An operation runs in the transaction that also marks the message as handled. It publishes and sets deadlines through
/// that transaction and must have no other effect; it runs again when the transaction is repeated.
public struct MessageHandlers: Sendable {
    /// Handles one message after the other.
    public typealias Operation<M: Message> = @Sendable (Received<M>, PostgresTransaction) async throws -> Void
    /// Handles all messages of one name in a batch, in their order.
    public typealias BatchOperation<M: Message> = @Sendable ([Received<M>], PostgresTransaction) async throws -> Void

    struct Entry: Sendable {
        let decode: @Sendable ([UInt8], Envelope) throws -> any Sendable
        let run: @Sendable ([any Sendable], PostgresTransaction) async throws -> Void
        let sharesTransaction: Bool
    }

    private(set) var entries: [String: Entry] = [:]

    public init() {}

    /// Names with an operation, for bindings.
    public var names: [MessageName] { entries.keys.sorted().compactMap { MessageName(parsing: $0) } }

    /// Registers an operation for single messages of a type.
    /// - Parameter sharesTransaction: whether it may share a transaction with other messages of a batch. When one of
    ///   them fails, each is handled in a transaction of its own.
    public mutating func on<M: Message>(
        _ type: M.Type, sharesTransaction: Bool = true, _ operation: @escaping Operation<M>
    ) {
        add(type, sharesTransaction: sharesTransaction) { messages, transaction in
            for message in messages {
                // Messages published here must carry this message's id as their cause, not a neighbour's.
                transaction.act(on: message.envelope)
                try await message.envelope.withTrace { try await operation(message, transaction) }
            }
            transaction.act(on: nil)
        }
    }

    /// Registers an operation for all messages of a type in a batch, for example with many-row statements.
    public mutating func onBatch<M: Message>(_ type: M.Type, _ operation: @escaping BatchOperation<M>) {
        add(type, sharesTransaction: true, operation)
    }

    private mutating func add<M: Message>(
        _: M.Type, sharesTransaction: Bool, _ operation: @escaping BatchOperation<M>
    ) {
        precondition(entries[M.name.text] == nil, "two operations for \(M.name)")
        entries[M.name.text] = Entry(
            decode: { body, envelope in Received(message: try JSON.wire.decode(M.self, body), envelope: envelope) },
            run: { messages, transaction in
                try await operation(messages.compactMap { $0 as? Received<M> }, transaction)
            },
            sharesTransaction: sharesTransaction)
    }
}
