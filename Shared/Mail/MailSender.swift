internal import Synchronization

/// Hands mails to a server over a few connections. Nothing here blocks its caller's thread.
public final class MailSender: Sendable {
    /// How many mails may be under way at once.
    public static let connections = 4

    private let sessions: [MailSession]
    private let next = Atomic<Int>(0)

    public init(_ server: MailServer) {
        sessions = (0..<Self.connections).map { MailSession(server, name: "mail-\($0)") }
    }

    /// A cancelled task's mail is left, unless its body is on its way already: then it is sent, and the outcome is the true one.
    ///
    /// - Parameter deadline: of the whole try, waiting for a connection included.
    public func send(_ mail: Mail, until deadline: ContinuousClock.Instant) async -> MailOutcome {
        let turn = next.wrappingAdd(1, ordering: .relaxed).oldValue
        let stop = MailStop()
        return await withTaskCancellationHandler {
            await sessions[turn % sessions.count].send(mail, until: deadline, stop)
        } onCancel: {
            stop.ask()
        }
    }

    /// Ends the connections, after what is under way.
    public func close() async {
        for session in sessions {
            await session.close()
            session.stop()
        }
    }
}
