import AMQP
import ArgumentParser
import Contracts
import Foundation
import Messaging
import PollThread
import Postgres
import ServiceKit

/// Who people are: accounts, passwords, sessions, roles.
struct IdentityService: SeraiService {
    static let name = "identity"
    static let about = "Accounts, sessions and roles."
    static let keys = IdentityConfiguration.keys + OpenIDConfiguration.keys
    static let migrations =
        MessagingMigrations.all + IdempotencyStore.migrations + EndedSessions.migrations + [
            migration(1, "identity", PackageResources._001_identity_sql),
            migration(2, "purging", PackageResources._002_purging_sql),
            migration(3, "session_list", PackageResources._003_session_list_sql),
            migration(4, "bans", PackageResources._004_bans_sql),
            migration(5, "confirming", PackageResources._005_confirming_sql),
            migration(6, "guards", PackageResources._006_guards_sql),
            migration(7, "nafath", PackageResources._007_nafath_sql),
            migration(8, "login_reminders", PackageResources._008_login_reminders_sql),
        ]
    static let catalogues: [Language: [UInt8]] = [
        .english: PackageResources.en_json, .arabic: PackageResources.ar_json,
    ]
    static let commands: [any AsyncParsableCommand.Type] = [
        CreateKeysCommand.self, CreateAdminCommand.self, RotateSigningKeyCommand.self,
    ]

    static func compose(_ bootstrap: ServiceBootstrap) async throws -> [ServiceComponent] {
        try await assemble(bootstrap) { Date() }.components
    }

    /// What confirms an account of a market.
    static let confirmation: @Sendable (String) -> Market.Confirmation = { Market.named($0)?.confirmation ?? .none }

    private static func migration(_ version: Int, _ name: String, _ sql: [UInt8]) -> Migration {
        Migration(component: Self.name, version: version, name: name, sql: String(decoding: sql, as: UTF8.self))
    }

    /// The service's parts, its HTTP server, and everything that has to run.
    struct Assembly: Sendable {
        let parts: IdentityParts
        let server: HTTPServer
        let components: [ServiceComponent]
    }

    /// - Parameters:
    ///   - clock: what time it is, for everything but the checks of access tokens.
    ///   - confirmation: what confirms an account of a market.
    static func assemble(
        _ bootstrap: ServiceBootstrap,
        confirmation: @escaping @Sendable (String) -> Market.Confirmation = Self.confirmation,
        clock: @escaping @Sendable () -> Date
    ) async throws -> Assembly {
        let configuration = bootstrap.configuration
        let logger = bootstrap.logger
        let tokens = try await IdentityConfiguration.accessTokens(configuration)
        try await tokens.check(with: try await bootstrap.tokenVerifier())
        let (pool, database) = try bootstrap.database(on: PollThread(name: "postgres"))
        let checks = try await bootstrap.tokenChecks(pool)
        let hasher = try PasswordHasher(
            threadCount: try configuration[IdentityConfiguration.passwordThreads],
            limit: try configuration[IdentityConfiguration.passwordQueue])
        let idempotency = try bootstrap.idempotencyStore(pool)
        let parts = IdentityParts(
            pool: pool, idempotency: idempotency, cursors: try bootstrap.cursorSealer(),
            cipher: try IdentityConfiguration.personalDataCipher(configuration), hasher: hasher,
            breached: try configuration[IdentityConfiguration.breachedFile].map { try BreachedPasswords(path: $0) },
            tokens: tokens,
            ended: checks.ended,
            seal: DeliverySeal(secret: try configuration[DeliverySeal.key]),
            webURL: try configuration[IdentityConfiguration.webURL], confirmation: confirmation,
            provider: try OpenIDConfiguration.settings(configuration).map {
                OpenIDProvider(settings: $0, logger: logger)
            },
            limits: try limits(bootstrap), clock: clock)
        let (publisher, publishing) = try bootstrap.publisher(topology: ServiceTopology(service: name).exchanges)
        let relay = Relay(pool: pool, publisher: publisher, producer: name, logger: logger)
        let http = try bootstrap.http(on: pool.thread, verifier: checks.verifier) { IdentityRoutes.add(parts, to: $0) }
        let deadlines = DeadlineRunner(
            pool: pool,
            handlers: [
                BanAccount.deadline: { try await BanAccount.end($0, at: clock(), in: $1) }
            ], logger: logger)
        let purge = PurgeExpired(pool: pool, logger: logger, clock: clock, interval: .seconds(600))
        let reload = SigningKeyReload(
            ring: tokens.ring,
            signingFile: URL(fileURLWithPath: try configuration[IdentityConfiguration.signingKeyFile]),
            published: { try IdentityConfiguration.keySet(configuration) }, logger: logger)
        let components =
            checks.components + [
                database, publishing,
                ServiceComponent(
                    "identity provider", stage: .database, ClosingService { await parts.provider?.close() }),
                ServiceComponent("signing keys", stage: .background, reload),
                ServiceComponent("deadlines", stage: .background, deadlines),
                ServiceComponent("relay", stage: .relay, relay),
                ServiceComponent("password threads", stage: .background, ClosingService { hasher.stop() }),
                ServiceComponent(
                    "idempotency purge", stage: .background, IdempotencyPurge(idempotency, logger: logger)),
                ServiceComponent("purge", stage: .background, purge),
                ServiceComponent(
                    "login reminders", stage: .background,
                    RemindOfLogin(
                        pool: pool, deliver: parts.deliver, logger: logger, clock: clock, interval: .seconds(3_600))),
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
