import Foundation
import Glibc
import SeraiJSON

/// All of Serai on this machine, on free loopback ports: PostgreSQL, RabbitMQ, the five services, the sandbox that plays the
/// outside world, and Caddy in front; in a folder by which another process finds it.
///
/// What it starts is in sessions of its own, marked with the folder: whatever ends the one that started it, and whenever,
/// ``end()`` finds it.
public struct LocalRun: Sendable {
    public static let adminLogin = "admin@serai.example"

    public enum Build: String, Sendable, Codable {
        case debug, release

        /// Options of `swift build`, the same as in the Makefile: another set would have everything compiled anew. A
        /// release build is the one of the images, with the runtime inside.
        /// - Parameter variables: of the environment. With `CI` a debug build has no debug information, which costs minutes.
        func options(_ variables: [String: String]) -> [String] {
            switch self {
            case .release: ["-c", "release", "--static-swift-stdlib"]
            case .debug: ["-c", "debug"] + (variables.named("CI") == nil ? [] : ["-debug-info-format", "none"])
            }
        }

        /// The order of a set decides how the package manager names the traits of a package: were it another one, all that
        /// needs the package would be compiled anew.
        var environment: [String: String] { ["SWIFT_BACKTRACE": "enable=no", "SWIFT_DETERMINISTIC_HASHING": "1"] }
    }

    public let project: Project
    public let state: StateFolder
    public let build: Build
    let dispatches: Int
    let variables: [String: String]

    /// - Parameters:
    ///   - variables: of the environment. `SERAI_RUN_FOLDER`, `SERAI_BUILD` and `SERAI_DISPATCH` are for this; the other
    ///     `SERAI_…` reach the services.
    ///   - build: where `SERAI_BUILD` says nothing.
    ///   - dispatches: where `SERAI_DISPATCH` says nothing.
    public init(project: Project, variables: [String: String], build: Build = .debug, dispatches: Int = 1) throws {
        self.project = project
        self.variables = variables
        let folder = variables.named("SERAI_RUN_FOLDER") ?? "\(project.local)/run"
        state = StateFolder(URL(filePath: folder).path(percentEncoded: false))
        guard let build = variables.named("SERAI_BUILD").map({ Build(rawValue: $0) }) ?? build else {
            throw PlatformError("SERAI_BUILD is debug or release")
        }
        guard let dispatches = variables.named("SERAI_DISPATCH").map({ Int($0) }) ?? dispatches,
            (1...99).contains(dispatches)
        else { throw PlatformError("SERAI_DISPATCH is a number from 1 to 99") }
        (self.build, self.dispatches) = (build, dispatches)
    }

    // MARK: What is there

    /// The plan and the variables from which a process can be started again as it was.
    struct Record: Codable {
        let plan: DeploymentPlan
        let build: Build
        /// The `SERAI_…` of whoever has started it.
        let variables: [String: String]
        /// With which a broker that has forgotten everything is set up anew. Nil in a run that an older program began.
        let accounts: ServiceAccounts?
    }

    /// True if everything was started and nobody has ended it.
    public var isUp: Bool { state.has("plan.json") && state.has("env") }

    func record() throws -> Record {
        guard let text = state.text("plan.json") else { throw PlatformError("nothing runs") }
        return try JSON.stored.decode(Record.self, text.utf8)
    }

    public func plan() throws -> DeploymentPlan { try record().plan }

    /// Addresses and the first admin, for other tools: what the file `env` holds.
    public func environment() throws -> [String: String] {
        let lines = (state.text("env") ?? "").split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1) }
        return Dictionary(lines.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) }) { $1 }
    }

    static let accountsFile = "accounts"

    /// The people whom the walk has made, with what one signs in with as each of them; nil without a walk.
    public var accounts: String? { state.text(Self.accountsFile) }

    /// The processes that run, by name.
    public func processes() -> [(name: String, process: RunningProcess)] {
        Mark.processes(in: state.path).filter { $0.name != Self.step }
    }

    /// The name of what is run to its end on the way.
    static let step = "step"

    func mark(_ name: String) -> [String: String] { Mark(folder: state.path, name: name).variables }

    func program(_ name: String, build: Build? = nil) -> String {
        project.path(".build/\((build ?? self.build).rawValue)/\(name)")
    }

    // MARK: Beginning and ending

    /// Takes the run's folder, for as long as the answer lives, and removes what is left in it.
    /// - Throws: ``PlatformError`` when another has it, or something runs.
    public func begin() async throws -> FileLock {
        try state.create()
        let lock = try FileLock(state.path + ".lock")
        guard lock.tryExclusive() else {
            throw PlatformError("another run is under way (scripts/run-down ends one that was detached)")
        }
        lock.sign()
        guard !state.has("plan.json") else {
            throw PlatformError("a detached run is up, or one was killed; scripts/run-down ends it")
        }
        try await end()
        try state.create("logs")
        for name in ProcFile.names(in: state.path("logs")) { unlink(state.path("logs/\(name)")) }
        return lock
    }

    /// Ends everything that belongs to the folder and removes its data; the logs stay. Whatever has not ended in order after
    /// 15 seconds is killed.
    public func end() async throws {
        guard state.exists else { return }
        let grace = Duration.seconds(15)
        // A step that still starts something ends first. Then, as requests come in, from the outside in, so that
        // running ones are answered.
        try await Mark.end(in: state.path, within: grace) { $0 == Self.step }
        try await Mark.end(in: state.path, within: grace) { $0 == "caddy" }
        try await Mark.end(in: state.path, within: grace) { $0 != "sandbox" }
        try await Mark.end(in: state.path, within: grace)
        // Where no server was ever started, the machine may not even have the programs yet.
        if state.has("postgres") || state.has("rabbitmq") {
            let servers = try servers(runner: [])
            async let database: Void = servers.postgres.remove()
            try await servers.rabbit.remove()
            try await database
        }
        let removed = ["env", "plan.json", "keys", "caddy", "sandbox-mail.pem", Self.accountsFile]
        for name in removed { try state.remove(name) }
    }

    /// Ends a run of this or another process: the other one is asked to do it, and to say that all is well.
    public func endFromOutside() async throws {
        guard state.exists else { return }
        let lock = try FileLock(state.path + ".lock")
        if !lock.tryExclusive() {
            lock.owner?.send(SIGUSR1)
            if try await !waits(within: .seconds(90), { lock.tryExclusive() }) {
                lock.owner?.send(SIGKILL)
                try await lock.exclusive(within: .seconds(10))
            }
        }
        try await end()
    }

    func servers(runner: [String]) throws -> (postgres: PostgresServer, rabbit: RabbitServer) {
        let system = try ServerSystem(project: project, variables: variables)
        return (
            PostgresServer(
                folder: state.path("postgres"), system: system,
                options: ServerOptions(runner: runner)),
            RabbitServer(folder: state.path("rabbitmq"), system: system, options: ServerOptions(runner: runner))
        )
    }

    // MARK: Single processes

    /// Starts a process of the plan.
    /// - Parameter variables: besides its own.
    @discardableResult
    func launch(
        _ process: ProcessPlan, _ turns: Turns, _ record: Record, with variables: [String: String] = [:]
    ) async throws -> ChildProcess {
        let program =
            process.service == "caddy"
            ? try project.tool("caddy") : program(process.service, build: record.build)
        let command = Command([program] + process.arguments).with(record.variables).with(process.environment)
            .with(mark(process.name)).with(variables)
        let child = try ChildProcess(
            turns.command(process, command.run(by: ["env", "-C", project.folder])),
            output: .appended(to: state.path("logs/\(process.name).log")))
        if process.isPatient { try await Turns.setBack(child) }
        return child
    }

    /// Kills a process with -9 and starts it again as it was, as a container engine does with one that has ended.
    /// - Parameter name: such as `dispatch-1`.
    public func restart(_ name: String, turns: Turns) async throws {
        let record = try record()
        guard let process = record.plan.processes.first(where: { $0.name == name }) else {
            throw PlatformError("nothing runs that is called \(name)")
        }
        try await processes().filter { $0.name == name }.map(\.process).end(by: SIGKILL, within: .seconds(10))
        try await launch(process, turns, record)
    }
}
