/// Why a connection could not be opened or has ended.
public struct AMQPError: Error, Equatable, CustomStringConvertible {
    public enum Code: Sendable {
        /// The host is unknown or accepts no connection.
        case unreachable
        /// The connection ended, or no heartbeat came.
        case connectionLost
        /// The broker did not answer a request in time.
        case timedOut
        /// Wrong user or password.
        case authenticationFailed
        /// The user may not do this (403), or may not use the virtual host (530).
        case accessRefused
        /// The exchange or queue does not exist (404).
        case notFound
        /// Exchanges of other services (`Exchange.isForeign`) do not exist yet, and this user may not declare them.
        case exchangeMissing
        /// It exists with other properties (406).
        case preconditionFailed
        /// An exclusive queue of another connection (405), often of our own previous one whose end the broker has not
        /// noticed.
        case resourceLocked
        /// The broker's certificate was refused, or the handshake failed.
        case tlsFailed
        /// The configuration cannot work: a missing certificate file, an unknown virtual host, a second `run()`.
        case misconfigured
        /// The broker cancelled the consumer, because its queue was deleted or lost its leader.
        case consumerCancelled
        /// The broker violated the protocol.
        case protocolError
        /// The broker closed the connection or channel for another reason; see `replyCode`.
        case closedByBroker
    }

    public let code: Code
    /// AMQP's reply code, if the broker sent one.
    public let replyCode: Int?
    /// A text for people, without credentials and bodies.
    public let message: String

    init(_ code: Code, _ message: String, replyCode: Int? = nil) {
        self.code = code
        self.message = message
        self.replyCode = replyCode
    }

    public var description: String {
        replyCode.map { "\(code) (\($0)): \(message)" } ?? "\(code): \(message)"
    }

    /// Whether trying again cannot help without a change by an operator. Used for the first connection only: later, the
    /// same error may be temporary, while an operator works.
    public var isFatalAtStart: Bool {
        switch code {
        case .authenticationFailed, .accessRefused, .preconditionFailed, .tlsFailed, .misconfigured: true
        case .unreachable, .connectionLost, .timedOut, .notFound, .exchangeMissing, .resourceLocked, .consumerCancelled,
            .protocolError, .closedByBroker:
            false
        }
    }

    /// The error of a `connection.close` or `channel.close`.
    /// Codes: AMQP 0-9-1 specification, section 1.2 "Reply codes".
    init(closedWith replyCode: Int, _ text: String) {
        let code: Code =
            switch replyCode {
            case 403, 530: .accessRefused
            case 404: .notFound
            case 405: .resourceLocked
            case 406: .preconditionFailed
            case 320: .connectionLost
            default: .closedByBroker
            }
        self.init(code, text, replyCode: replyCode)
    }
}
