import AMQP
import ArgumentParser
import Foundation
import Messaging
import PollThread
import Postgres
import ServiceKit

/// Who people are: accounts, passwords, sessions, roles.
struct IdentityService: SeraiService {
    static let name = "identity"
    static let about = "Accounts, sessions and roles."
    static let keys = IdentityConfiguration.keys
    static let migrations =
        MessagingMigrations.all + IdempotencyStore.migrations + [
            migration(1, "identity", PackageResources._001_identity_sql),
            migration(2, "purging", PackageResources._002_purging_sql),
        ]
    static let catalogues: [Language: [UInt8]] = [
        .english: PackageResources.en_json, .arabic: PackageResources.ar_json,
    ]
    static let commands: [any AsyncParsableCommand.Type] = [CreateKeysCommand.self, CreateAdminCommand.self]

    static func compose(_ bootstrap: ServiceBootstrap) async throws -> [ServiceComponent] {
        try await assemble(bootstrap) { Date() }.components
    }

    private static func migration(_ version: Int, _ name: String, _ sql: [UInt8]) -> Migration {
        Migration(component: Self.name, version: version, name: name, sql: String(decoding: sql, as: UTF8.self))
    }

    /// The service's parts, its HTTP server, and everything that has to run.
    struct Assembly: Sendable {
        let parts: IdentityParts
        let server: HTTPServer
        let components: [ServiceComponent]
    }

    /// - Parameter clock: what time it is, for everything but the checks of access tokens.
    static func assemble(
        _ bootstrap: ServiceBootstrap, clock: @escaping @Sendable () -> Date
    ) async throws -> Assembly {
        let configuration = bootstrap.configuration
        let logger = bootstrap.logger
        let verifier = try await bootstrap.tokenVerifier()
        let tokens = try await IdentityConfiguration.accessTokens(configuration)
        try await tokens.check(with: verifier)
        let (pool, database) = try bootstrap.database(on: PollThread(name: "postgres"))
        let hasher = try PasswordHasher(
            threadCount: try configuration[IdentityConfiguration.passwordThreads],
            limit: try configuration[IdentityConfiguration.passwordQueue])
        let idempotency = try bootstrap.idempotencyStore(pool)
        let parts = IdentityParts(
            pool: pool, idempotency: idempotency, cursors: try bootstrap.cursorSealer(),
            cipher: try IdentityConfiguration.personalDataCipher(configuration), hasher: hasher, tokens: tokens,
            keySet: try IdentityConfiguration.keySet(configuration), limits: try limits(bootstrap), clock: clock)
        let (publisher, publishing) = try bootstrap.publisher(topology: ServiceTopology(service: name).exchanges)
        let relay = Relay(pool: pool, publisher: publisher, producer: name, logger: logger)
        let http = try bootstrap.http(verifier: verifier) { IdentityRoutes.add(parts, to: $0) }
        let purge = PurgeExpired(pool: pool, logger: logger, clock: clock, interval: .seconds(600))
        let components = [
            database, publishing,
            ServiceComponent("relay", stage: .relay, relay),
            ServiceComponent("password threads", stage: .background, ClosingService { hasher.stop() }),
            ServiceComponent(
                "idempotency purge", stage: .background, IdempotencyPurge(idempotency, logger: logger)),
            ServiceComponent("purge", stage: .background, purge),
            http.component,
        ]
        return Assembly(parts: parts, server: http.server, components: components)
    }

    private static func limits(_ bootstrap: ServiceBootstrap) throws -> IdentityParts.Limits {
        let configuration = bootstrap.configuration
        return IdentityParts.Limits(
            registering: RateLimit(
                perSecond: try configuration[IdentityConfiguration.registerPerSecond],
                burst: try configuration[IdentityConfiguration.registerBurst]),
            loggingIn: RateLimit(
                perSecond: try configuration[IdentityConfiguration.loginPerSecond],
                burst: try configuration[IdentityConfiguration.loginBurst]),
            metrics: bootstrap.registry)
    }
}
