import Foundation
import Glibc
import SeraiJSON

/// What faults act on: the processes of a run, its servers, and the world that the sandbox plays.
///
/// The processes are ended and started by one at a time, as a container engine does it.
actor ChaosGround {
    nonisolated let run: LocalRun
    nonisolated let plan: DeploymentPlan
    nonisolated let postgres: PostgresServer
    nonisolated let rabbit: RabbitServer
    nonisolated let record: LocalRun.Record
    nonisolated let turns: Turns
    /// Those that a fault keeps from being started again for now.
    private var held: Set<String> = []
    /// Those that ended by themselves, and were started again.
    private(set) var endedByThemselves: [String] = []

    init(_ run: LocalRun) async throws {
        self.run = run
        record = try run.record()
        plan = record.plan
        turns = try await Turns()
        (postgres, rabbit) = try run.servers(runner: turns.batch)
    }

    // MARK: Processes

    /// All of the services and what stands before them; the outside world is not among them.
    nonisolated var processes: [ProcessPlan] { plan.processes.filter { $0.service != "sandbox" } }

    nonisolated func running(_ name: String) -> [RunningProcess] {
        run.processes().filter { $0.name == name }.map(\.process)
    }

    /// Ends a process, and nobody starts it until it is launched.
    func end(_ name: String, by signal: Int32, within grace: Duration = .seconds(20)) async throws {
        held.insert(name)
        try await running(name).end(by: signal, within: grace)
    }

    /// Starts a process as it was.
    /// - Parameters:
    ///   - variables: besides its own.
    ///   - isAwaited: whether to wait until it answers; not for long, since what it stands on may be away too.
    func launch(_ name: String, with variables: [String: String] = [:], isAwaited: Bool = false) async throws {
        defer { held.remove(name) }
        guard let process = plan.processes.first(where: { $0.name == name }) else {
            throw PlatformError("nothing runs that is called \(name)")
        }
        guard running(name).isEmpty else { return }
        _ = try await run.launch(process, turns, record, with: variables)
        guard isAwaited else { return }
        _ = try await waits(within: .seconds(20), poll: .milliseconds(100)) {
            await HTTPProbe.answers(port: process.port, path: process.probe)
        }
    }

    /// Starts all that a drill has ended; returns when everything answers.
    func launchAll(within limit: Duration) async throws -> Bool {
        for process in processes { try await launch(process.name) }
        return try await isWhole(within: limit)
    }

    /// Starts those that have ended by themselves, as the engine of a real deployment would.
    func mend() async throws {
        let names = Set(run.processes().map(\.name))
        for process in processes where !names.contains(process.name) && !held.contains(process.name) {
            // A fault may have started it since.
            guard running(process.name).isEmpty else { continue }
            endedByThemselves.append(process.name)
            _ = try await run.launch(process, turns, record)
        }
    }

    /// Everything runs and answers.
    func isWhole(within limit: Duration) async throws -> Bool {
        try await waits(within: limit, poll: .milliseconds(200)) {
            try await mend()
            for process in plan.processes {
                guard await HTTPProbe.answers(port: process.port, path: process.probe) else { return false }
            }
            return true
        }
    }

    /// Runs a command of a service to its end.
    nonisolated func command(_ service: String, _ arguments: [String], _ variables: [String: String] = [:]) async throws
    {
        let environment = plan.environment(of: service).merging(variables) { $1 }
        try await run.step(service, arguments, environment, log: "chaos-\(service)-\(arguments[0])")
    }

    // MARK: The database

    /// What a statement answers: a line a row, its columns apart by a bar.
    @discardableResult
    nonisolated func sql(_ statement: String) async throws -> String {
        let address = try ServerAddress(postgres.url ?? "")
        return try await Command(["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", "-c", statement])
            .with(address.variables(database: "serai")).with(run.mark(LocalRun.step))
            .run(within: .seconds(60)).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs a file of statements.
    nonisolated func run(file: String) async throws {
        let address = try ServerAddress(postgres.url ?? "")
        try await Command(["psql", "-qX", "-v", "ON_ERROR_STOP=1", "-f", file])
            .with(address.variables(database: "serai")).with(run.mark(LocalRun.step)).run(within: .seconds(600))
    }

    /// The superuser's URL of the deployment's database.
    nonisolated func superuserURL() throws -> String {
        try ServerAddress(postgres.url ?? "").url(database: "serai")
    }

    // MARK: The broker

    /// Asks RabbitMQ's management API.
    nonisolated func manage(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> [UInt8] {
        let address = try ServerAddress(rabbit.managementURL ?? "")
        return try await LoopbackHTTP.send(
            method, port: address.port, path: "/api/\(path)", login: "\(address.user):\(address.password)",
            body: try body.map { try JSON.wire.encode($0) })
    }

    // MARK: The outside world

    nonisolated func sandbox(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> [UInt8] {
        try await LoopbackHTTP.send(
            method, port: plan.ports.sandbox, path: "/sandbox/\(path)",
            body: try body.map { try JSON.wire.encode($0) })
    }
}
