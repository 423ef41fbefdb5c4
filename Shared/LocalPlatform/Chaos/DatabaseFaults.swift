import Glibc

/// Ends at once, as in a crash, and starts again: the log is replayed.
struct RestartDatabase: Fault {
    let ground: ChaosGround

    func begin() async throws { try await ground.postgres.kill() }
    func heal() async throws { try await ground.postgres.start() }
}

/// All sessions of a service are ended by the database's superuser.
struct CutDatabaseSessions: Fault {
    let ground: ChaosGround
    let service: String

    func begin() async throws {
        try await ground.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(service)'")
    }
}

/// A session of a service stands still: nothing is cut, and no answer comes.
struct StallDatabaseSessions: Fault {
    let ground: ChaosGround
    let service: String

    func begin() async throws {
        let sessions = try await ground.sql(
            "SELECT pid FROM pg_stat_activity WHERE usename = '\(service)' ORDER BY backend_start LIMIT 2")
        for session in sessions.split(separator: "\n").compactMap({ pid_t($0) }) {
            RunningProcess(session)?.send(SIGSTOP)
        }
    }

    /// Whichever stands still, whether it was this fault's or not.
    func heal() async throws {
        guard let server = ground.postgres.server else { return }
        for process in RunningProcess.all() where process.parent == server.id { process.send(SIGCONT) }
    }
}
