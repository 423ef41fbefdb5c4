import AMQP
import ArgumentParser
import Contracts
import Foundation
import LiveMarkets
import Logging
import Messaging
import PollThread
import Postgres
import ServiceKit

/// Who people are: accounts, passwords, sessions, roles.
struct IdentityService: RepublishingService, RebuildingService {
    static let name = "identity"
    static let about = "Accounts, sessions and roles."
    static let keys = IdentityConfiguration.keys + OpenIDConfiguration.keys
    static let migrations =
        MessagingMigrations.all + IdempotencyStore.migrations + EndedSessions.migrations + LiveMarkets.migrations + [
            migration(1, "identity", PackageResources._001_identity_sql),
            migration(2, "purging", PackageResources._002_purging_sql),
            migration(3, "session_list", PackageResources._003_session_list_sql),
            migration(4, "bans", PackageResources._004_bans_sql),
            migration(5, "confirming", PackageResources._005_confirming_sql),
            migration(6, "guards", PackageResources._006_guards_sql),
            migration(7, "deletions", PackageResources._007_deletions_sql),
            migration(8, "links", PackageResources._008_links_sql),
            migration(9, "removals", PackageResources._009_removals_sql),
            migration(10, "profiles", PackageResources._010_profiles_sql),
            migration(11, "saved_places", PackageResources._011_saved_places_sql),
            migration(12, "avatars", PackageResources._012_avatars_sql),
            migration(13, "documents", PackageResources._013_documents_sql),
            migration(14, "nafath", PackageResources._014_nafath_sql),
            migration(15, "login_reminders", PackageResources._015_login_reminders_sql),
            migration(16, "indexes_of_accounts", PackageResources._016_indexes_of_accounts_sql),
            migration(17, "second_factors", PackageResources._017_second_factors_sql),
            migration(18, "devices", PackageResources._018_devices_sql),
            migration(19, "ratings", PackageResources._019_ratings_sql),
            migration(20, "proved_contacts", PackageResources._020_proved_contacts_sql),
            migration(21, "proofs", PackageResources._021_proofs_sql),
            migration(22, "reminders_by_sms", PackageResources._022_reminders_by_sms_sql),
            migration(23, "left_markets", PackageResources._023_left_markets_sql),
            migration(24, "vehicles", PackageResources._024_vehicles_sql),
            migration(25, "told_of_guesses", PackageResources._025_told_of_guesses_sql),
            migration(26, "opened_contacts", PackageResources._026_opened_contacts_sql),
            migration(27, "banned_hashes", PackageResources._027_banned_hashes_sql),
            migration(28, "role_offers", PackageResources._028_role_offers_sql),
            migration(29, "contact targets", PackageResources._029_contact_targets_sql),
            migration(30, "sent sms", PackageResources._030_sent_sms_sql),
        ]
    static let catalogues: [Language: [UInt8]] = [
        .english: PackageResources.en_json, .arabic: PackageResources.ar_json,
    ]
    static let commands: [any AsyncParsableCommand.Type] = [
        CreateKeysCommand.self, CreateAdminCommand.self, RotateSigningKeyCommand.self, RotateKeysCommand.self,
        MendNumbersCommand.self, RepublishCommand<Self>.self, RebuildCommand<Self>.self,
    ]

    static let copies = [
        CopiedKind("settings", from: "admin republish") { pool in try await LiveMarkets.doubt(pool) }
    ]

    static func republished(_ pool: PostgresPool, _ logger: Logger) async throws -> [RepublishedKind] {
        RepublishPeople.kinds()
    }

    static func compose(_ bootstrap: ServiceBootstrap) async throws -> [ServiceComponent] {
        try await assemble(bootstrap) { Date() }.components
    }

    /// What confirms an account of a market.
    static let confirmation: @Sendable (String) -> Market.Confirmation = { Market.named($0)?.confirmation ?? .none }

    /// What a market asks of people who take a role in it.
    static let onboarding: @Sendable (String) -> Market.Onboarding = { Market.named($0)?.onboarding ?? .init() }

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
    ///   - onboarding: what a market asks of people who take a role in it.
    ///   - argon2id: what the hash of a password costs.
    static func assemble(
        _ bootstrap: ServiceBootstrap,
        confirmation: @escaping @Sendable (String) -> Market.Confirmation = Self.confirmation,
        onboarding: @escaping @Sendable (String) -> Market.Onboarding = Self.onboarding,
        argon2id: Argon2id = .owasp, clock: @escaping @Sendable () -> Date
    ) async throws -> Assembly {
        let configuration = bootstrap.configuration
        let logger = bootstrap.logger
        let tokens = try await IdentityConfiguration.accessTokens(configuration)
        try await tokens.check(with: try await bootstrap.tokenVerifier())
        let (pool, database) = try bootstrap.database(
            on: PollThread(name: "postgres"), settings: PostgresConfiguration.rowsByIndex)
        let checks = try await bootstrap.tokenChecks(pool)
        let hasher = try PasswordHasher(
            threadCount: try configuration[IdentityConfiguration.passwordThreads],
            limit: try configuration[IdentityConfiguration.passwordQueue], argon2id: argon2id)
        let idempotency = try bootstrap.idempotencyStore(pool)
        let openID = try OpenIDConfiguration.settings(configuration)
        let parts = IdentityParts(
            pool: pool, idempotency: idempotency, cursors: try bootstrap.cursorSealer(),
            cipher: try IdentityConfiguration.personalDataCipher(configuration), hasher: hasher,
            breached: try configuration[IdentityConfiguration.breachedFile].map { try BreachedPasswords(path: $0) },
            tokens: tokens,
            ended: checks.ended,
            seal: DeliverySeal(secret: try configuration[DeliverySeal.key]),
            webURL: try configuration[IdentityConfiguration.webURL],
            smsLimits: SMSBudget.Limits(
                perNumber: try configuration[IdentityConfiguration.smsPerNumber],
                perCountry: try configuration[IdentityConfiguration.smsPerCountry],
                perDay: try configuration[IdentityConfiguration.smsPerDay]), confirmation: confirmation,
            onboarding: onboarding, markets: LiveMarkets(pool: pool, logger: logger),
            languages: Set(bootstrap.catalogue.languages.map { Account.Language(rawValue: $0.rawValue) }),
            signIn: SignInRule(
                hasProvider: openID != nil, opened: try configuration[IdentityConfiguration.passwordMarkets]),
            provider: openID.map { OpenIDProvider(settings: $0, logger: logger) },
            limits: try limits(bootstrap), clock: clock)
        let messaging = try messaging(
            bootstrap, pool,
            IdentityHandlers.make(
                parts.decideDeletion, TellOfSubscription(deliver: parts.deliver, clock: clock), clock: clock))
        let http = try bootstrap.http(on: pool.thread, verifier: checks.verifier, uploads: uploads) {
            IdentityRoutes.add(parts, to: $0)
        }
        // They are due by the database's clock; by this program's it may be too early still, and nobody would look again.
        let now: @Sendable (Deadline) -> Date = { max(clock(), $0.dueAt) }
        let deadlines = DeadlineRunner(
            pool: pool,
            handlers: [
                BanAccount.deadline: { try await BanAccount.end($0, at: now($0), in: $1) },
                AskProof.deadline: { try await parts.askProof.answer($0, at: now($0), in: $1) },
                SharedPlace.deadline: { SharedPlace.end($0, in: $1) },
                DecideDeletionOfAccount.deadline: { try await parts.decideDeletion.giveUp($0, at: now($0), in: $1) },
            ], logger: logger)
        let purge = PurgeExpired(pool: pool, logger: logger, clock: clock, interval: .seconds(600))
        let reload = SigningKeyReload(
            ring: tokens.ring,
            signingFile: URL(fileURLWithPath: try configuration[IdentityConfiguration.signingKeyFile]),
            published: { try IdentityConfiguration.keySet(configuration) }, logger: logger)
        let components =
            checks.components + messaging + [
                database,
                ServiceComponent("markets", stage: .relay, parts.markets) { try await parts.markets.loaded() },
                ServiceComponent(
                    "identity provider", stage: .database, ClosingService { await parts.provider?.close() }),
                ServiceComponent("signing keys", stage: .background, reload),
                ServiceComponent("deadlines", stage: .background, deadlines),
                ServiceComponent("password threads", stage: .background, ClosingService { hasher.stop() }),
                ServiceComponent(
                    "idempotency purge", stage: .background, IdempotencyPurge(idempotency, logger: logger)),
                ServiceComponent("purge", stage: .background, purge),
                ServiceComponent(
                    "inactive accounts", stage: .background,
                    WatchInactive(
                        pool: pool, deliver: parts.deliver, logger: logger, clock: clock, interval: .seconds(3_600))),
                ServiceComponent(
                    "login reminders", stage: .background,
                    RemindOfLogin(
                        pool: pool, cipher: parts.cipher, deliver: parts.deliver, logger: logger, clock: clock,
                        interval: .seconds(3_600))),
                http.component,
            ]
        return Assembly(parts: parts, server: http.server, components: components)
    }

    /// Larger bodies than others.
    private static let uploads = [
        AvatarRoutes.upload: ChangeAvatar.maximumBytes, DocumentRoutes.upload: ProviderDocuments.maximumBytes,
    ]

    private static func limits(_ bootstrap: ServiceBootstrap) throws -> IdentityParts.Limits {
        let configuration = bootstrap.configuration
        return IdentityParts.Limits(
            registering: RateLimit(
                perSecond: try configuration[IdentityConfiguration.registerPerSecond],
                burst: try configuration[IdentityConfiguration.registerBurst]),
            loggingIn: RateLimit(
                perSecond: try configuration[IdentityConfiguration.loginPerSecond],
                burst: try configuration[IdentityConfiguration.loginBurst]),
            proving: RateLimit(
                perSecond: try configuration[IdentityConfiguration.provePerSecond],
                burst: try configuration[IdentityConfiguration.proveBurst]),
            asking: RateLimit(
                perSecond: try configuration[IdentityConfiguration.askPerSecond],
                burst: try configuration[IdentityConfiguration.askBurst]),
            metrics: bootstrap.registry)
    }
}
