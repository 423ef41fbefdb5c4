import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Phones
import Synchronization
import TestKit

/// The five services and the sandbox as processes of their own, with a database and a virtual host of their own.
final class Platform: Sendable {
    static let services = ["identity", "dispatch", "wallet", "notifications", "admin"]
    @TaskLocal static var current: Platform?

    struct NoPlatform: Error {}

    let host: VirtualHost
    /// Of the superuser, for tests that look or reach into it.
    let database: TestDatabase
    let network: PhoneNetwork
    let sandbox: String
    var town: Newcomer.Town { Newcomer.Town(network, sandboxURL: sandbox) }
    /// Of each service the processes' addresses.
    let addresses: [String: [String]]
    let adminLogin = "desk@serai.example"
    /// Of the admin's authenticator app.
    let adminSecondFactor = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
    let desk = DeskKeeper()
    let adminPassword: String
    private let sandboxPort: Int
    private let folder: URL
    private let environment: [String: String]
    /// Nil: every service, and its migrations, as the superuser and with a broker's user who may do all.
    private let deployment: Deployment?
    private let ports: [String: [Int]]
    private let roles: [String]
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
        self.roles = roles
        self.host = host
        self.database = database
        self.deployment = deployment
        folder = FileManager.default.temporaryDirectory.appending(path: "serai-flow-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        adminPassword = "Desk-\(UUID().uuidString)-42"
        var ports: [String: [Int]] = [:]
        for service in Self.services {
            let count = service == "dispatch" ? dispatchProcesses : 1
            ports[service] = try (0..<count).map { _ in try FreePort.take() }
        }
        self.ports = ports
        let sandboxPort = try FreePort.take()
        self.sandboxPort = sandboxPort
        sandbox = "http://127.0.0.1:\(sandboxPort)"
        addresses = ports.mapValues { $0.map { "http://127.0.0.1:\($0)" } }
        environment = Self.environment(
            database: database, host: host, folder: folder, sandboxPort: sandboxPort
        ).merging(settings) { $1 }
        var asked = addresses
        asked["dispatch"] = asked["dispatch"]?.enumerated().filter { number, _ in
            !roles.indices.contains(number) || roles[number] != "worker"
        }.map(\.element)
        network = PhoneNetwork(Endpoints(services: asked), watch: try ServiceContracts.watch())
    }

    private static func environment(
        database: TestDatabase, host: VirtualHost, folder: URL, sandboxPort: Int
    ) -> [String: String] {
        [
            "SERAI_DATABASE_URL": database.dsn,
            "SERAI_DATABASE_POOL_SIZE": "5",
            "SERAI_AMQP_URL": host.url,
            "SERAI_LOG_LEVEL": "warning",
            "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 64),
            "SERAI_HTTP_RATE_ADDRESS_PER_SECOND": "100000",
            "SERAI_HTTP_RATE_ADDRESS_BURST": "100000",
            "SERAI_HTTP_RATE_CALLER_PER_SECOND": "10000",
            "SERAI_HTTP_RATE_CALLER_BURST": "10000",
            "SERAI_DELIVERIES_KEY": String(repeating: "d", count: 32),
            "SERAI_DELIVERIES_MAIL_URL": "http://127.0.0.1:\(sandboxPort)/sink/mail",
            "SERAI_DELIVERIES_SMS_URL": "http://127.0.0.1:\(sandboxPort)/sink/sms",
            "SERAI_TOKENS_KEYS_FILE": folder.appending(path: "jwks.json").path(),
            "SERAI_IDENTITY_SIGNING_KEY_FILE": folder.appending(path: "token-signing.json").path(),
            "SERAI_IDENTITY_PERSONAL_KEY_FILE": folder.appending(path: "personal-data.json").path(),
            "SERAI_IDENTITY_RATE_REGISTER_PER_SECOND": "1000",
            "SERAI_IDENTITY_RATE_REGISTER_BURST": "1000",
            "SERAI_IDENTITY_RATE_LOGIN_PER_SECOND": "1000",
            "SERAI_IDENTITY_RATE_LOGIN_BURST": "1000",
            "SERAI_PAYMENT_PROVIDER_URL": "http://127.0.0.1:\(sandboxPort)",
            "SERAI_PAYMENT_PROVIDER_KEY": "sk_test_flow",
            "SERAI_PAYMENT_WEBHOOK_SECRET": "whsec_flow",
            "SERAI_PAYMENT_RETURN_URL": "http://127.0.0.1:\(sandboxPort)/health",
            "SERAI_PAYMENT_TRIES": "2",
            "SERAI_SANDBOX_API_KEY": "sk_test_flow",
            "SERAI_SANDBOX_WEBHOOK_SECRET": "whsec_flow",
        ]
    }

    // MARK: Processes

    private func start() async throws {
        let folder = folder
        let plain = environment
        try await Program.run(
            "identity", ["create-keys", "--directory", folder.path()], environment: plain, folder: folder)
        if deployment != nil { try await migrate() }
        try await launch("sandbox", 0)
        for service in Self.services {
            for index in (ports[service] ?? []).indices { try await launch(service, index) }
        }
        try await createAdmin(adminLogin, mobile: "+966511111111")
        for service in Self.services {
            for index in (ports[service] ?? []).indices { try await isReady(service, index) }
        }
    }

    private func createAdmin(_ login: String, mobile: String) async throws {
        var environment = environment.merging(deployment?.serving("identity") ?? [:]) { $1 }
        environment["SERAI_ADMIN_PASSWORD"] = adminPassword
        environment["SERAI_ADMIN_SECOND_FACTOR"] = adminSecondFactor
        try await Program.run(
            "identity", ["create-admin", "--email", login, "--mobile", mobile, "--name", "Desk", "--market", "*"],
            environment: environment, folder: folder)
    }

    /// A second admin of all markets, for what one admin may not do alone.
    func addAdmin() async throws -> AdminDesk {
        try await createAdmin("second.admin@example.com", mobile: "+966511111112")
        return try await AdminDesk.signIn(
            login: "second.admin@example.com", password: adminPassword, secondFactor: adminSecondFactor, on: network)
    }

    private func migrate() async throws {
        let (plain, deployment, folder) = (environment, deployment, folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in Self.services {
                group.addTask {
                    let environment = plain.merging(deployment?.migrating(service) ?? [:]) { $1 }
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
    func launch(_ service: String, _ index: Int = 0) async throws {
        var environment = environment.merging(deployment?.serving(service) ?? [:]) { $1 }
        var arguments = ["serve"]
        if let port = ports[service]?[index] { environment["SERAI_HTTP_PORT"] = "\(port)" }
        if service == "dispatch", roles.indices.contains(index) { environment["SERAI_ROLE"] = roles[index] }
        if service == "sandbox" {
            // Every webhook comes three times; each must count once.
            arguments = [
                "--port", "\(sandboxPort)", "--webhook-copies", "3", "--webhook-url",
                "\(addresses["wallet"]?.first ?? "")/wallet/v1/webhooks/stripe",
            ]
        }
        let program = try await Program.start(service, arguments, environment: environment, folder: folder)
        running.withLock { programs in
            if let known = programs[service], known.indices.contains(index) {
                programs[service]?[index] = program
            } else {
                programs[service, default: []].append(program)
            }
        }
    }

    func isReady(_ service: String, _ index: Int = 0) async throws {
        guard let address = addresses[service]?[index], let program = program(service, index) else { return }
        try await eventually(within: .seconds(150), "\(service) is ready", poll: .milliseconds(100)) {
            guard await program.isRunning else {
                throw Program.Failed(name: service, exitCode: -1, log: program.tail())
            }
            let answer = try await HTTPClient.shared.execute(
                HTTPClientRequest(url: "\(address)/health/ready"), timeout: .seconds(2))
            return answer.status == .ok
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
        await program.kill()
        try await program.ended()
    }

    /// Sends a signal to a process, as SIGSTOP, which makes it stand still.
    func signal(_ service: String, _ index: Int = 0, _ signal: Int32) async {
        await program(service, index)?.signal(signal)
    }

    /// Starts a process that was killed, at the same address.
    func restart(_ service: String, _ index: Int = 0) async throws {
        try await launch(service, index)
        try await isReady(service, index)
    }

    private func stop() async {
        // try?: connections that do not close must not hide what the test found.
        try? await network.shutdown()
        let programs = running.withLock { $0.values.flatMap { $0 } }
        for program in programs { await program.kill() }
        for program in programs { try? await program.ended() }  // try?: it was killed.
        try? FileManager.default.removeItem(at: folder)  // try?: what is left is in the temporary folder.
    }

    private func lastWords() -> String {
        running.withLock { $0.values.flatMap { $0 } }.map { program in
            "--- \(program.name)\n\(program.tail())"
        }.joined(separator: "\n")
    }

    /// Runs another executable of the project to its end, with the admin's password in its environment.
    func run(_ name: String, _ arguments: [String], within limit: Duration) async throws -> String {
        var environment = environment
        environment["SERAI_ADMIN_PASSWORD"] = adminPassword
        environment["SERAI_ADMIN_SECOND_FACTOR"] = adminSecondFactor
        return try await Program.run(name, arguments, environment: environment, folder: folder, within: limit)
    }

    /// Starts another executable of the project, which its caller ends.
    func begin(_ name: String, _ arguments: [String]) async throws -> Program {
        try await Program.start(name, arguments, environment: environment, folder: folder)
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
