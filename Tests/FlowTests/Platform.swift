import AsyncHTTPClient
import Foundation
import LocalPlatform
import NIOCore
import NIOHTTP1
import Phones
import SeraiJSON
import Synchronization
import TestKit

/// The five services and the sandbox as processes of their own, with a database and a virtual host of their own.
final class Platform: Sendable {
    static let services = DeploymentPlan.services
    @TaskLocal static var current: Platform?

    struct NoPlatform: Error {}

    let host: VirtualHost
    /// Of the superuser, for tests that look or reach into it.
    let database: TestDatabase
    let network: PhoneNetwork
    var sandbox: String { plan.sandboxURL }
    var town: Newcomer.Town { Newcomer.Town(network, sandboxURL: sandbox) }
    /// The addresses of each service's processes.
    var addresses: [String: [String]] { plan.addresses }
    let adminLogin = "desk@serai.example"
    /// Of the admin's authenticator app.
    var adminSecondFactor: String { plan.secrets.adminSecondFactor }
    var adminPassword: String { plan.secrets.adminPassword }
    let desk = DeskKeeper()
    let plan: DeploymentPlan
    private let folder: URL
    /// Nil: every service, and its migrations, as the superuser and with a broker's user who may do all.
    private let deployment: Deployment?
    private let running = Mutex<[String: [Program]]>([:])

    /// The platform of the suite that the test belongs to.
    static func ofSuite() throws -> Platform {
        guard let current else { throw NoPlatform() }
        return current
    }

    /// - Parameters:
    ///   - dispatchProcesses: how many processes of dispatch there are.
    ///   - roles: of the processes of dispatch, in their sequence; those without one do everything. Workers are not asked
    ///     for anything.
    ///   - settings: of the services' environment, besides or instead of the usual.
    static func withPlatform(
        dispatchProcesses: Int = 1, roles: [String] = [], settings: [String: String] = [:],
        _ body: (Platform) async throws -> Void
    ) async throws {
        try await Gate.platforms.pass {
            try await TestBroker.withVirtualHost { host in
                let programs = try services.map { try Program.version($0) }.joined(separator: "\n")
                try await TestDatabase.withDatabase(of: programs) {
                    try await migrated($0, host)
                } _: { database in
                    let platform = try Platform(
                        database: database, host: host, dispatchProcesses: dispatchProcesses, roles: roles,
                        settings: settings)
                    try await platform.run(body)
                }
            }
        }
    }

    /// What each platform's database is cloned from, for the migrations take longer than many a test.
    private static func migrated(_ database: TestDatabase, _ host: VirtualHost) async throws {
        let platform = try Platform(database: database, host: host, dispatchProcesses: 1)
        do {
            try await platform.migrate()
        } catch {
            await platform.stop()
            throw error
        }
        await platform.stop()
    }

    /// - Parameter deployment: has a database and a broker for it alone, and a role and a user for each service.
    static func withPlatform(on deployment: Deployment, _ body: (Platform) async throws -> Void) async throws {
        try await Gate.platforms.pass {
            let platform = try Platform(
                database: deployment.database, host: deployment.host, dispatchProcesses: 1, deployment: deployment)
            try await platform.run(body)
        }
    }

    private func run(_ body: (Platform) async throws -> Void) async throws {
        do {
            try await start()
            try await body(self)
        } catch {
            print("a flow test failed; the services' last words:\n\(lastWords())")
            await stop()
            throw error
        }
        await stop()
    }

    private init(
        database: TestDatabase, host: VirtualHost, dispatchProcesses: Int, roles: [String] = [],
        settings: [String: String] = [:], deployment: Deployment? = nil
    ) throws {
        self.host = host
        self.database = database
        self.deployment = deployment
        let folder = FileManager.default.temporaryDirectory.appending(path: "serai-flow-\(UUID().uuidString)")
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func ofEach(_ text: (String) -> String) -> [String: String] {
            Dictionary(uniqueKeysWithValues: Self.services.map { ($0, text($0)) })
        }
        var plan = DeploymentPlan(
            ports: try .chosen(dispatches: dispatchProcesses, hasCaddy: false, in: .current), secrets: .generated(),
            folder: folder.path(percentEncoded: false),
            databases: ofEach { deployment?.url(of: $0) ?? database.dsn },
            brokers: ofEach { deployment?.amqp($0) ?? host.url }, cores: ProcessInfo.processInfo.activeProcessorCount)
        plan.settings = Self.settings.merging(settings) { $1 }
        plan.hasNafath = false
        // Each must count once.
        plan.webhookCopies = 3
        plan.roles = roles
        self.plan = plan
        try FileManager.default.createDirectory(atPath: plan.keysFolder, withIntermediateDirectories: true)
        var asked = plan.addresses
        asked["dispatch"] = asked["dispatch"]?.enumerated().filter { number, _ in
            !roles.indices.contains(number) || roles[number] != "worker"
        }.map(\.element)
        network = PhoneNetwork(
            Endpoints(services: asked), sandboxURL: plan.sandboxURL, watch: try ServiceContracts.watch())
    }

    /// Limits that a test's phones, all with one address, do not reach; tries that come to an end.
    private static let settings = [
        "SERAI_DATABASE_POOL_SIZE": "5", "SERAI_LOG_LEVEL": "warning",
        "SERAI_HTTP_RATE_ADDRESS_PER_SECOND": "100000", "SERAI_HTTP_RATE_ADDRESS_BURST": "100000",
        "SERAI_HTTP_RATE_CALLER_PER_SECOND": "10000", "SERAI_HTTP_RATE_CALLER_BURST": "10000",
        "SERAI_IDENTITY_RATE_REGISTER_PER_SECOND": "1000", "SERAI_IDENTITY_RATE_REGISTER_BURST": "1000",
        "SERAI_IDENTITY_RATE_LOGIN_PER_SECOND": "1000", "SERAI_IDENTITY_RATE_LOGIN_BURST": "1000",
        "SERAI_PAYMENT_TRIES": "2",
    ]

    // MARK: Processes

    private func start() async throws {
        _ = try await run("identity", ["create-keys", "--directory", plan.keysFolder], within: .seconds(150))
        if deployment != nil { try await migrate() }
        for process in plan.processes { _ = try start(process) }
        try await createAdmin(adminLogin, mobile: "+966511111111")
        for process in plan.processes { try await isReady(process) }
    }

    private func createAdmin(_ login: String, mobile: String) async throws {
        let command = DeploymentPlan.createAdmin(login: login, mobile: mobile, name: "Desk")
        _ = try await run("identity", command, within: .seconds(150))
    }

    /// A second admin of all markets, for what one admin may not do alone.
    func addAdmin() async throws -> AdminDesk {
        try await createAdmin("second.admin@example.com", mobile: "+966511111112")
        return try await AdminDesk.signIn(
            login: "second.admin@example.com", password: adminPassword, secondFactor: adminSecondFactor, on: network)
    }

    private func migrate() async throws {
        let (plan, deployment, folder) = (plan, deployment, folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in Self.services {
                group.addTask {
                    let environment = plan.environment(of: service)
                        .merging(deployment?.migrating(service) ?? [:]) { $1 }
                    try await Program.run(service, ["migrate"], environment: environment, folder: folder)
                }
            }
            try await group.waitForAll()
        }
    }

    /// What a process has written.
    func log(_ service: String, _ index: Int = 0, bytes: Int = 1 << 20) -> String {
        program(service, index)?.tail(bytes: bytes) ?? ""
    }

    /// Starts a process again; see ``isReady(_:_:)``.
    func launch(_ service: String, _ index: Int = 0) throws {
        guard let process = plan.process(of: service, index) else { return }
        let program = try start(process)
        running.withLock { $0[service]?[index] = program }
    }

    private func start(_ process: ProcessPlan) throws -> Program {
        let program = try Program.start(process, folder: folder)
        running.withLock { $0[process.service, default: []].append(program) }
        return program
    }

    func isReady(_ service: String, _ index: Int = 0) async throws {
        if let process = plan.process(of: service, index) { try await isReady(process) }
    }

    private func isReady(_ process: ProcessPlan) async throws {
        guard let program = running.withLock({ $0[process.service]?.first { $0.name == process.name } }) else { return }
        try await eventually(within: .seconds(150), "\(process.name) is ready", poll: .milliseconds(50)) {
            guard program.isRunning else {
                throw Program.Failed(name: process.name, exitCode: program.exitCode, log: program.tail())
            }
            return await HTTPProbe.answers(port: process.port, path: process.probe)
        }
    }

    private func program(_ service: String, _ index: Int) -> Program? {
        running.withLock { programs in
            guard let known = programs[service], known.indices.contains(index) else { return nil }
            return known[index]
        }
    }

    /// Kills a process with -9.
    func kill(_ service: String, _ index: Int = 0) async throws {
        guard let program = program(service, index) else { return }
        program.kill()
        try await program.ended()
    }

    /// Sends a signal to a process, as SIGSTOP, which makes it stand still.
    func signal(_ service: String, _ index: Int = 0, _ signal: Int32) {
        program(service, index)?.signal(signal)
    }

    /// Stops a process, and waits until none of its threads runs: a busy machine takes its time for that.
    func stop(_ service: String, _ index: Int = 0) async throws {
        guard let program = program(service, index) else { return }
        program.signal(SIGSTOP)
        try await eventually("\(service) stands still") {
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.id)/task")
            return try threads.allSatisfy { thread in
                // proc(5): the state comes after the program's name in brackets.
                let text = try String(contentsOfFile: "/proc/\(program.id)/task/\(thread)/stat", encoding: .utf8)
                return text.split(separator: ")").last?.hasPrefix(" T") == true
            }
        }
    }

    /// Starts a process that was killed, at the same address.
    func restart(_ service: String, _ index: Int = 0) async throws {
        try launch(service, index)
        try await isReady(service, index)
    }

    private func stop() async {
        // try?: connections that do not close must not hide what the test found.
        try? await network.shutdown()
        let programs = running.withLock { $0.values.flatMap { $0 } }
        for program in programs { program.kill() }
        for program in programs { try? await program.ended() }  // try?: it was killed.
        try? FileManager.default.removeItem(at: folder)  // try?: what is left is in the temporary folder.
    }

    private func lastWords() -> String {
        running.withLock { $0.values.flatMap { $0 } }.map { program in
            "--- \(program.name)\n\(program.tail())"
        }.joined(separator: "\n")
    }

    /// Runs another executable of the project to its end, with the admin's secrets in its environment.
    func run(_ name: String, _ arguments: [String], within limit: Duration) async throws -> String {
        let environment = plan.environment(of: name).merging(plan.adminVariables()) { $1 }
        return try await Program.run(name, arguments, environment: environment, folder: folder, within: limit)
    }

    /// Starts another executable of the project, which its caller ends.
    func begin(_ name: String, _ arguments: [String]) throws -> Program {
        try Program.start(name, arguments, environment: plan.environment(of: name), folder: folder)
    }

    var temporaryFolder: URL { folder }
}

/// Lets so many through at a time: each platform is seven processes and more.
private actor Gate {
    static let platforms = Gate(2)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    nonisolated func pass(_ body: () async throws -> Void) async throws {
        await enter()
        do {
            try await body()
        } catch {
            await leave()
            throw error
        }
        await leave()
    }

    private func enter() async {
        if free > 0 {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
