import Foundation
import SeraiJSON

extension LocalRun {
    /// Builds all programs and the web app.
    /// - Parameter product: just this one.
    public func compile(product: String? = nil, _ say: (String) -> Void) async throws {
        say("building (\(build.rawValue))")
        let words = ["swift", "build", "--package-path", project.folder] + build.options(variables)
        let only = product.map { ["--product", $0] } ?? []
        var command = Command(words + only).with(build.environment).with(mark(Self.step))
        command.environment["SERAI_SANITIZE"] = nil
        let child = try ChildProcess(command, output: .inherited)
        let ending = try await child.endedOrCancelled(within: .seconds(3_600))
        guard ending == .exited(0) else { throw PlatformError("the build has ended with \(ending.code)") }
        if product == nil { try await compileWeb() }
    }

    private var webFolder: String { project.path(".build/web") }

    private func compileWeb() async throws {
        let command = Command([project.path("scripts/web")]).with(mark(Self.step))
        let ending = try await ChildProcess(command, output: .inherited).endedOrCancelled(within: .seconds(600))
        guard ending == .exited(0) else { throw PlatformError("the web app's build has ended with \(ending.code)") }
    }

    /// Starts everything; returns when all of it answers. Whoever calls it has ``begin()``, and ``end()``s it should it fail.
    public func start(_ say: (String) -> Void) async throws -> DeploymentPlan {
        if !FileManager.default.fileExists(atPath: "\(webFolder)/index.html") { try await compileWeb() }
        let turns = try await Turns()
        say("starting PostgreSQL and RabbitMQ")
        let (postgres, rabbit) = try servers(runner: turns.batch)
        async let database: Void = postgres.start()
        try await rabbit.start()
        try await database
        let accounts = ServiceAccounts.generated()
        let superuser = try ServerAddress(postgres.url ?? "")
        let step = mark(Self.step)
        try await Command(["psql", "-qXc", "CREATE DATABASE serai"]).with(superuser.variables(database: "postgres"))
            .with(step).run()
        try await accounts.setUp(superuser: superuser, management: rabbit.managementURL ?? "", in: project, mark: step)

        // By the Unix socket: with TCP all of an order costs one part in twenty more.
        let address = try ServerAddress(postgres.url ?? "", socket: postgres.socket)
        let broker = try ServerAddress(rabbit.url ?? "")
        let record = Record(
            plan: try makePlan(accounts, address, broker), build: build,
            variables: variables.filter { $0.key.hasPrefix("SERAI_") }, accounts: accounts)
        try state.write(
            try JSON.stored.text(record), to: "plan.json", isPrivate: true)
        say("migrating")
        try await prepare(record.plan, accounts, address)
        say("starting the services")
        try await launchAll(record, turns)
        try writeEnvironment(record.plan)
        return record.plan
    }

    private func makePlan(
        _ accounts: ServiceAccounts, _ database: ServerAddress, _ broker: ServerAddress
    ) throws -> DeploymentPlan {
        let services = DeploymentPlan.services
        var plan = DeploymentPlan(
            ports: try .chosen(dispatches: dispatches, hasCaddy: true, in: project), secrets: .generated(),
            folder: state.path,
            databases: Dictionary(uniqueKeysWithValues: services.map { ($0, accounts.database(of: $0, at: database)) }),
            brokers: Dictionary(uniqueKeysWithValues: services.map { ($0, accounts.broker(of: $0, at: broker)) }),
            cores: ProcessInfo.processInfo.activeProcessorCount)
        plan.webFolder = webFolder
        if let size = variables.named("SERAI_DATABASE_POOL_SIZE") { plan.settings["SERAI_DATABASE_POOL_SIZE"] = size }
        return plan
    }

    /// Schemas, keys and the first admin.
    private func prepare(_ plan: DeploymentPlan, _ accounts: ServiceAccounts, _ database: ServerAddress) async throws {
        try state.create("keys")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in DeploymentPlan.services {
                // As the owner of its schema, whose password the service itself does not get.
                let owner = accounts.database(ofOwnerOf: service, at: database)
                group.addTask {
                    try await self.step(
                        service, ["migrate"], ["SERAI_DATABASE_URL": owner, "SWIFT_BACKTRACE": "enable=no"],
                        log: "\(service).migrate")
                }
            }
            group.addTask {
                try await self.step(
                    "identity", ["create-keys", "--directory", plan.keysFolder], plan.environment(of: "identity"),
                    log: "keys")
            }
            try await group.waitForAll()
        }
        try await step(
            "identity",
            DeploymentPlan.createAdmin(login: Self.adminLogin, mobile: "+966500000001", name: "First Admin"),
            plan.environment(of: "identity").merging(plan.adminVariables()) { $1 }, log: "admin-account")
    }

    func step(
        _ service: String, _ arguments: [String], _ environment: [String: String], log: String
    ) async throws {
        try await Command([program(service)] + arguments).with(environment).with(mark(Self.step))
            .run(log: state.path("logs/\(log).log"))
    }

    private func launchAll(_ record: Record, _ turns: Turns) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for process in record.plan.processes {
                let child = try await launch(process, turns, record)
                group.addTask { try await self.isReady(process, child) }
            }
            try await group.waitForAll()
        }
    }

    private func isReady(_ process: ProcessPlan, _ child: ChildProcess) async throws {
        let log = "logs/\(process.name).log"
        let answers = try await waits(within: .seconds(180), poll: .milliseconds(30)) {
            if await HTTPProbe.answers(port: process.port, path: process.probe) { return true }
            guard child.isRunning else {
                throw PlatformError("\(process.name) has ended: \(state.lastLines(log, 5))")
            }
            return false
        }
        guard answers else { throw PlatformError("\(process.name) is not ready: \(state.lastLines(log, 5))") }
    }

    private func writeEnvironment(_ plan: DeploymentPlan) throws {
        let lines = [
            "SERAI_URL=\(plan.url ?? "")", "SERAI_SANDBOX_URL=\(plan.sandboxURL)",
            "SERAI_ADMIN_LOGIN=\(Self.adminLogin)",
            "SERAI_ADMIN_PASSWORD=\(plan.secrets.adminPassword)",
            "SERAI_ADMIN_SECOND_FACTOR=\(plan.secrets.adminSecondFactor)", "SERAI_RUN=\(state.path)",
            "SERAI_RELAY_PORT=\(plan.ports.relay.map(String.init) ?? "")",
            "SERAI_RELAY_SECRET=\(plan.secrets.relay ?? "")",
        ]
        try state.write(lines.joined(separator: "\n"), to: "env", isPrivate: true)
    }

    // MARK: While it runs

    /// Runs a program of the package against it, as ``run(_:)`` does.
    public func run(_ name: String, _ arguments: [String], runner: [String] = []) async throws -> Int32 {
        try await run(runner + [program(name)] + arguments)
    }

    /// Runs a command against it, with its addresses and the admin's secrets in the environment.
    /// - Returns: its exit code.
    public func run(_ words: [String]) async throws -> Int32 {
        let command = Command(words).with(try environment()).with(mark(Self.step))
        return try await ChildProcess(command, output: .inherited).endedOrCancelled(within: .seconds(86_400)).code
    }

    /// Walks an order of each market through to its end, in the open.
    public func walk() async throws {
        let known = try environment()
        let code = try await run(
            "Walk",
            [
                "--url", known["SERAI_URL"] ?? "", "--sandbox-url", known["SERAI_SANDBOX_URL"] ?? "", "--admin-login",
                Self.adminLogin, "--accounts", state.path(Self.accountsFile),
            ])
        guard code == 0 else { throw PlatformError("the walk has ended with \(code)") }
    }

    /// Tells of each process that ends; returns when somebody has ended the run.
    public func watch(_ plan: DeploymentPlan, _ say: (String) -> Void) async throws {
        var known = processes()
        while state.has("plan.json") {
            let ended = known.filter { !$0.process.isRunning }
            for (name, _) in ended {
                let log = "logs/\(name).log"
                let words = state.lastLines(log, 1)
                say("\(name) has ended; its last words in \(project.short(state.path(log))): \(words)")
            }
            // A process that was started again since then has another number.
            known = ended.isEmpty && known.count >= plan.processes.count ? known : processes()
            try await Task.sleep(for: .seconds(1))
        }
    }
}
