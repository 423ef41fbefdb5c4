import CLibPQ
public import Logging
public import PollThread

/// Receives `NOTIFY` on one channel, on a connection of its own, while it is iterated.
///
/// After a lost connection it connects and listens again, and reports ``Event/listening``: notifications in between are
/// lost, so read the tables then. Events of one burst may be delivered one by one.
public struct PostgresListener: AsyncSequence, Sendable {
    public enum Event: Sendable, Equatable {
        /// `LISTEN` is in effect from here on.
        case listening
        case notification(payload: String)
    }

    private let configuration: PostgresConfiguration
    private let channel: String
    private let thread: PollThread
    private let logger: Logger

    public init(_ configuration: PostgresConfiguration, channel: String, thread: PollThread, logger: Logger) {
        self.configuration = configuration
        self.channel = channel
        self.thread = thread
        self.logger = logger
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(configuration: configuration, channel: channel, thread: thread, logger: logger)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        let configuration: PostgresConfiguration
        let channel: String
        let thread: PollThread
        let logger: Logger
        private var connection: PostgresConnection?
        private var failures = 0

        init(configuration: PostgresConfiguration, channel: String, thread: PollThread, logger: Logger) {
            self.configuration = configuration
            self.channel = channel
            self.thread = thread
            self.logger = logger
        }

        /// The next event. Returns nil only when the task is cancelled.
        public mutating func next() async -> Event? {
            while !Task.isCancelled {
                do throws(PostgresError) {
                    if let connection { return .notification(payload: try await connection.nextNotification()) }
                    let fresh = try await PostgresConnection.connect(configuration, on: thread)
                    try await fresh.listen(channel)
                    connection = fresh
                    failures = 0
                    return .listening
                } catch {
                    await connection?.close()
                    connection = nil
                    guard error.code != .cancelled else { break }
                    failures += 1
                    logger.warning("listening for notifications failed", metadata: ["error": "\(error)"])
                    let pause = Duration.milliseconds(Int.random(in: 50...(100 << Swift.min(failures, 6))))
                    do { try await thread.sleep(until: .now + pause) } catch { break }
                }
            }
            await connection?.close()
            return nil
        }
    }
}

extension PostgresConnection {
    fileprivate func listen(_ channel: String) async throws(PostgresError) {
        try await runScript(
            "LISTEN \(PostgresConfiguration.quoteIdentifier(channel))", timeout: configuration.answerTimeout)
    }

    /// The payload of the next notification; waits without limit, and relies on TCP keepalive to notice a dead peer.
    fileprivate func nextNotification() async throws(PostgresError) -> String {
        while true {
            guard let handle else { throw PostgresError(.connectionLost, "the connection is closed") }
            if let notification = PQnotifies(handle) {
                defer { PQfreemem(notification) }
                return String(cString: notification.pointee.extra)
            }
            do {
                _ = try await thread.readiness(of: PQsocket(handle), for: .read)
            } catch {
                throw error == .cancelled
                    ? PostgresError(.cancelled, "cancelled while listening")
                    : PostgresError(.connectionLost, "the connection was closed")
            }
            guard self.handle != nil, PQconsumeInput(handle) == 1 else { throw lost(handle) }
        }
    }
}
