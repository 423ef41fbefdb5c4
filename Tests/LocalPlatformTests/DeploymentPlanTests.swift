import Foundation
import Testing

@testable import LocalPlatform

/// What a plan says, without a process.
@Suite("The plan of a deployment")
struct DeploymentPlanTests {
    private static let ports = DeploymentPlan.Ports(
        caddy: 1_000, sandbox: 1_001, mail: 1_002,
        services: ["identity": [1], "dispatch": [2, 3], "wallet": [4], "notifications": [5], "admin": [6]])

    private func plan(caddy: Bool = true, cores: Int = 2) -> DeploymentPlan {
        let ports = DeploymentPlan.Ports(
            caddy: caddy ? 1_000 : nil, sandbox: 1_001, mail: 1_002, services: Self.ports.services, relay: 1_003)
        func ofEach(_ scheme: String) -> [String: String] {
            Dictionary(uniqueKeysWithValues: DeploymentPlan.services.map { ($0, "\(scheme)://\($0)") })
        }
        return DeploymentPlan(
            ports: ports, secrets: .generated(), folder: "/run", databases: ofEach("postgres"), brokers: ofEach("amqp"),
            cores: cores)
    }

    @Test("each process has a port and a probe of its own, and Caddy, which asks the others, comes last")
    func processes() {
        let processes = plan().processes
        #expect(
            processes.map(\.name) == [
                "identity", "dispatch-1", "dispatch-2", "wallet", "notifications", "admin", "sandbox", "caddy",
            ])
        #expect(processes.map(\.port) == [1, 2, 3, 4, 5, 6, 1_001, 1_000])
        #expect(processes.prefix(6).allSatisfy { $0.environment["SERAI_HTTP_PORT"] == "\($0.port)" })
        #expect(processes.prefix(6).allSatisfy { $0.probe == "/health/ready" })
        #expect(processes.filter(\.isPatient).map(\.name) == ["identity", "wallet", "admin", "sandbox"])
        let upstreams = processes.last?.environment["SERAI_DISPATCH_UPSTREAMS"]
        #expect(upstreams == "to 127.0.0.1:2 127.0.0.1:3")
        #expect(plan(caddy: false).processes.map(\.name).last == "sandbox")
    }

    @Test("Q7, N4: notifications alone knows the relay for calls and its secret")
    func relay() throws {
        let plan = plan()
        let secret = try #require(plan.secrets.relay)
        for service in DeploymentPlan.services {
            let environment = plan.environment(of: service)
            #expect(environment.values.contains(secret) == (service == "notifications"), "\(service)")
            let url = environment["SERAI_CALLS_TURN_URLS"]
            #expect(url == (service == "notifications" ? "turn:127.0.0.1:1003?transport=udp" : nil))
        }
    }

    @Test("Q7: a service gets its own database, its own user and no other's secrets")
    func secrets() {
        let plan = plan()
        for service in DeploymentPlan.services {
            let environment = plan.environment(of: service)
            #expect(environment["SERAI_DATABASE_URL"] == "postgres://\(service)")
            #expect(environment["SERAI_AMQP_URL"] == "amqp://\(service)")
            let others = DeploymentPlan.services.filter { $0 != service }.compactMap { plan.secrets.signing[$0] }
            let mine = Set(environment.values)
            #expect(mine.isDisjoint(with: others) && !mine.contains(plan.secrets.adminPassword), "\(service)")
            let holdsMoney = mine.contains {
                $0.contains(plan.secrets.sandboxKey) || $0.contains(plan.secrets.webhooks)
            }
            #expect(holdsMoney == (service == "wallet"), "\(service)")
            #expect(mine.contains(plan.secrets.deliveries) == ["identity", "notifications"].contains(service))
        }
    }

    @Test("settings stand above what the plan says, and the wallet has the fewest sessions")
    func settings() {
        var plan = plan(cores: 4)
        #expect(DeploymentPlan.services.map(plan.sessions) == [2, 5, 2, 5, 2])
        plan.settings["SERAI_DATABASE_POOL_SIZE"] = "9"
        plan.roles = ["", "worker"]
        plan.hasNafath = false
        #expect(plan.environment(of: "admin")["SERAI_DATABASE_POOL_SIZE"] == "9")
        #expect(plan.process(of: "dispatch", 1)?.environment["SERAI_ROLE"] == "worker")
        #expect(plan.process(of: "dispatch", 2) == nil)
        #expect(!plan.environment(of: "identity").keys.contains { $0.contains("NAFATH") })
    }

    @Test("a plan is the same when it is read again, with which a process is started again as it was")
    func coding() throws {
        let plan = plan()
        #expect(try JSONDecoder().decode(DeploymentPlan.self, from: JSONEncoder().encode(plan)) == plan)
    }

    @Test("secrets are new each time, and of the form that their readers want")
    func generated() {
        let (one, other) = (DeploymentPlan.Secrets.generated(), DeploymentPlan.Secrets.generated())
        #expect(one != other && Set(one.signing.values).count == 5)
        #expect(one.deliveries.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(one.adminSecondFactor.wholeMatch(of: /[A-Z2-7]{32}/) != nil)
    }

    @Test("URLs of services' accounts name their own role, and by the socket its folder")
    func urls() throws {
        let accounts = ServiceAccounts.generated()
        #expect(accounts.variables.count == 15 && Set(accounts.variables.values).count == 15)
        let password = try #require(accounts.variables["SERAI_WALLET_OWNER_PASSWORD"])
        let server = try ServerAddress("postgres://serai:secret@127.0.0.1:5/postgres", socket: "/tmp/a")
        #expect(
            accounts.database(ofOwnerOf: "wallet", at: server)
                == "postgres://wallet_owner:\(password)@%2Ftmp%2Fa:5/serai")
        let broker = try ServerAddress("amqp://serai:secret@localhost:6/")
        #expect(accounts.broker(of: "admin", at: broker).hasPrefix("amqp://admin:"))
        #expect(accounts.broker(of: "admin", at: broker).hasSuffix("@localhost:6/"))
        #expect(try ServerAddress("postgres://u:p@h:1/a").variables(database: "b")["PGPASSWORD"] == "p")
        #expect(throws: PlatformError.self) { try ServerAddress("postgres://h:1/a") }
    }

    @Test("a mark names folder and process, also of a folder with spaces")
    func marks() {
        let mark = Mark(folder: "/a folder/run", name: "dispatch-1")
        #expect(Mark(mark.variables[Mark.variable] ?? "") == mark)
        #expect(Mark("dispatch-1") == nil)
    }
}
