import AMQP
import Contracts
import Foundation
import Logging
import Messaging
import Phones
import Postgres
import SeraiJSON
import TestKit
import Testing

/// What `deploy/setup` grants is enough for the services, and no more.
@Suite("A deployment", .timeLimit(.minutes(15)))
struct DeploymentTests {
    private static let refused = "42501"

    @Test("Q7, P9: the services work with just their roles and users, and can do nothing else")
    func rights() async throws {
        try await Deployment.prepared { deployment in
            try await Platform.withPlatform(on: deployment) { platform in
                let pair = try await Pair.meet(on: platform)
                _ = try await pair.completed()
                #expect(try await pair.balances() == [0, Pair.total - Pair.commission])
                try await pair.desk.change([.acceptWindowSeconds: "77"], in: "assef")
                // Setting up again, as every start does, changes nothing for those who run.
                try await deployment.setUp()
                _ = try await pair.completed(by: "cash")

                try await appendOnly(deployment)
                try await foreignTables(deployment)
                try await foreignExchanges(deployment)
                try await commands(deployment)
                try await planning(deployment)
                try await missing(deployment)
            }
        }
    }

    /// A service's own role may ask which migrations its program misses, as `deploy/doctor` does (Q2).
    private func missing(_ deployment: Deployment) async throws {
        for service in Platform.services {
            let environment = ["SERAI_DATABASE_URL": deployment.url(of: service), "SERAI_LOG_LEVEL": "error"]
            #expect(
                try await Program.run(service, ["migrate", "--check"], environment: environment).isEmpty, "\(service)")
        }
    }

    /// Each service's sessions plan as its role says (Q5), and a session that says otherwise plans as it says.
    private func planning(_ deployment: Deployment) async throws {
        let byIndex = ["off", "off", "auto"]
        let once = ["off", "off", "force_generic_plan"]
        for (service, wanted) in [
            ("identity", byIndex), ("wallet", byIndex), ("dispatch", once), ("notifications", once),
            ("admin", ["off", "on", "auto"]),
        ] {
            #expect(try await deployment.planning(of: service) == wanted, "\(service)")
            let told = try await deployment.planning(of: service, PostgresConfiguration.wholeTables)
            #expect(told == ["off", "on", "auto"], "\(service)")
        }
    }

    /// Only those whose business it is may command the ledger.
    private func commands(_ deployment: Deployment) async throws {
        for (service, isAllowed) in [
            ("dispatch", true), ("admin", true), ("identity", false), ("notifications", false),
        ] {
            let publisher = Publisher(
                try AMQPConfiguration(url: deployment.amqp(service), connectionName: "asking"),
                topology: ServiceTopology.asking(["wallet"]),
                logger: Logger(label: "asking") { _ in SwiftLogNoOpLogHandler() })
            let running = Task { try await publisher.run() }
            defer { running.cancel() }
            // Nobody handles it, so it comes back to those who may write.
            let message = OutboundMessage(exchange: "wallet.commands", routingKey: "wallet.nothing.do.v1", body: [])
            let error = await #expect(throws: PublishError.self) {
                try await publisher.publish(message, deadline: .now + .seconds(10))
            }
            if case .unroutable? = error {
                #expect(isAllowed, "\(service)")
            } else {
                #expect(!isAllowed, "\(service): \(String(describing: error))")
            }
        }
    }

    /// The audit log and the ledger can be read and added to.
    private func appendOnly(_ deployment: Deployment) async throws {
        for (service, table, column) in [
            ("admin", "audit", "subject"), ("wallet", "entries", "amount"), ("wallet", "transfers", "kind"),
        ] {
            let url = deployment.url(of: service)
            let trigger = table == "audit" ? "append_only" : "\(table)_append_only"
            #expect(try await deployment.refusal(of: "SELECT FROM \(table)", at: url, schema: service) == nil)
            for statement in [
                "UPDATE \(table) SET \(column) = \(column)",
                "UPDATE \(table) SET \(column) = \(column) WHERE false", "DELETE FROM \(table)", "TRUNCATE \(table)",
                "DROP TRIGGER \(trigger) ON \(table)",
                "ALTER TABLE \(table) DISABLE TRIGGER \(trigger)", "ALTER TABLE \(table) RENAME TO other",
                "ALTER TABLE \(table) OWNER TO \(service)", "DROP TABLE \(table)",
                "CREATE RULE r AS ON INSERT TO \(table) DO INSTEAD NOTHING",
                "SET session_replication_role = replica", "SET ROLE \(service)_owner",
                "CREATE TABLE \(service).mine ()",
            ] {
                let refusal = try await deployment.refusal(of: statement, at: url, schema: service)
                #expect(refusal == Self.refused, "\(service): \(statement)")
            }
            // Its owner, as whom migrations run, is stopped by the trigger.
            let owner = deployment.url(ofOwnerOf: service)
            for statement in [
                "UPDATE \(table) SET \(column) = \(column)", "DELETE FROM \(table)", "TRUNCATE \(table) CASCADE",
            ] {
                #expect(try await deployment.refusal(of: statement, at: owner, schema: service) != nil, "\(statement)")
            }
        }
    }

    /// A service sees no other's tables and no other database.
    private func foreignTables(_ deployment: Deployment) async throws {
        let wallet = deployment.url(of: "wallet")
        for statement in ["SELECT FROM admin.audit", "SELECT FROM identity.accounts", "CREATE TABLE public.mine ()"] {
            #expect(try await deployment.refusal(of: statement, at: wallet) == Self.refused, "\(statement)")
        }
        try await deployment.run(["CREATE DATABASE other"], at: deployment.postgres.url)
        try await deployment.setUp()
        for database in ["postgres", "template1", "other"] {
            let url = deployment.url(of: "wallet", in: database)
            #expect(try await deployment.refusal(of: "SELECT 1", at: url) != nil, "\(database)")
        }
    }

    /// A service declares and deletes nothing of another's on the broker.
    private func foreignExchanges(_ deployment: Deployment) async throws {
        for (service, other) in [
            ("wallet", "dispatch"), ("notifications", "dispatch.positions"), ("admin", "identity"),
        ] {
            let url = deployment.amqp(service)
            // So that it may ask the management API, within its permissions.
            try await deployment.broker.ctl(["set_user_tags", service, "management"])
            let error = await #expect(throws: ManagementAPIError.self) {
                try await deployment.host.deleteExchange(other, as: url)
            }
            #expect(error?.status == 401 || error?.status == 403, "\(String(describing: error))")
            #expect(try await deployment.host.hasExchange(other))
            for topology in [
                Topology(exchanges: [Exchange(other, .direct)]), Topology(queues: [.quorum("\(other).mine")]),
            ] {
                let publisher = Publisher(
                    try AMQPConfiguration(url: url, connectionName: "thief"), topology: topology,
                    logger: Logger(label: "thief") { _ in SwiftLogNoOpLogHandler() })
                let refusal = await #expect(throws: AMQPError.self) { try await publisher.run() }
                #expect(refusal?.code == .accessRefused, "\(service)")
            }
        }
    }
}
