import Contracts
import LiveMarkets
import ServiceKit

extension IdentityParts {
    /// The way in which an account of a market is confirmed.
    static let confirmation: @Sendable (String) -> Market.Confirmation = { Market.named($0)?.confirmation ?? .none }

    /// The data that a market asks of people who take a role in it.
    static let onboarding: @Sendable (String) -> Market.Onboarding = { Market.named($0)?.onboarding ?? .init() }

    /// - Parameters:
    ///   - confirmation: what confirms an account of a market.
    ///   - onboarding: what a market asks of people who take a role in it.
    ///   - argon2id: what the hash of a password costs.
    init(
        _ base: ServiceBase, confirmation: @escaping @Sendable (String) -> Market.Confirmation = Self.confirmation,
        onboarding: @escaping @Sendable (String) -> Market.Onboarding = Self.onboarding, argon2id: Argon2id = .owasp
    ) async throws {
        let (bootstrap, configuration) = (base.bootstrap, base.bootstrap.configuration)
        let tokens = try await IdentityConfiguration.accessTokens(configuration)
        try await tokens.check(with: try await bootstrap.tokenVerifier(), at: base.clock())
        let openID = try OpenIDConfiguration.settings(configuration)
        let terms = LiveTerms(pool: base.pool, logger: bootstrap.logger)
        self.init(
            base: base, cipher: try IdentityConfiguration.personalDataCipher(configuration),
            hasher: try PasswordHasher(
                threadCount: try configuration[IdentityConfiguration.passwordThreads],
                limit: try configuration[IdentityConfiguration.passwordQueue], argon2id: argon2id),
            breached: try configuration[IdentityConfiguration.breachedFile].map { try BreachedPasswords(path: $0) },
            tokens: tokens, seal: DeliverySeal(secret: try configuration[DeliverySeal.key]),
            webURL: try configuration[IdentityConfiguration.webURL],
            smsLimits: SMSBudget.Limits(
                perNumber: try configuration[IdentityConfiguration.smsPerNumber],
                perCountry: try configuration[IdentityConfiguration.smsPerCountry],
                perDay: try configuration[IdentityConfiguration.smsPerDay]),
            confirmation: confirmation, onboarding: { terms.current($0, in: onboarding($0)) },
            markets: LiveMarkets(pool: base.pool, logger: bootstrap.logger), terms: terms,
            languages: Set(bootstrap.catalogue.languages.map { Account.Language(rawValue: $0.rawValue) }),
            signIn: SignInRule(
                hasNafath: openID != nil, opened: try configuration[IdentityConfiguration.passwordMarkets]),
            provider: openID.map { OpenIDProvider(settings: $0, logger: bootstrap.logger) },
            limits: try Limits(bootstrap))
    }
}

extension IdentityParts.Limits {
    init(_ bootstrap: ServiceBootstrap) throws {
        let configuration = bootstrap.configuration
        func limit(
            _ perSecond: ConfigurationKey<Double>, _ burst: ConfigurationKey<Int>
        ) throws -> RateLimit {
            RateLimit(perSecond: try configuration[perSecond], burst: try configuration[burst])
        }
        self.init(
            registering: try limit(IdentityConfiguration.registerPerSecond, IdentityConfiguration.registerBurst),
            loggingIn: try limit(IdentityConfiguration.loginPerSecond, IdentityConfiguration.loginBurst),
            proving: try limit(IdentityConfiguration.provePerSecond, IdentityConfiguration.proveBurst),
            asking: try limit(IdentityConfiguration.askPerSecond, IdentityConfiguration.askBurst),
            metrics: bootstrap.registry)
    }
}
