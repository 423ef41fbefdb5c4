import Foundation
import Glibc

/// A private PostgreSQL cluster on a loopback port, in a folder that keeps its port, password, log, certificates and data.
///
/// PostgreSQL refuses to run as root: under root it runs as the user postgres, and if that user cannot reach the folder the
/// data lies under `/var/tmp`, at the path in the file `data-path`. Not for two callers at once.
public struct PostgresServer: LocalServer {
    private let state: StateFolder
    private let system: ServerSystem
    private let options: ServerOptions

    public init(folder: String, system: ServerSystem, options: ServerOptions = ServerOptions()) {
        state = StateFolder(folder)
        self.system = system
        self.options = options
    }

    /// `postgres://user:password@127.0.0.1:port/postgres` of the superuser; nil before the first start. Never log it.
    public var url: String? { state.text("url") }

    /// The folder of its Unix socket; nil where its path is too long or not plain.
    public var socket: String? { state.text("socket") }

    /// The path of the authority's certificate (PEM) that signed the server's, if started with TLS.
    public var authority: String { certificates.authority }

    private var certificates: Certificates { Certificates(folder: StateFolder(state.path("tls"))) }

    /// The data folder; nil before the first start.
    var dataFolder: String? { state.text("data-path") }

    /// Where a drill archives to. It goes when the server is removed.
    static func archive(beside data: String) -> String { "\(data)-archive" }

    // MARK: Which processes it has

    public var isRunning: Bool { server != nil }

    var server: RunningProcess? { Mark.first("postgres", in: state.path) ?? noted }

    /// The server by its number and start. In a container without CAP_SYS_PTRACE root cannot read the environment, and so the
    /// mark, of another user's process.
    private var noted: RunningProcess? { RunningProcess(noted: state.text("process") ?? "") }

    // MARK: Starting

    public func start() async throws {
        if isRunning { return }
        guard system.has("\(system.postgresPrograms)/postgres") else {
            throw PlatformError("PostgreSQL \(system.postgresVersion) is not installed; run scripts/install")
        }
        try state.create()
        let data = try await dataPath()
        try await create(data)
        removeLocks(data)
        if options.hasTLS { try await installCertificates(data) }
        let port = try port()
        let child = try ChildProcess(try command(data, port), output: .appended(to: state.path("log")))
        // The programs that lead to `postgres` keep its number and start.
        if let process = RunningProcess(child.id) { try state.write(process.note, to: "process") }
        let isReady = Command(
            system.inside + ["\(system.postgresPrograms)/pg_isready", "-q", "-h", "127.0.0.1", "-p", "\(port)"])
        let answers = try await waits(within: .seconds(180), poll: .milliseconds(30)) {
            guard child.isRunning else {
                throw PlatformError("PostgreSQL ended while starting: \(state.lastLines("log"))")
            }
            guard FreePorts.answers(port) else { return false }
            let asked = try ChildProcess(isReady.with(mark("tool")), output: .discarded)
            return try await asked.endedOrCancelled(within: .seconds(10)) == .exited(0)
        }
        guard answers else {
            throw PlatformError("PostgreSQL does not answer on port \(port): \(state.lastLines("log"))")
        }
        try state.write(
            "postgres://serai:\(password())@127.0.0.1:\(port)/postgres", to: "url", isPrivate: true)
    }

    private func password() throws -> String { try state.kept("password") { Secret.hexadecimal() } }

    private func port() throws -> Int {
        if let known = state.text("port").flatMap({ Int($0) }) { return known }
        let port = try FreePorts.take(in: system.project)
        try state.write("\(port)", to: "port")
        return port
    }

    private func command(_ data: String, _ port: Int) throws -> Command {
        var settings: [String] = []
        if system.has("/usr/lib/postgresql/\(system.postgresVersion)/lib/pg_stat_statements.so") {
            settings.append("shared_preload_libraries=pg_stat_statements")
        }
        // In the data folder, which nobody but the owner enters; by TCP alone where its path is not plain, or longer than
        // a socket's may be (107 bytes).
        let isPlain = data.wholeMatch(of: #/[A-Za-z0-9\/._\-]{1,84}/#) != nil
        if isPlain { try state.write(data, to: "socket") } else { try state.remove("socket") }
        settings += [
            "listen_addresses=127.0.0.1", "unix_socket_directories=\(isPlain ? data : "")", "fsync=on",
            "synchronous_commit=on", "max_connections=300", "shared_buffers=256MB",
            // As files in the data folder: nothing of it is left in /dev/shm after a kill -9.
            "dynamic_shared_memory_type=mmap",
        ]
        if options.hasTLS { settings += ["ssl=on", "ssl_cert_file=server.pem", "ssl_key_file=server.key"] }
        settings += options.settings
        var words = options.runner + ["env", "-C", "/"] + system.asPostgres
        if !options.isSynced { words += ["env", "LD_PRELOAD=\(try system.unsyncedLibrary())"] }
        words += ["\(system.postgresPrograms)/postgres", "-D", data, "-p", "\(port)"]
        return Command(words + settings.flatMap { ["-c", $0] }).with(mark("postgres"))
    }

    private func mark(_ name: String) -> [String: String] { Mark(folder: state.path, name: name).variables }

    /// Runs a command as the server's user.
    func owned(_ words: [String], log: String? = nil) async throws {
        let command = Command(["env", "-C", "/"] + system.asPostgres + words).with(mark("tool"))
        if let log { try await command.run(log: log) } else { try await command.run() }
    }

    /// Gives the paths to the owner. The user postgres of another system has another number there.
    func own(_ paths: String...) async throws {
        guard geteuid() == 0 else { return }
        try await Command(system.inside + ["chown", "postgres:postgres"] + paths).with(mark("tool")).run()
    }

    private func dataPath() async throws -> String {
        if let known = state.text("data-path") { return known }
        var path = state.path("data")
        do {
            try await owned(["test", "-x", state.path])
        } catch is CommandFailure {
            path = "/var/tmp/serai-postgres-\(Fingerprint.of(state.path))"
            FileHandle.standardError.write(
                Data("the user postgres cannot enter \(state.path); the data lies in \(path)\n".utf8))
        }
        try state.write(path, to: "data-path")
        return path
    }

    private func create(_ data: String) async throws {
        if state.has("created"), FileManager.default.fileExists(atPath: "\(data)/PG_VERSION") { return }
        let folder = StateFolder(data)
        try folder.remove()
        try folder.create(isPrivate: true)
        try await own(data)
        // initdb wants the password as a file that its user can read.
        let file = StateFolder(URL(filePath: data).deletingLastPathComponent().path(percentEncoded: false))
        let name = URL(filePath: data).lastPathComponent + ".password"
        try file.write(password(), to: name, isPrivate: true)
        try await own(file.path(name))
        do {
            try await owned(
                [
                    "\(system.postgresPrograms)/initdb", "-D", data, "-U", "serai", "-A", "scram-sha-256",
                    "--pwfile=\(file.path(name))", "--encoding=UTF8", "--locale=C.UTF-8",
                ], log: state.path("log"))
        } catch let failure as CommandFailure {
            throw PlatformError("initdb failed: \(failure)")
        }
        try file.remove(name)
        try state.write("yes", to: "created")
    }

    /// The lock files of a killed server may name a process that nobody has asked for its end yet, or somebody else's by now.
    /// Should a child of that server still live, the shared memory it holds keeps the new server from starting.
    private func removeLocks(_ data: String) {
        unlink("\(data)/postmaster.pid")
        for name in ProcFile.names(in: data) where name.hasPrefix(".s.PGSQL.") { unlink("\(data)/\(name)") }
    }

    /// The key must belong to the server's user and to nobody else, so the server reads its own copies.
    private func installCertificates(_ data: String) async throws {
        try await certificates.make()
        let copies = StateFolder(data)
        for name in ["server.pem", "server.key"] {
            try copies.write(certificates.folder.text(name) ?? "", to: name, isPrivate: true)
            try await own(copies.path(name))
        }
    }

    // MARK: Ending

    /// Fast shutdown: open transactions are rolled back and connections closed.
    public func stop() async throws { try await end(by: SIGINT) }

    /// Immediate shutdown and start: connections break as in a crash, and the log is replayed.
    public func restart() async throws {
        try await end(by: SIGQUIT)
        try await start()
    }

    private func end(by signal: Int32) async throws {
        guard let server else { return }
        server.send(signal)
        if try await waits(within: .seconds(30), { !server.isRunning }) { return }
        try await kill()
    }

    public func kill() async throws {
        guard let server else { return }
        // Stopped first, so that it starts no child between the two steps.
        server.send(SIGSTOP)
        let children = RunningProcess.all().filter { $0.parent == server.id }
        try await ([server] + children).end(by: SIGKILL, within: .seconds(10))
        try await removeSegment()
    }

    /// After a crash a small System V segment is left; its id is the second number of the seventh line.
    private func removeSegment() async throws {
        guard let data = state.text("data-path") else { return }
        let lines = String(decoding: ProcFile.bytes("\(data)/postmaster.pid"), as: UTF8.self).split(separator: "\n")
        guard lines.count > 6, let id = lines[6].split(separator: " ").last.flatMap({ Int32($0) }) else { return }
        shmctl(id, IPC_RMID, nil)
    }

    public func remove() async throws {
        guard state.exists else { return }
        try await Mark.end(in: state.path, within: .seconds(5)) { $0 == "tool" }
        try await kill()
        try await Mark.end(in: state.path, within: .seconds(5))
        if let data = dataFolder {
            try StateFolder(data).remove()
            try StateFolder(Self.archive(beside: data)).remove()
        }
        try state.remove()
    }
}

/// A short name for a long one.
enum Fingerprint {
    /// FNV-1a, 64 bits, as text.
    static func of(_ text: String) -> String {
        let value = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
        return String(value, radix: 16)
    }
}
