import Foundation
public import Postgres

/// A message and what is known of it.
public struct Received<M: Message>: Sendable {
    public let message: M
    public let envelope: Envelope
}

/// Thrown by a handler that can never succeed with this message: it goes to the dead letters at once.
public struct PoisonMessage: Error, Sendable {
    public let reason: String
    public init(_ reason: String) { self.reason = reason }
}

/// A consumer's table of contents: which message leads to which operation.
///
/// An operation runs in the transaction that also marks the message as handled. It publishes and sets deadlines
/// through that transaction and has no other effect; it runs again when the transaction is tried again.
public struct MessageHandlers: Sendable {
    /// One message after the other.
    public typealias Operation<M: Message> = @Sendable (Received<M>, PostgresTransaction) async throws -> Void
    /// All messages of a name in a batch, in their order.
    public typealias BatchOperation<M: Message> = @Sendable ([Received<M>], PostgresTransaction) async throws -> Void

    struct Entry: Sendable {
        let decode: @Sendable ([UInt8], Envelope) throws -> any Sendable
        let run: @Sendable ([any Sendable], PostgresTransaction) async throws -> Void
        let sharesTransaction: Bool
    }

    private(set) var entries: [String: Entry] = [:]

    public init() {}

    /// Names that have an operation, for bindings.
    public var names: [MessageName] { entries.keys.sorted().compactMap { MessageName(parsing: $0) } }

    /// Handles messages of a type one by one.
    /// - Parameter sharesTransaction: whether it may run in one transaction with other messages of a batch, so that
    ///   they are committed together. When one of them fails, each is tried in a transaction of its own.
    public mutating func on<M: Message>(
        _ type: M.Type, sharesTransaction: Bool = true, _ operation: @escaping Operation<M>
    ) {
        add(type, sharesTransaction: sharesTransaction) { messages, transaction in
            for message in messages {
                // What this message causes must carry its id, not its neighbour's.
                transaction.act(on: message.envelope)
                try await message.envelope.withTrace { try await operation(message, transaction) }
            }
            transaction.act(on: nil)
        }
    }

    /// Handles all messages of a type in a batch together, with many-row statements for example.
    public mutating func onBatch<M: Message>(_ type: M.Type, _ operation: @escaping BatchOperation<M>) {
        add(type, sharesTransaction: true, operation)
    }

    private mutating func add<M: Message>(
        _: M.Type, sharesTransaction: Bool, _ operation: @escaping BatchOperation<M>
    ) {
        precondition(entries[M.name.text] == nil, "two operations for \(M.name)")
        entries[M.name.text] = Entry(
            decode: { body, envelope in Received(message: try MessageJSON.decode(M.self, body), envelope: envelope) },
            run: { messages, transaction in
                try await operation(messages.compactMap { $0 as? Received<M> }, transaction)
            },
            sharesTransaction: sharesTransaction)
    }
}
