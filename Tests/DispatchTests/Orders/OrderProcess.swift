import Foundation
import JWTKit
import Logging
import Postgres
import ServiceLifecycle
import TestKit

@testable import SeraiDispatch
@testable import ServiceKit

/// The whole service, as its composition root puts it together, on a test's database and broker.
struct OrderProcess: Sendable {
    private let assembly: ServiceAssembly<DispatchService>
    private let bootstrap: ServiceBootstrap
    var parts: DispatchParts { assembly.parts }

    init(database: TestDatabase, broker: VirtualHost, signer: AccessTokenSigner) async throws {
        let values = [
            "SERAI_DATABASE_URL": database.dsn, "SERAI_AMQP_URL": broker.url, "SERAI_HTTP_PORT": "0",
            "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 32), "SERAI_TOKENS_KEYS": signer.keySetJSON,
            "SERAI_TOKENS_ISSUER": OrderServer.issuer, "SERAI_TOKENS_AUDIENCE": OrderServer.audience,
        ]
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in DispatchService.catalogues { try catalogue.add(language, json: json) }
        // The name is the schema's, and a test's schema has its own.
        bootstrap = ServiceBootstrap(
            name: TestDatabase.schema,
            configuration: try ServiceConfiguration(
                keys: DispatchService.allKeys, arguments: [], environment: values),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, registry: PrometheusRegistry(),
            catalogue: catalogue, migrations: DispatchService.migrations)
        assembly = try await ServiceAssembly<DispatchService>(bootstrap)
    }

    /// Runs everything while `body` runs, and then ends it as a killed process ends: at once.
    func whileRunning(_ body: (_ url: String) async throws -> Void) async throws {
        let tasks = assembly.components.map { component in Task { try await component.service.run() } }
        defer { for task in tasks { task.cancel() } }
        let port = try await assembly.server.addresses().port
        try await eventually("everything is connected") {
            await bootstrap.health.report().outcomes.values.allSatisfy(\.isHealthy)
        }
        try await body("http://127.0.0.1:\(port)")
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
    }
}
